import { describe, expect, test } from '@jest/globals';
import { kmlInArchive } from '../../../shared/farm/files/kmlInArchive.js';
import { partsOfPlacemark } from '../../../shared/farm/files/kmlPlacemark.js';
import { kmlPlacemarks } from '../../../shared/farm/files/kmlPlacemarks.js';
import { kmlText, placemark, polygonElement, ringElement } from '../kml.js';

const CORNERS = '9,55,12.5 9.1,55,12.5 9.1,55.1,12.5 9,55,12.5';
const RING = [
  [9, 55],
  [9.1, 55],
  [9.1, 55.1],
  [9, 55],
];
const HOLE = '9.04,55.02 9.06,55.02 9.06,55.04 9.04,55.02';
const HOLE_RING = HOLE.split(' ').map((corner) => corner.split(',').map(Number));

async function read(content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const all = [];
  for await (const each of kmlPlacemarks({ name: 'The file', bytes })) {
    const { index, properties } = each;
    all.push({ index, properties, ...partsOfPlacemark(each) });
  }
  return all;
}
const readOne = async (content: string | Uint8Array) => (await read(content))[0]!;
const ofCorners = (text: string) => readOne(kmlText(placemark(polygonElement(text))));

describe('a placemark of KML', () => {
  test.each([
    {
      why: 'elements with a prefix',
      text: kmlText(placemark(polygonElement(CORNERS))).replaceAll(/<(\/?)/g, '<$1kml:'),
    },
    {
      why: 'prefixes that nobody declares',
      text: kmlText(placemark(`<gx:drawOrder>1</gx:drawOrder>${polygonElement(CORNERS)}`)).replace(
        '<Document>',
        '<Document xsi:schemaLocation="http://www.opengis.net/kml/2.2 x.xsd">',
      ),
    },
    { why: 'no namespace', text: kmlText(placemark(polygonElement(CORNERS))).replace(/ xmlns="[^"]*"/, '') },
    {
      why: 'the namespace of Google',
      text: kmlText(placemark(polygonElement(CORNERS))).replace(
        /xmlns="[^"]*"/,
        'xmlns="http://earth.google.com/kml/2.1"',
      ),
    },
    { why: 'itself at the root', text: placemark(polygonElement(CORNERS)) },
    { why: 'zeros behind its end', text: `${kmlText(placemark(polygonElement(CORNERS)))}\0\0` },
    {
      why: 'HTML that is never closed in its description',
      text: kmlText(placemark(`<description><![CDATA[${'<p>'.repeat(300)}]]></description>${polygonElement(CORNERS)}`)),
    },
    { why: 'a comment of 100 KB', text: kmlText(`<!--${'x'.repeat(100_000)}-->${placemark(polygonElement(CORNERS))}`) },
    {
      why: 'its polygon in collections, beside a place and a track',
      text: kmlText(
        placemark(
          `<MultiGeometry><Point><coordinates>1,2</coordinates></Point><MultiGeometry>${polygonElement(CORNERS)}</MultiGeometry></MultiGeometry><gx:Track><gx:coord>1 2 3</gx:coord></gx:Track>`,
        ),
      ),
    },
    {
      why: 'elements named as what objects have',
      text: kmlText(
        placemark(`<Polygon><constructor/><toString/>${polygonElement(CORNERS).slice('<Polygon>'.length)}`),
      ),
    },
    {
      why: 'names of others in it',
      text: kmlText(
        placemark(
          `<atom:author><atom:name>Ann</atom:name></atom:author><Style><name>s</name></Style>${polygonElement(CORNERS)}`,
        ),
      ),
    },
  ])('is read from a file with $why', async ({ text }) => {
    expect(await read(text)).toEqual([{ index: 0, properties: { name: 'North' }, parts: [[RING]], fault: undefined }]);
  });

  test('has its outer ring first, wherever the file has it, and all its holes', async () => {
    const inner = `<innerBoundaryIs>${ringElement(HOLE)}${ringElement(HOLE)}</innerBoundaryIs>`;
    const outer = `<outerBoundaryIs>${ringElement(CORNERS)}</outerBoundaryIs>`;
    const none = `<innerBoundaryIs>${ringElement('')}</innerBoundaryIs>`;
    const { parts } = await readOne(kmlText(placemark(`<Polygon>${inner}${outer}${none}</Polygon>`)));
    expect(parts).toEqual([[RING, HOLE_RING, HOLE_RING]]);
  });

  test.each([
    { why: 'commas alone, of triples', text: CORNERS.replaceAll(' ', ',') },
    { why: 'commas alone, of pairs', text: '9,55,9.1,55,9.1,55.1,9,55' },
    {
      why: 'commas alone, of six pairs that end where they begin',
      text: '9,55,9.1,55,9.1,55.1,9.1,55.1,9.1,55.1,9,55',
    },
    { why: 'commas alone, of triples that are no pairs', text: '9,55,900,9.1,55,900,9.1,55.1,900,9,55,900' },
    { why: 'a space behind each comma', text: '9, 55, 0 9.1, 55, 0 9.1, 55.1, 0 9, 55, 0' },
    { why: 'a comma behind each corner', text: '9,55,0, 9.1,55,0, 9.1,55.1,0, 9,55,0,' },
    { why: 'lines and tabs', text: '\n\t9,55,0\r\n\t9.1,55,0\r\n9.1,55.1\t\n9,55,0\n' },
    { why: 'exponents and signs', text: '+9,5.5e1 9.1,55. 91e-1,+55.1 9.0,55' },
    { why: 'no end where it begins', text: '9,55 9.1,55 9.1,55.1' },
  ])('has the corners of a text with $why', async ({ text }) => {
    const { parts, fault } = await ofCorners(text);
    const [[ring] = []] = parts;
    // Equal neighbours are no fault of a field.
    const corners = ring?.filter((corner, index) => String(corner) !== String(ring[index - 1]));
    expect({ corners, fault }).toEqual({ corners: RING, fault: undefined });
  });

  test.each([
    { text: '9;55 9.1;55', said: 'has "9;55" in place of a number' },
    { text: '9,0x37 9,5', said: 'has "0x37" in place of a number' },
    { text: '9 55 9.1 55', said: 'a number by itself' },
    { text: '9,55,0,9.1,55,0,9.1,55.1,0,8,54,0', said: '12 numbers parted by commas alone' },
    { text: ' \n ', said: 'a polygon without corners in its outer boundary' },
  ])('with the corners "$text" says why they can’t be read', async ({ text, said }) => {
    const { parts, fault } = await ofCorners(text);
    expect([parts, fault]).toEqual([[], expect.stringContaining(`The placemark North has `)]);
    expect(fault).toContain(said);
  });

  test('with two outer boundaries in one polygon says so, and the next one is read', async () => {
    const outer = `<outerBoundaryIs>${ringElement(CORNERS)}</outerBoundaryIs>`;
    const all = await read(
      kmlText(placemark(`<Polygon>${outer}${outer}</Polygon>`) + placemark(polygonElement(CORNERS))),
    );
    expect(all.map(({ index, fault }) => [index, fault])).toEqual([
      [0, 'The placemark North has a polygon with 2 outer boundaries; draw each as a polygon.'],
      [1, undefined],
    ]);
  });

  test('without a polygon is counted, and has no fault', async () => {
    const path = '<LineString><coordinates>1,2 3,4</coordinates></LineString>';
    const ring = `<LinearRing><coordinates>${CORNERS}</coordinates></LinearRing>`;
    expect(await read(kmlText(placemark(path) + placemark(ring)))).toMatchObject([
      { index: 0, parts: [], fault: undefined },
      { index: 1, parts: [], fault: undefined },
    ]);
  });
});

