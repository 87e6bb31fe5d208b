import { describe, expect, test } from '@jest/globals';
import { dbfFile } from '../shapefiles.js';
import { namesIn, readAll, zippedWith } from './readShapefile.js';

const COLUMNS = [{ name: 'ID' }, { name: 'NAME' }];
interface TableOfTest {
  readonly cpg?: string;
  readonly driver?: number;
  readonly length?: number;
}

/** A field of this name, each letter of which is a byte; in a column that may be as short as that. */
const fieldOf = (name: string, { cpg, driver = 0, length = 20 }: TableOfTest) =>
  zippedWith({
    'a.dbf': dbfFile([{ name: 'ID' }, { name: 'NAME', length }], [['one', name]], 'latin1', driver),
    'a.cpg': cpg,
  });
const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** What an import keeps of the first row of a table. */
async function propertiesOf(dbf: Buffer): Promise<Readonly<Record<string, unknown>>> {
  const [field] = await readAll(zippedWith({ 'a.dbf': dbf }));
  const body = field?.fault === undefined ? field?.body : undefined;
  return (body?.['properties'] ?? {}) as Readonly<Record<string, unknown>>;
}

describe('the text of a table', () => {
  // The bytes are those of the code pages' published tables.
  test.each([
    { cpg: 'UTF-8', bytes: utf8('Größe'), text: 'Größe' },
    { cpg: '\uFEFFUTF-8\r\n', bytes: utf8('Größe'), text: 'Größe' },
    { cpg: '65001', bytes: utf8('Größe'), text: 'Größe' },
    { cpg: '1252', bytes: 'Gr\u00f6\u00dfe \u0080', text: 'Größe €' },
    { cpg: 'ISO 88591', bytes: 'Gr\u00f6\u00dfe', text: 'Größe' },
    { cpg: 'ISO-8859-1', bytes: 'Gr\u00f6\u00dfe', text: 'Größe' },
    { cpg: '8859_1', bytes: 'Gr\u00f6\u00dfe', text: 'Größe' },
    { cpg: '88592\n', bytes: '\u00b1', text: 'ą' },
    { cpg: 'ISO-8859-15', bytes: '\u00a4', text: '€' },
    { cpg: 'ANSI 1251', bytes: '\u00cf\u00ee\u00eb\u00e5', text: 'Поле' },
    { cpg: 'CP1250', bytes: '\u00b9', text: 'ą' },
    { cpg: 'windows-1250', bytes: '\u00b9', text: 'ą' },
    { cpg: 'LDID/201', bytes: '\u00cf\u00ee\u00eb\u00e5', text: 'Поле' },
    { cpg: 'OEM 850', bytes: 'Gr\u0094\u00e1e', text: 'Größe' },
    { cpg: '437', bytes: 'Gr\u0094\u00e1e', text: 'Größe' },
    { cpg: '866', bytes: '\u008f\u00ae\u00ab\u00a5', text: 'Поле' },
    { cpg: '932', bytes: '\u0094\u00a8', text: '畑' },
    { cpg: 'GBK', bytes: '\u00cc\u00ef', text: '田' },
    { cpg: '', bytes: utf8('Größe'), text: 'Größe' },
  ])('is read by the .cpg file, here $cpg', async ({ cpg, bytes, text }) => {
    expect(await namesIn(fieldOf(bytes, { cpg }))).toEqual([text]);
  });

  test.each([
    { driver: 0x02, bytes: 'Gr\u0094\u00e1e', text: 'Größe' },
    { driver: 0x03, bytes: 'Gr\u00f6\u00dfe', text: 'Größe' },
    { driver: 0x64, bytes: '\u00a5', text: 'ą' },
    { driver: 0xc8, bytes: '\u00b9', text: 'ą' },
    { driver: 0xc9, bytes: '\u00cf\u00ee\u00eb\u00e5', text: 'Поле' },
    { driver: 0x4f, bytes: '\u00a5\u00d0', text: '田' },
  ])('without .cpg is read by its language driver, here $driver', async ({ driver, bytes, text }) => {
    expect(await namesIn(fieldOf(bytes, { driver }))).toEqual([text]);
  });

  test('is read by the .cpg where the driver says otherwise, or by the .cst of GeoServer', async () => {
    expect(await namesIn(fieldOf(utf8('Größe'), { cpg: 'UTF-8', driver: 0xc9 }))).toEqual(['Größe']);
    const table = dbfFile(COLUMNS, [['one', '\u00b9']], 'latin1');
    expect(await namesIn(zippedWith({ 'a.dbf': table, 'a.cst': 'windows-1250' }))).toEqual(['ą']);
  });

  // 0x57 is whatever code page the writer's Windows had.
  test.each([0, 0x57])('of an unknown code page is UTF-8, or else Windows-1252 (driver %p)', async (driver) => {
    expect(await namesIn(fieldOf(utf8('Größe'), { driver }))).toEqual(['Größe']);
    expect(await namesIn(fieldOf('Gr\u00f6\u00dfe \u0080', { driver }))).toEqual(['Größe €']);
  });

  test('that is no UTF-8, though the .cpg says so, is Windows-1252', async () => {
    expect(await namesIn(fieldOf('Gr\u00f6\u00dfe', { cpg: 'UTF-8' }))).toEqual(['Größe']);
  });

  test('loses a letter that the end of its column has cut in two', async () => {
    const cut = utf8('Größe').slice(0, 3);
    expect(await namesIn(fieldOf(cut, { cpg: 'UTF-8', length: 3 }))).toEqual(['Gr']);
    // Without a word on the code page another letter of two bytes tells that it is UTF-8.
    expect(await namesIn(fieldOf(utf8('Größe').slice(0, 5), { length: 5 }))).toEqual(['Grö']);
    expect(await namesIn(fieldOf('Gr\u00f6', { length: 3 }))).toEqual(['Grö']);
  });

  test('ends at the first zero', async () => {
    expect(await namesIn(fieldOf('North\0of before', {}))).toEqual(['North']);
  });

  test.each([
    { why: 'no text of its code page', name: '\u00d2', cpg: '1253', text: 'windows-1253' },
    { why: 'a mark of lost letters', name: utf8('Gr\ufffd'), cpg: 'UTF-8', text: 'utf-8' },
  ])('that is $why is a fault of its record', async ({ name, cpg, text }) => {
    const [said] = await namesIn(fieldOf(name, { cpg }));
    expect(said).toMatch(`The value in column NAME is no text of the code page ${text}`);
    expect(said).toMatch('ENCODING=UTF-8');
  });

  test('makes different ids of different bytes', async () => {
    const ids = ['\u00cf\u00ee\u00eb\u00e5 1', '\u00cf\u00ee\u00eb\u00e5 2', '\u00c2\u00ee\u00eb\u00e5 1'].map(
      async (id) => {
        const [field] = await readAll(zippedWith({ 'a.dbf': dbfFile([{ name: 'ID' }], [[id]], 'latin1', 0xc9) }));
        return field?.fault === undefined ? field?.id : undefined;
      },
    );
    expect(new Set(await Promise.all(ids)).size).toBe(3);
  });

  test('names columns too', async () => {
    const table = (name: string, encoding: BufferEncoding) => dbfFile([{ name }], [['Nord']], encoding);
    for (const dbf of [table('Schläge', 'utf8'), table('Schläge', 'latin1'), table('12345678öä', 'utf8')]) {
      expect(Object.keys(await propertiesOf(dbf))).toEqual([expect.stringMatching(/^(Schläge|12345678ö)$/)]);
    }
  });

  test.each(['klingon', 'UTF-16', '1361'])('of the code page %p is refused, with what to do', async (cpg) => {
    await expect(readAll(fieldOf('x', { cpg }))).rejects.toThrow(/code page .* not known.*ENCODING=UTF-8/);
  });
});

