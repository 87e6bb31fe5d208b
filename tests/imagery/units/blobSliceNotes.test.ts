import { RestError, type ContainerClient } from '@azure/storage-blob';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { FieldDocuments } from '../../../shared/imagery/documents/updateIndex.js';
import { BlobSliceNotesStore } from '../../../shared/imagery/units/blobSliceNotesStore.js';
import { packDocuments, unpackDocuments } from '../../../shared/imagery/units/packedDocuments.js';
import type { NotedField } from '../../../shared/imagery/units/sliceNotes.js';
import { documentsOfYears } from './yearsOfNotes.js';

/** Three years of days, one every two and a half. */
const DAYS = 438;
const MEGABYTE = 1024 * 1024;

/** A container that has its blobs in memory. */
class Blobs {
  readonly bytes = new Map<string, Uint8Array>();

  get client(): ContainerClient {
    const getBlockBlobClient = (name: string) => ({
      download: () => {
        const found = this.bytes.get(name);
        if (found === undefined) return Promise.reject(new RestError('not there', { statusCode: 404 }));
        return Promise.resolve({ readableStreamBody: Readable.from([found]) });
      },
      upload: (bytes: Uint8Array) => {
        this.bytes.set(name, bytes);
        return Promise.resolve({});
      },
    });
    return { getBlockBlobClient } as unknown as ContainerClient;
  }
}

describe('notes of a slice in a blob', () => {
  let documents: FieldDocuments;
  let blobs: Blobs;
  let store: BlobSliceNotesStore;
  beforeAll(async () => {
    documents = await documentsOfYears(DAYS, '2026-06-16');
  });
  beforeEach(() => {
    blobs = new Blobs();
    store = new BlobSliceNotesStore(blobs.client);
  });
  const read = () => store.read('contoso', 'slice');
  const size = (): number => [...blobs.bytes.values()][0]!.length;
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
    expect(size()).toBeLessThan(16 * MEGABYTE);
  });

  test('that are missing, damaged, of another form or too large are none', async () => {
    expect(await read()).toEqual([]);
    await store.write('contoso', 'slice', await noted(1));
    const [[name]] = [...blobs.bytes] as [[string, Uint8Array]];
    const texts = [JSON.stringify({ version: 1, fields: await noted(1) }), '{', `"${' '.repeat(17 * MEGABYTE)}"`];
    for (const bytes of [Buffer.from('no gzip'), ...texts.map((text) => gzipSync(text))]) {
      blobs.bytes.set(name, bytes);
      expect(await read()).toEqual([]);
    }
  });

  test('of a field whose documents cannot be unpacked say nothing of it', async () => {
    expect(await unpackDocuments({ lastDate: '2026-06-16', packed: 'no gzip' })).toBeUndefined();
    const endless = gzipSync(Buffer.alloc(17 * MEGABYTE, ' ')).toString('base64');
    expect(await unpackDocuments({ lastDate: '2026-06-16', packed: endless })).toBeUndefined();
  });
});
