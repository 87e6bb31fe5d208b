import { describe, expect, test } from '@jest/globals';
import { openZip, smallFile } from '../../../shared/farm/files/zip.js';
import { zipped } from '../shapefiles.js';

const DIRECTORY = Buffer.from([0x50, 0x4b, 0x01, 0x02]);

/** The archive with four bytes of an entry of its directory changed. */
function changed(archive: Buffer, at: number, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(archive);
  Buffer.from(bytes).copy(copy, copy.indexOf(DIRECTORY) + at);
  return copy;
}

const plain = zipped({ 'a.txt': 'one', 'b.txt': 'two'.repeat(1_000) });
/** Where an entry of the directory says what. */
const [FLAGS, METHOD, UNPACKED] = [8, 10, 24];

describe('a ZIP archive', () => {
  test('gives its files by name', async () => {
    const { files } = await openZip(plain);
    expect([...files.keys()]).toEqual(['a.txt', 'b.txt']);
    expect((await smallFile(files.get('b.txt')!, 'b.txt', 3_000)).toString()).toBe('two'.repeat(1_000));
  });

  test('gives no file that is larger than asked for', async () => {
    const { files } = await openZip(plain);
    await expect(smallFile(files.get('b.txt')!, 'b.txt', 2_999)).rejects.toThrow('more than 2999 bytes');
  });

  test.each([
    {
      why: 'bytes of something else',
      bytes: Buffer.from('no archive at all, but long enough to be one'),
      text: 'cannot be read',
    },
    { why: 'nothing', bytes: Buffer.alloc(0), text: 'cannot be read' },
    { why: 'one that was cut off', bytes: plain.subarray(0, -30), text: 'cannot be read' },
    { why: 'a name that leads out of its folder', bytes: zipped({ '../a.shp': 'x' }), text: 'cannot be read' },
    { why: 'an absolute name', bytes: zipped({ '/a.shp': 'x' }), text: 'cannot be read' },
    { why: 'a name with the other slash', bytes: zipped({ 'folder\\a.shp': 'x' }), text: 'cannot be read' },
    { why: 'an encrypted file', bytes: changed(plain, FLAGS, [1, 0]), text: 'is encrypted' },
    { why: 'another way of packing', bytes: changed(plain, METHOD, [12, 0]), text: 'other than deflate' },
    { why: '501 MB unpacked', bytes: changed(plain, UNPACKED, [0, 0, 0x50, 0x1f]), text: 'at most 500 MB' },
    {
      why: 'more files than 2,000',
      bytes: zipped(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}`, 'x']))),
      text: 'has 2001 files',
    },
    { why: 'a name twice', bytes: renamed(zipped({ 'a.txt': '1', 'b.txt': '2' }), 'b.txt', 'a.txt'), text: 'twice' },
  ])('is refused: $why', async ({ bytes, text }) => {
    await expect(openZip(bytes)).rejects.toThrow(text);
  });

  test('of 65,536 entries is refused before they are read', async () => {
    const archive = Buffer.from(plain);
    const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
    archive.writeUInt16LE(0xfffe, end + 8);
    archive.writeUInt16LE(0xfffe, end + 10);
    await expect(openZip(archive)).rejects.toThrow('has 65534 files');
  });

  test.each([
    { why: 'more than it says', size: 5 },
    { why: 'less than it says', size: 5_000 },
  ])('whose file unpacks to $why is refused while it is read', async ({ size }) => {
    const bomb = zipped({ 'b.txt': 'two'.repeat(1_000) });
    const { files } = await openZip(changed(bomb, UNPACKED, [size & 0xff, size >> 8, 0, 0]));
    await expect(smallFile(files.get('b.txt')!, 'b.txt', 100_000)).rejects.toThrow('cannot be read');
  });
});

/** The archive with one name, of the same length, in the place of another. */
function renamed(archive: Buffer, from: string, to: string): Buffer {
  return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');
}
