import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FieldDocuments } from '../../../shared/imagery/documents/updateIndex.js';
import { BlobSliceNotesStore } from '../../../shared/imagery/units/blobSliceNotesStore.js';
import { packDocuments, unpackDocuments } from '../../../shared/imagery/units/sliceNotes.js';
import type { NotedField } from '../../../shared/imagery/units/sliceNotes.js';
import { MemoryBlobs } from '../../support/memoryBlobs.js';
import { documentsOfYears } from './yearsOfNotes.js';

/** Three years of days, one every two and a half. */
const DAYS = 438;
const MEGABYTE = 1024 * 1024;

describe('notes of a slice in a blob', () => {
  let documents: FieldDocuments;
  let blobs: MemoryBlobs;
  let store: BlobSliceNotesStore;
  beforeAll(async () => {
    documents = await documentsOfYears(DAYS, '2026-06-16');
  });
  beforeEach(() => {
    blobs = new MemoryBlobs();
    store = new BlobSliceNotesStore(blobs);
  });
  const read = () => store.read('contoso', 'slice');
  const noteName = async (): Promise<string> => (await blobs.list(''))[0]!.name;
  const noted = async (count: number, more: Partial<NotedField> = {}): Promise<readonly NotedField[]> => {
    const packed = await packDocuments(documents);
    return Array.from({ length: count }, (_, index) => ({
      fieldId: `f${index}`,
      geometryHash: 'g',
      documents: packed,
      ...more,
    }));
  };

  test('hold all of a hundred fields with three years of days, in a tenth of what their documents have', async () => {
    const all = await noted(100);
    await store.write('contoso', 'slice', all);
    const found = await read();
    expect(found).toEqual(all);
    expect(await unpackDocuments(found[99]!.documents)).toEqual(documents);
    expect(found[0]!.documents.lastDate).toBe('2026-06-16');
    const text = JSON.stringify(documents).length;
    expect(text).toBeGreaterThan(0.5 * MEGABYTE);
    expect(JSON.stringify(found).length * 10).toBeLessThan(100 * text);
  });

  test('go with their entry, those of all its slices and no other', async () => {
    const keys = ['33UUP|7|contoso|e1|0|0', '33UUP|7|contoso|e1|0|1', '33UUP|7|contoso|e1|1|0'];
    for (const key of keys) await store.write('contoso', key, await noted(1));
    for (let time = 0; time < 2; time += 1) await store.removeAll('contoso', '33UUP|7|contoso|e1|0');
    const left = await Promise.all(keys.map(async (key) => (await store.read('contoso', key)).length));
    expect(left).toEqual([0, 0, 1]);
  });

  test('hold as many fields as they have room for, and are written however many there are', async () => {
    const geometry = { type: 'MultiPolygon', coordinates: [] } as const;
    const large = (await noted(100)).map((field) => {
      const packed = randomBytes(MEGABYTE / 4).toString('base64');
      return { ...field, geometry, documents: { lastDate: '2026-06-16', packed } };
    });
    await store.write('contoso', 'slice', large);
    const found = await read();
    expect(found.length).toBeGreaterThan(40);
    expect(found.length).toBeLessThan(64);
    expect(found).toEqual(large.slice(0, found.length));
    expect((await blobs.read(await noteName()))?.bytes.length).toBeLessThan(16 * MEGABYTE);
  });

  test('that are missing, damaged, of another form or too large are none', async () => {
    expect(await read()).toEqual([]);
    await store.write('contoso', 'slice', await noted(1));
    const name = await noteName();
    const texts = [JSON.stringify({ version: 1, fields: await noted(1) }), '{', `"${' '.repeat(17 * MEGABYTE)}"`];
    for (const bytes of [Buffer.from('no gzip'), ...texts.map((text) => gzipSync(text))]) {
      await blobs.write(name, bytes, { type: 'application/gzip' });
      expect(await read()).toEqual([]);
    }
  });

  test('of a field whose documents cannot be unpacked say nothing of it', async () => {
    expect(await unpackDocuments({ lastDate: '2026-06-16', packed: 'no gzip' })).toBeUndefined();
    const endless = gzipSync(Buffer.alloc(17 * MEGABYTE, ' ')).toString('base64');
    expect(await unpackDocuments({ lastDate: '2026-06-16', packed: endless })).toBeUndefined();
  });
});
