import { describe, expect, test } from '@jest/globals';
import { Zip, ZipDeflate } from 'fflate';
import { smallFile } from '../../../shared/farm/files/archive.js';
import { openZip } from '../../../shared/farm/files/zip.js';
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
    expect(Buffer.from(await smallFile(files.get('b.txt')!, 'b.txt', 3_000)).toString()).toBe('two'.repeat(1_000));
  });

  test('names its files as all writers should have, and leaves out folders and what a Mac adds', async () => {
    const names = ['farm/a.txt', 'farm\\b.txt', '/c.txt', './d.txt', 'C:\\e.txt', '../f.txt', 'Äcker/g.txt'];
    const others = ['farm/', 'farm\\', '__MACOSX/farm/._a.txt', 'farm/._b.txt'];
    const { files } = await openZip(zipped(Object.fromEntries([...names, ...others].map((name) => [name, 'x']))));
    const plain = ['farm/a.txt', 'farm/b.txt', 'c.txt', 'd.txt', 'C:/e.txt', '../f.txt', 'Äcker/g.txt'];
    expect([...files.keys()]).toEqual(plain);
  });

  test('that was written as a stream, with the lengths behind each file, is read', async () => {
    const pieces: Uint8Array[] = [];
    const writer = new Zip((_, piece) => pieces.push(piece));
    const file = new ZipDeflate('a.txt');
    writer.add(file);
    file.push(new TextEncoder().encode('one'), true);
    writer.end();
    const { files } = await openZip(Buffer.concat(pieces));
    expect(Buffer.from(await smallFile(files.get('a.txt')!, 'a.txt', 3)).toString()).toBe('one');
  });

  test('gives names without the mark of UTF-8 by code page 437, as PKZIP wrote them', async () => {
    const { files } = await openZip(renamed(zipped({ 'b.txt': 'x' }), 'b.txt', '\u0099.txt'));
    expect([...files.keys()]).toEqual(['Ö.txt']);
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
    { why: 'an encrypted file', bytes: changed(plain, FLAGS, [1, 0]), text: 'is encrypted' },
    { why: 'another way of packing', bytes: changed(plain, METHOD, [12, 0]), text: 'other than deflate' },
    { why: '501 MB unpacked', bytes: changed(plain, UNPACKED, [0, 0, 0x50, 0x1f]), text: 'at most 500 MB' },
    {
      why: 'more files than 2000',
      bytes: zipped(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}`, '']))),
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
