import { describe, expect, test } from '@jest/globals';
import type { ArchivedFile } from '../../../shared/farm/files/archive.js';
import { openShapefile } from '../../../shared/farm/shapefile/shapefile.js';
import { dbfFile, recordsOf, shapeBytes, shpFile, shxFile, square, type RecordOfTest } from '../shapefiles.js';
import { namesIn, readAll, zippedWith } from './readShapefile.js';

const NAMES = [{ name: 'NAME' }];
const squares = (count: number) => Array.from({ length: count }, (_, index) => [square([9 + index / 50, 55])]);
const named = (...names: readonly string[]) =>
  dbfFile(
    NAMES,
    names.map((name) => [name]),
  );

/** A shapefile of squares whose .shx has these of their records. */
const indexed = (
  names: readonly string[],
  pick: (records: readonly RecordOfTest[], bytes: number) => readonly (RecordOfTest | undefined)[],
  shp = shpFile(squares(4)),
): Buffer =>
  zippedWith({ 'a.shp': shp, 'a.dbf': named(...names), 'a.shx': shxFile(pick(recordsOf(shp), shp.byteLength)) });

/** The western edge of each field. */
async function westsOf(bytes: Buffer): Promise<readonly number[]> {
  return (await readAll(bytes)).map((each) => (each.fault === undefined ? (each.extent?.box[0] ?? NaN) : NaN));
}

describe('the records of a shapefile', () => {
  test('are those that its .shx names: one that was left behind is none', async () => {
    const file = indexed(['One', 'Two', 'Three'], (records) => [records[0], records[2], records[3]]);
    expect(await namesIn(file)).toEqual(['One', 'Two', 'Three']);
    expect(await westsOf(file)).toEqual([9, 9.04, 9.06]);
  });

  test('stand in the order of the .shx, wherever they were moved', async () => {
    const file = indexed(['One', 'Two', 'Three'], (records) => [records[3], records[1], records[2]]);
    expect(await namesIn(file)).toEqual(['One', 'Two', 'Three']);
    expect(await westsOf(file)).toEqual([9.06, 9.02, 9.04]);
  });

  test('are not taken out of order where the file is too large to be held', async () => {
    const shp = shpFile(squares(2));
    const archived = (content: Buffer, bytes = content.byteLength): ArchivedFile => ({
      bytes,
      // eslint-disable-next-line @typescript-eslint/require-await -- a stream of one piece
      read: async function* () {
        yield content;
      },
    });
    const shapes = archived(shp, 65 * 1024 * 1024);
    const table = archived(named('One', 'Two'));
    const inOrder = archived(shxFile(recordsOf(shp)));
    const outOfOrder = archived(shxFile(recordsOf(shp).toReversed()));
    await expect(openShapefile({ shapes, table, index: inOrder, codePage: undefined }, 10)).resolves.toMatchObject({
      count: 2,
    });
    await expect(openShapefile({ shapes, table, index: outOfOrder, codePage: undefined }, 10)).rejects.toThrow(
      'out of order, which is taken up to 64 MB. Write it anew: ogr2ogr new.shp old.shp',
    );
    await expect(openShapefile({ shapes, table, index: inOrder, codePage: undefined }, 1)).rejects.toThrow(
      'has 2 records; at most 1 are taken. Split it.',
    );
  });

  test('may share their bytes', async () => {
    const file = indexed(['One', 'Two', 'Three'], (records) => [records[1], records[1], records[2]]);
    expect(await westsOf(file)).toEqual([9.02, 9.02, 9.04]);
  });

  test('are as long as the .shx says, also without a shape', async () => {
    const shp = shpFile([squares(1)[0] ?? null, null, squares(3)[2] ?? null]);
    const records = recordsOf(shp);
    shp.writeInt32BE(12, (records[1]?.[0] ?? 0) + 4);
    const file = indexed(['One', 'Two', 'Three'], () => records, shp);
    expect(await namesIn(file)).toEqual(['One', 'The record has no shape; draw one, or delete the record.', 'Three']);
  });

  test('may be padded, and counted without their measures', async () => {
    const content = shapeBytes(squares(1)[0] ?? null, 15);
    const withoutMeasures = content.byteLength - 8 * (2 + 5);
    const shp = Buffer.concat([shpFile([], 15), Buffer.alloc(2 * (8 + content.byteLength))]);
    const offsets = [100, 100 + 8 + content.byteLength];
    for (const offset of offsets) {
      shp.writeInt32BE(withoutMeasures / 2, offset + 4);
      content.copy(shp, offset + 8);
    }
    const file = indexed(['One', 'Two'], () => offsets.map((offset) => [offset, withoutMeasures]), shp);
    expect(await namesIn(file)).toEqual(['One', 'Two']);
  });

  test('have no row where the table ends, and rows behind the .shx are nothing', async () => {
    expect(await namesIn(indexed(['One'], (records) => records.slice(0, 2)))).toEqual(['One', undefined]);
    expect(await namesIn(indexed(['One', 'Two', 'Three'], (records) => records.slice(0, 2)))).toEqual(['One', 'Two']);
  });

  test.each([
    { why: 'begins behind the end', at: (_: RecordOfTest, bytes: number): RecordOfTest => [bytes, 100] },
    { why: 'begins within the head', at: (): RecordOfTest => [0, 100] },
    { why: 'begins before the file', at: (): RecordOfTest => [-200, 100] },
    { why: 'has no length', at: ([offset]: RecordOfTest): RecordOfTest => [offset, 0] },
  ])('are read but one that $why, which is a fault of its own', async ({ at }) => {
    const file = indexed(['One', 'Two', 'Three'], ([one, two, three], bytes) => [one, at(two ?? [0, 0], bytes), three]);
    expect(await namesIn(file)).toEqual(['One', expect.stringMatching(/^The \.shx file says .*anew/), 'Three']);
  });

  test('that are longer than any field are faults of their own', async () => {
    const shp = Buffer.concat([shpFile([[]]), Buffer.alloc(9 * 1024 * 1024)]);
    shp.writeInt32BE((shp.byteLength - 108) / 2, 104);
    expect(await namesIn(zippedWith({ 'a.shp': shp }))).toEqual([expect.stringMatching(/9 MB; at most 8 MB|10 MB/)]);
  });

  test('that are longer by the .shx than the file are read as far as it goes', async () => {
    const file = indexed(['One', 'Two', 'Three', 'Four'], (records) =>
      records.map(([offset, length], index) => [offset, index === 3 ? length + 100 : length]),
    );
    expect(await namesIn(file)).toEqual(['One', 'Two', 'Three', 'Four']);
  });

  const shx = shxFile(recordsOf(shpFile(squares(1))));
  const withLength = (words: number): Buffer => {
    const copy = Buffer.from(shx);
    copy.writeInt32BE(words, 24);
    return copy;
  };
  test.each([
    { why: 'a .shx that ends early', index: shx.subarray(0, -4), text: 'it ends before its 1 records' },
    { why: 'a .shx that ends within its head', index: shx.subarray(0, 50), text: 'it is none' },
    { why: 'a .shx of something else', index: Buffer.alloc(200), text: 'it is none' },
    { why: 'a .shx that says that it has no head', index: withLength(0), text: 'its head says no length' },
    { why: 'a .shx that names nothing', index: withLength(50), text: 'it names no record, while the table has 1' },
  ])('are refused with $why, and what to do is said', async ({ index, text }) => {
    const file = zippedWith({ 'a.shx': index });
    await expect(readAll(file)).rejects.toThrow(text);
    await expect(readAll(file)).rejects.toThrow('write the shapefile anew');
  });

  test('behind those that the head of the .shx counts are none', async () => {
    await expect(readAll(zippedWith({ 'a.shx': Buffer.concat([shx, Buffer.alloc(20)]) }))).resolves.toHaveLength(1);
  });
});

