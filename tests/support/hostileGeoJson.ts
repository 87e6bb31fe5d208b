/** Uploads made to be slow, or to take more memory than they have bytes. */
export interface HostileShape {
  readonly name: string;
  /** Text of about as many bytes. */
  readonly text: (bytes: number) => string;
}

/** What `piece` gives for 0, 1, 2, …, separated by commas, until there are about as many bytes. */
function repeated(bytes: number, piece: (index: number) => string): string {
  const pieces: string[] = [];
  for (let size = 0; size < bytes;) {
    const next = piece(pieces.length);
    pieces.push(next);
    size += Buffer.byteLength(next) + 1;
  }
  return pieces.join(',');
}

const SQUARE = '[[[13,48],[13.01,48],[13.01,48.01],[13,48.01],[13,48]]]';
const feature = (inner: string, coordinates = SQUARE, type = 'Polygon'): string =>
  `{"type":"Feature","properties":{"field_id":"north"${inner === '' ? '' : `,${inner}`}},"geometry":{"type":"${type}","coordinates":${coordinates}}}`;
const collection = (features: string, foreign = ''): string =>
  `{${foreign === '' ? '' : `${foreign},`}"type":"FeatureCollection","features":[${features}]}`;
const inProperties = (piece: (index: number) => string) => (bytes: number) =>
  collection(feature(repeated(bytes, piece)));
const inForeign = (piece: (index: number) => string) => (bytes: number) =>
  collection(feature(''), `"x":[${repeated(bytes, piece)}]`);
const inRing = (piece: (index: number) => string) => (bytes: number) =>
  collection(feature('', `[[${repeated(bytes, piece)}]]`));

const hex = (index: number): string => index.toString(16).padStart(4, '0').slice(-4);

/** Most brackets and values of an upload are 4 and 8 million: pieces of few bytes are filled up to stay within. */
const PAD = '        ';

/** Teeth that slant, so that all of them are open at a time whichever way a sweep goes. */
function slantedTeeth(index: number, teeth: number): string {
  const corners = Array.from({ length: teeth }, (_, tooth) => {
    const shift = (tooth / teeth) * 1e-3;
    const [x, y] = tooth % 2 === 0 ? [13 + shift, 48 - shift] : [13.01 + shift, 48.01 - shift];
    return `[${x.toFixed(8)},${y.toFixed(8)}]`;
  });
  const ring = [...corners, '[13.02,48.005]', '[13.01,47.98]', '[12.995,47.995]', corners[0] ?? ''].join(',');
  return `{"type":"Feature","properties":{"field_id":"f${index}"},"geometry":{"type":"Polygon","coordinates":[[${ring}]]}}`;
}

export const hostileShapes: readonly HostileShape[] = [
  { name: 'objects with a name of their own each', text: inForeign((index) => `{"a${index}":1}`) },
  { name: 'a property with a name of its own each', text: inProperties((index) => `"p${index}":{}`) },
  { name: 'property names that are numbers far apart', text: inProperties((index) => `"${(index * 7_919) % 4e9}":{}`) },
  { name: 'the same property again and again', text: inProperties(() => `"crop":[{}]`) },
  { name: 'a field_id again and again', text: inProperties((index) => `"field_id":"f${index}"`) },
  { name: 'names that are field_id but for the last letter', text: inProperties(() => `"\\u0066ield_i\\u0065":1`) },
  { name: 'empty objects', text: inForeign(() => `{}${PAD}`) },
  { name: 'empty arrays', text: inForeign(() => `[]${PAD}`) },
  { name: 'arrays 28 deep', text: inForeign(() => `${'['.repeat(28)}${PAD.repeat(38)}${']'.repeat(28)}`) },
  { name: 'texts of 64,000 bytes', text: inForeign(() => `"${'x'.repeat(64_000)}"`) },
  { name: 'texts of escapes', text: inForeign(() => `"${'\\n'.repeat(30_000)}"`) },
  { name: 'texts of lone surrogates', text: inForeign((index) => `"${`\\ud8${hex(index).slice(2)}`.repeat(10_000)}"`) },
  { name: 'texts of characters of four bytes', text: inForeign(() => `"${'🌾'.repeat(16_000)}"`) },
  { name: 'numbers of many digits', text: inForeign((index) => `0.${'1234567890'.repeat(30)}${index}`) },
  { name: 'white space', text: (bytes) => collection(feature(''), `"x":[${' \t\n\r'.repeat(bytes / 4)}]`) },
  {
    name: 'the features again and again',
    text: (bytes) => `{"type":"FeatureCollection",${repeated(bytes, () => `"features":[${feature('')}]`)}}`,
  },
  {
    name: 'the geometry again and again',
    text: (bytes) =>
      collection(
        `{"type":"Feature","properties":{"field_id":"a"},${repeated(bytes, () => `"geometry":{"type":"Polygon"}`)}}`,
      ),
  },
  { name: 'more features than are allowed', text: (bytes) => collection(repeated(bytes, () => '{"id":1234567}')) },
  { name: 'a boundary of the shortest positions', text: inRing((index) => `[${index % 9},${(index * 7) % 9}]${PAD}`) },
  { name: 'a boundary of numbers with exponents', text: inRing((index) => `[1${index % 9}e-1,4.${index}e+1]`) },
  {
    name: 'a boundary of numbers of 300 digits',
    text: inRing((index) => `[1${'0'.repeat(300)}e-300,0.${'7'.repeat(290)}${index % 9}]`),
  },
  {
    name: 'a boundary of numbers of 17 digits',
    text: inRing((index) => `[13.${100000000000000 + index},48.${900000000000000 - index}]`),
  },
  {
    name: 'rings without a position',
    text: (bytes) => collection(feature('', `[${repeated(bytes, () => `[]${PAD}`)}]`)),
  },
  {
    name: 'parts of one square',
    text: (bytes) => collection(feature('', `[${repeated(bytes, () => SQUARE)}]`, 'MultiPolygon')),
  },
  {
    name: 'a last position that is none',
    text: (bytes) => collection(feature('', `[[${repeated(bytes, (index) => `[13.${index},48]`)},0]]`)),
  },
  {
    name: 'boundaries that run back and forth',
    text: (bytes) =>
      collection(repeated(bytes, (index) => slantedTeeth(index, Math.min(4_400, Math.ceil(bytes / 30))))),
  },
];
