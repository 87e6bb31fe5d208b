import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Blobs } from '../../shared/storage/blobs.js';

const type = 'text/plain';
const [first, second] = [Buffer.from('first'), Buffer.from('the second')];

/** What every implementation of `Blobs` does. */
export function describeBlobs(where: string, blobs: Blobs): void {
  describe(`blobs ${where}`, () => {
    let folder = '';
    let name = '';
    beforeEach(() => {
      folder = randomUUID();
      name = `${folder}/ä b.txt`;
    });
    const textOf = async (): Promise<string | undefined> => (await blobs.read(name))?.bytes.toString();

    test('are read as they were written, with their metadata', async () => {
      const etag = await blobs.write(name, first, { type, metadata: { standing: 'a1' } });
      expect(await blobs.read(name)).toEqual({ bytes: first, etag, metadata: { standing: 'a1' } });
      expect(await blobs.head(name)).toEqual({ etag, metadata: { standing: 'a1' } });
    });

    test('that nobody wrote are undefined', async () => {
      expect(await blobs.read(name)).toBeUndefined();
      expect(await blobs.head(name)).toBeUndefined();
    });

    test('of no bytes, and of more than one request takes, come back whole', async () => {
      for (const bytes of [Buffer.alloc(0), randomBytes(9 * 1024 * 1024)]) {
        await blobs.write(name, bytes, { type });
        expect((await blobs.read(name))?.bytes.equals(bytes)).toBe(true);
      }
    });

    test('are written over when nothing is said of what is there', async () => {
      await blobs.write(name, first, { type, metadata: { standing: 'a1' } });
      await blobs.write(name, second, { type });
      expect(await blobs.read(name)).toMatchObject({ bytes: second, metadata: {} });
    });

    test('are written onto nothing only where there is nothing', async () => {
      expect(await blobs.write(name, first, { type, onto: null })).toEqual(expect.any(String));
      expect(await blobs.write(name, second, { type, onto: null })).toBeUndefined();
      expect(await textOf()).toBe('first');
    });

    test('are written onto what was read only where it is still there', async () => {
      const before = (await blobs.write(name, first, { type })) ?? '';
      expect(await blobs.write(name, second, { type, onto: before })).toEqual(expect.any(String));
      expect(await blobs.write(name, first, { type, onto: before })).toBeUndefined();
      expect(await textOf()).toBe('the second');
      await blobs.delete(name);
      expect(await blobs.write(name, first, { type, onto: before })).toBeUndefined();
      expect(await textOf()).toBeUndefined();
    });

    test('that are deleted are gone, and deleting them again is no fault', async () => {
      const etag = (await blobs.write(name, first, { type })) ?? '';
      expect(await blobs.delete(name)).toBe(true);
      expect(await blobs.read(name)).toBeUndefined();
      expect(await blobs.delete(name)).toBe(true);
      expect(await blobs.delete(name, { etag })).toBe(true);
    });

    test('are deleted by ETag only as they were read', async () => {
      const before = (await blobs.write(name, first, { type })) ?? '';
      const now = (await blobs.write(name, second, { type })) ?? '';
      expect(await blobs.delete(name, { etag: before })).toBe(false);
      expect(await textOf()).toBe('the second');
      expect(await blobs.delete(name, { etag: now })).toBe(true);
      expect(await textOf()).toBeUndefined();
    });

    test('are deleted by their age only where they were not written since', async () => {
      await blobs.write(name, first, { type });
      // Storage tells instants in whole seconds.
      expect(await blobs.delete(name, { writtenBefore: new Date(Date.now() - 60_000) })).toBe(false);
      expect(await blobs.delete(name, { writtenBefore: new Date(Date.now() + 60_000) })).toBe(true);
      expect(await textOf()).toBeUndefined();
    });

    test('are listed by what their names begin with, with the instant of their writing', async () => {
      for (const each of ['a/1', 'a/2', 'b/1']) await blobs.write(`${folder}/${each}`, first, { type });
      const listed = await blobs.list(`${folder}/a/`);
      expect(listed.map((blob) => blob.name)).toEqual([`${folder}/a/1`, `${folder}/a/2`]);
      for (const { writtenAt } of listed) expect(Math.abs(writtenAt - Date.now())).toBeLessThan(60_000);
      expect(await blobs.list(`${folder}/c`)).toEqual([]);
    });
  });
}
