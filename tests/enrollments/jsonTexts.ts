import fc from 'fast-check';

/** How a character of a text may be written in JSON. */
const written = (character: string): fc.Arbitrary<string> => {
  const unicode = [...Array(character.length).keys()]
    .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
    .join('');
  const plain = JSON.stringify(character).slice(1, -1);
  return fc.constantFrom(plain, unicode, unicode.toUpperCase().replaceAll('\\U', '\\u'));
};

const textOf = (characters: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(...characters.map(written)).map((parts) => `"${parts.join('')}"`);

/** Members that GeoJSON knows, and others that nearly are such. */
const KNOWN = ['type', 'crs', 'features', 'properties', 'field_id', 'geometry', 'coordinates', 'name'];
const WORDS = [
  ...KNOWN,
  'typ',
  'types',
  'Type',
  '__proto__',
  '',
  'Feature',
  'FeatureCollection',
  'Polygon',
  'MultiPolygon',
];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS).chain((word) => textOf(Array.from(word))) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom('a', '"', '\\', '\n', '\u0000', 'é', '€', '🌾', '\ud800', '\udc00'))
      .chain(textOf),
  },
);
const digits = fc.stringMatching(/^(0|[1-9]\d{0,20})$/);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      digits,
      fc.stringMatching(/^(\.\d{1,25})?$/),
      fc.stringMatching(/^([eE][+-]?\d{1,4})?$/),
    )
    .map((parts) => parts.join('')),
);
const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r ');
const between = (opening: string, items: readonly string[], closing: string): fc.Arbitrary<string> =>
  fc
    .array(space, { minLength: items.length + 1, maxLength: items.length + 1 })
    .map((spaces) =>
      items.length === 0
        ? `${opening}${spaces[0] ?? ''}${closing}`
        : `${opening}${items.map((item, index) => `${spaces[index] ?? ''}${item}${spaces[index + 1] ?? ''}`).join(',')}${closing}`,
    );

const { value } = fc.letrec<{ value: string; item: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    text,
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('value'), { maxLength: 6 }).chain((items) => between('[', items, ']')),
    fc.array(fc.tuple(text, space, tie('value')), { maxLength: 6 }).chain((members) =>
      between(
        '{',
        members.map(([name, gap, item]) => `${name}${gap}:${gap}${item}`),
        '}',
      ),
    ),
  ),
  item: fc.constant(''),
}));

/** JSON as no serializer would write it: white space, escapes, equal keys, numbers of every form, lone surrogates. */
export const oddJson: fc.Arbitrary<string> = fc.tuple(space, value, space).map((parts) => parts.join(''));

const position = fc.array(number, { minLength: 2, maxLength: 3 }).map((numbers) => `[${numbers.join(', ')}]`);
const list = (items: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(items, { maxLength: 4 }).chain((found) => between('[', found, ']'));
const polygon = list(list(position));
const coordinates = fc.oneof({ weight: 4, arbitrary: polygon }, { weight: 2, arbitrary: list(polygon) }, value);

/** An object of some of these members and others, some of them twice. */
const objectOf = (members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> => {
  const known = Object.entries(members).map(([name, item]) =>
    fc.tuple(textOf(Array.from(name)), fc.oneof({ weight: 5, arbitrary: item }, value)),
  );
  const all = [...known, ...known, fc.tuple(text, value)];
  return fc.shuffledSubarray([...all.keys()], { minLength: 2 }).chain((chosen) =>
    fc.tuple(...chosen.map((index) => all[index] ?? fc.tuple(text, value))).chain((found) =>
      between(
        '{',
        found.map(([name, item]) => `${name}:${item}`),
        '}',
      ),
    ),
  );
};
const word = (...words: string[]) => fc.constantFrom(...words).chain((chosen) => textOf(Array.from(chosen)));
const geometry = objectOf({ type: word('Polygon', 'MultiPolygon', 'Point'), coordinates });
const feature = objectOf({
  type: word('Feature', 'Feature', 'Polygon'),
  properties: objectOf({ field_id: text }),
  geometry,
});

/** Feature collections as careless and as hostile writers make them. */
export const oddCollection: fc.Arbitrary<string> = objectOf({
  type: word('FeatureCollection'),
  crs: objectOf({ properties: objectOf({ name: text }) }),
  features: list(feature),
});

/** Bytes of a text with some of them changed, taken away or put in: mostly no JSON, sometimes no UTF-8. */
export const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> => {
  const odd = fc.oneof(
    fc.constantFrom(...Buffer.from('{}[]",:\\/ue-+.0123456789tfn \n\t\u0000\u001f')),
    fc.constantFrom(0xef, 0xbb, 0xbf, 0xc0, 0xff, 0xed, 0xa0, 0x80),
  );
  const change = fc.record({ at: fc.nat(), remove: fc.nat({ max: 2 }), insert: fc.array(odd, { maxLength: 2 }) });
  return fc.tuple(texts, fc.array(change, { maxLength: 3 }), fc.boolean()).map(([json, changes, hasMark]) => {
    const bytes = [...Buffer.from(`${hasMark ? '\uFEFF' : ''}${json}`)];
    for (const { at, remove, insert } of changes) bytes.splice(at % (bytes.length + 1), remove, ...insert);
    return Uint8Array.from(bytes);
  });
};