describe('a value of a table', () => {
  test.each([
    { type: 'L', text: 'T', value: 'true' },
    { type: 'L', text: 'n', value: 'false' },
    { type: 'L', text: '?', value: undefined },
    { type: 'D', text: '20260501', value: '2026-05-01' },
    { type: 'D', text: '00', value: undefined },
    { type: 'M', text: '12', value: undefined },
  ])('of type $type that is $text is kept as $value', async ({ type, text, value }) => {
    expect((await propertiesOf(dbfFile([{ name: 'V', type, length: 8 }], [[text]])))['V']).toBe(value);
  });
});

describe('a number of a table', () => {
  const propertyOf = async (text: string): Promise<unknown> => {
    const properties = await propertiesOf(dbfFile([{ name: 'NO', type: 'N', length: 24 }], [[text]]));
    return properties['NO'];
  };

  test.each([
    { text: '12.50', value: 12.5 },
    { text: '-7', value: -7 },
    { text: '9007199254740991', value: 9007199254740991 },
    { text: '9007199254740993', value: '9007199254740993' },
    { text: '-1234567890123456789', value: '-1234567890123456789' },
    { text: '00009007199254740993', value: '9007199254740993' },
    { text: '9007199254740993.00000', value: '9007199254740993' },
    { text: '9007199254740993.25', value: '9007199254740993.25' },
    // What writers of numbers with 15 decimals make of a double is no more exact than the double.
    { text: '12.345678901234567123', value: 12.345678901234567 },
    { text: '1.23450000000e+020', value: 1.2345e20 },
    { text: '*******', value: undefined },
  ])('$text is $value: all digits, as text where a number would lose some', async ({ text, value }) => {
    expect(await propertyOf(text)).toBe(value);
  });

  test('tells ids apart that a number would not', async () => {
    const ids = [['9007199254740992'], ['9007199254740993']].map(async (row) => {
      const dbf = dbfFile([{ name: 'ID', type: 'N', length: 19 }], [row]);
      return await readAll(zippedWith({ 'a.dbf': dbf }));
    });
    const [[one], [two]] = (await Promise.all(ids)) as [[unknown], [unknown]];
    expect(one).toMatchObject({ body: { properties: { sourceId: '9007199254740992' } } });
    expect(two).toMatchObject({ body: { properties: { sourceId: '9007199254740993' } } });
  });
});