describe('the values of a placemark of KML', () => {
  const propertiesOf = async (content: string): Promise<object> => (await readOne(kmlText(content))).properties;

  test('are name and ExtendedData, by the types of its schema; no description and no style', async () => {
    const fields = ['no:int', 'area:double', 'id:uint', 'organic:bool', 'code:string']
      .map((each) => each.split(':'))
      .map(([name = '', type = '']) => `<SimpleField type="${type}" name="${name}"/>`);
    const values = { no: '7', area: '1.5', id: '9007199254740993', organic: 'false', code: '007' };
    const data = Object.entries(values).map(([name, value]) => `<SimpleData name="${name}">${value}</SimpleData>`);
    const extended = `<ExtendedData><Data name="crop"><displayName>Crop</displayName><value> corn </value></Data><Data name="no2"><value>7</value></Data><Data name="empty"><value/></Data><Data name="visibility"><value>1</value></Data><SchemaData schemaUrl="#farm">${data.join('')}</SchemaData></ExtendedData>`;
    const rest = `<visibility>1</visibility><styleUrl>#s</styleUrl><description>${'long'.repeat(500)}</description>`;
    expect(
      await propertiesOf(`<Schema id="farm" name="farm">${fields.join('')}</Schema>${placemark(extended + rest)}`),
    ).toEqual({
      name: 'North',
      crop: 'corn',
      no2: '7',
      no: 7,
      area: 1.5,
      // As a number it would be another.
      id: '9007199254740993',
      organic: false,
      code: '007',
    });
  });

  test.each([
    { written: '<![CDATA[R&D <b>]]>', name: 'R&D <b>' },
    { written: 'R&amp;D &lt; &#233;&#xe9;', name: 'R&D < éé' },
    { written: 'North&nbsp;field &auml;', name: 'North\u00a0field ä' },
    { written: 'R&D', name: 'R&D' },
    { written: 'Smith & sons &', name: 'Smith & sons &' },
    { written: 'Yield < 5', name: 'Yield < 5' },
    { written: '&unknown;', name: '&unknown;' },
    { written: '\n  North\n', name: 'North' },
  ])('have their characters: $written', async ({ written, name }) => {
    expect(await propertiesOf(placemark('', written))).toEqual({ name });
  });

  test('may have a loose ampersand in an attribute, and between any two pieces of the file', async () => {
    const data = '<ExtendedData><Data name="R&D"><value>A&B</value></Data></ExtendedData>';
    for (let length = 65_380; length < 65_480; length += 1) {
      const filler = `<!--${'x'.repeat(length)}-->`;
      expect(await propertiesOf(placemark(filler + data))).toEqual({ name: 'North', 'R&D': 'A&B' });
    }
  });
});