describe('a shapefile without .shx', () => {
  const numbered = (...numbers: readonly number[]): Buffer => {
    const shp = shpFile(squares(numbers.length));
    recordsOf(shp).forEach(([offset], index) => shp.writeInt32BE(numbers[index] ?? 0, offset));
    return shp;
  };

  test('is read as its records follow each other', async () => {
    const file = zippedWith({ 'a.shp': numbered(1, 2), 'a.dbf': named('One', 'Two', 'Three') });
    expect(await namesIn(file)).toEqual(['One', 'Two']);
  });

  test.each([
    { why: 'its numbers do not run on', shp: numbered(1, 2, 2), text: 'record 2 stands where record 3 should' },
    { why: 'it has more shapes than rows', shp: numbered(1, 2, 3, 4), text: 'more shapes than its table has rows (3)' },
  ])('is refused before anything is read where $why', async ({ shp, text }) => {
    const file = zippedWith({ 'a.shp': shp, 'a.dbf': named('One', 'Two', 'Three') });
    await expect(readAll(file)).rejects.toThrow(text);
    await expect(readAll(file)).rejects.toThrow('Pack its .shx with it');
  });

  test.each([
    { why: 'longer than the file', size: 1_000 },
    { why: 'longer than any file', size: 0x7ffffff0 },
    { why: 'of nothing', size: 0 },
    { why: 'below nothing', size: -4 },
  ])('is refused with a record $why', async ({ size }) => {
    const shp = numbered(1, 2);
    shp.writeInt32BE(size, (recordsOf(shp)[1]?.[0] ?? 0) + 4);
    await expect(readAll(zippedWith({ 'a.shp': shp, 'a.dbf': named('One', 'Two') }))).rejects.toThrow(
      'is damaged at record 2',
    );
  });
});