describe('the text of a KML file', () => {
  const SOUTH = kmlText(placemark(polygonElement(CORNERS), 'Søndermark'));
  const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>${SOUTH}`;
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

  test.each([
    { why: 'ISO-8859-1, which it names', bytes: Buffer.from(declared('ISO-8859-1'), 'latin1') },
    { why: 'UTF-8 with a mark', bytes: Buffer.from(`\uFEFF${declared('UTF-8')}`) },
    { why: 'UTF-16 with a mark', bytes: utf16(`\uFEFF${declared('UTF-16')}`) },
    { why: 'UTF-16 with a mark, the other way round', bytes: utf16(`\uFEFF${declared('UTF-16')}`).swap16() },
    { why: 'UTF-16 without a mark', bytes: utf16(declared('UTF-16')) },
    { why: 'UTF-8, though it names UTF-16', bytes: Buffer.from(declared('utf-16')) },
  ])('is read in $why', async ({ bytes }) => {
    expect(await read(bytes)).toMatchObject([{ properties: { name: 'Søndermark' }, parts: [[RING]] }]);
  });

  test.each([
    {
      why: 'no UTF-8 and names none',
      bytes: Buffer.from(SOUTH, 'latin1'),
      said: 'is not written in UTF-8. Save it as',
    },
    { why: 'of an unknown encoding', bytes: Buffer.from(declared('klingon')), said: 'the encoding klingon' },
    { why: 'cut off', bytes: Buffer.from(SOUTH).subarray(0, 150), said: 'it is cut off within <' },
    { why: 'cut off within a tag', bytes: Buffer.from(SOUTH).subarray(0, 100), said: 'it is cut off' },
    { why: 'empty of elements', bytes: Buffer.from('  '), said: 'it has no elements' },
    { why: 'no XML', bytes: Buffer.from('{"a":1}'), said: 'in line 1. Save it anew' },
    { why: 'GPX', bytes: Buffer.from('<gpx><trk/></gpx>'), said: 'its first element is <gpx>' },
    { why: 'without placemarks', bytes: Buffer.from(kmlText('')), said: 'has no placemark. Draw' },
    {
      why: 'crossed in its tags',
      bytes: Buffer.from(kmlText('\n<Folder><name></Folder></name>')),
      said: 'Unexpected close tag in line 2',
    },
    {
      why: 'a bomb of entities',
      bytes: Buffer.from(`<!DOCTYPE kml [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${kmlText(placemark('', '&b;'))}`),
      said: 'it declares entities of its own',
    },
    {
      why: 'a placemark in a placemark',
      bytes: Buffer.from(kmlText(placemark(placemark('')))),
      said: 'a placemark in a placemark in line 1',
    },
    {
      why: 'odd in its attributes',
      bytes: Buffer.from(kmlText('<a hasOwnProperty="1" b="2"/>')),
      said: 'it cannot be read in line 1',
    },
    { why: 'a link to another file', bytes: Buffer.from(kmlText('<NetworkLink/>')), said: 'Open the link' },
    {
      why: 'without end in its elements',
      bytes: Buffer.from(kmlText('<a/>'.repeat(1_000_001))),
      said: '1,000,000 elements',
    },
    {
      why: 'without end in its corners',
      bytes: Buffer.from(kmlText(placemark(polygonElement('1,1 '.repeat(3_000_001))))),
      said: 'more than 1,000,000 corners',
    },
    {
      why: 'of folders in folders without end',
      bytes: Buffer.from(kmlText('<Folder>'.repeat(300) + '</Folder>'.repeat(300))),
      said: 'more than 200 levels deep',
    },
    { why: 'larger than 50 MB', bytes: new Uint8Array(51 * 1024 * 1024), said: 'has 51 MB of KML; at most 50 MB' },
  ])('that is $why is refused', async ({ bytes, said }) => {
    await expect(read(bytes)).rejects.toThrow(said);
  });

  test('gives others their turn between its pieces', async () => {
    let turns = 0;
    const bytes = Buffer.from(kmlText(`<!--${'x'.repeat(1024 * 1024)}-->${placemark('')}`));
    const turn = (): Promise<void> => {
      turns += 1;
      return Promise.resolve();
    };
    for await (const { index } of kmlPlacemarks({ name: 'The file', bytes }, turn)) expect(index).toBe(0);
    expect(turns).toBeGreaterThanOrEqual(16);
  });
});

describe('the KML of an archive', () => {
  test.each([
    { names: ['other.kml', 'doc.kml'], found: 'doc.kml' },
    { names: ['farm/doc.kml', 'farm/linked/doc.kml', 'a.kml'], found: 'farm/doc.kml' },
    { names: ['farm/fields.KML', 'files/house.png'], found: 'farm/fields.KML' },
    { names: ['readme.txt'], found: undefined },
  ])('of $names is $found', ({ names, found }) => {
    expect(kmlInArchive(names)).toBe(found);
  });

  test('with several, of which none is the main one, is refused by their names', () => {
    expect(() => kmlInArchive(['a.kml', 'b.kml', 'c.kml'])).toThrow(
      '3 KML files (a.kml, b.kml, …) and none is doc.kml',
    );
  });
});

describe('a file that somebody made to take long', () => {
  const polygonOf = (coordinates: string): string => kmlText(placemark(polygonElement(coordinates)));

  test.each([
    { why: 'spaces', coordinates: `9,55${' '.repeat(1_000_000)}9` },
    { why: 'commas', coordinates: `9,55${','.repeat(1_000_000)}x` },
    { why: 'digits', coordinates: `${'9'.repeat(1_000_000)}x,55` },
  ])('of $why is a fault of its placemark', async ({ coordinates }) => {
    const [found] = await read(polygonOf(coordinates));
    expect(found?.fault).toMatch(/in place of a number|by itself among its corners|more than 400000 numbers/);
  });

  test.each([
    {
      why: '2 MB of properties',
      content: Array.from({ length: 5_000 }, (_, at) => `<Data name="p${at}"><value>${'x'.repeat(450)}</value></Data>`),
      said: 'has more than 2 MB of properties',
    },
    {
      why: '8 MB of coordinates in many rings',
      content: Array.from({ length: 90 }, () => polygonElement(`9,55 ${' '.repeat(100_000)}9.1,55 9,55.1`)),
      said: 'has more than 8 MB of coordinates',
    },
    {
      why: '25,001 polygons of one ring each',
      content: Array<string>(25_001).fill(polygonElement('9,55 9.1,55 9,55.1')),
      said: 'has more than 50,000 polygons and rings',
    },
  ])('of $why is a fault of its placemark, and the next one is read', async ({ content, said }) => {
    const all = await read(kmlText(`${placemark(content.join(''))}${placemark(polygonElement(CORNERS), 'South')}`));
    expect(all).toMatchObject([
      { fault: expect.stringContaining(`The placemark North ${said}`), parts: [] },
      { properties: { name: 'South' }, parts: [[RING]], fault: undefined },
    ]);
  });

  test('of attributes is refused', async () => {
    const attributes = Array.from({ length: 1_001 }, (_, at) => `a${at}="1"`).join(' ');
    await expect(read(kmlText(`<Folder ${attributes}/>`))).rejects.toThrow('more than 1000 attributes');
  });

  test('of a ring with more corners than a field may have is a fault of its placemark', async () => {
    const corner = (at: number): string => `${9 + at / 1e6},55`;
    const [found] = await read(polygonOf(Array.from({ length: 100_001 }, (_, at) => corner(at)).join(' ')));
    expect(found?.fault).toContain('has 100001 corners; at most 100000 are taken');
  });

  test('of a thousand faults that would harm nothing is refused', async () => {
    await expect(read(kmlText(placemark('&x;'.repeat(1_001))))).rejects.toThrow('is no sound KML');
  });
});
