import { describe, expect, test } from '@jest/globals';
import { blobSource } from '../../console/cog/blobSource.js';

const file = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);

interface Storage {
  readonly etag?: string;
  readonly knowsRanges?: boolean;
  readonly bytes?: Uint8Array;
  /** Bytes that get lost at the end of each answer. */
  readonly lost?: number;
}

function answered(range: string, { etag = '"1"', knowsRanges = true, bytes = file, lost = 0 }: Storage): Response {
  const body = (piece: Uint8Array): ArrayBuffer => Uint8Array.from(piece).buffer;
  if (!knowsRanges) return new Response(body(bytes), { status: 200, headers: { etag } });
  const [first = 0, last = 0] = range.replace('bytes=', '').split('-').map(Number);
  if (first >= bytes.length) return new Response('', { status: 416 });
  const piece = bytes.subarray(first, last + 1);
  const headers = { etag, 'content-range': `bytes ${first}-${first + piece.length - 1}/${bytes.length}` };
  return new Response(body(piece.subarray(0, piece.length - lost)), { status: 206, headers });
}

/** A source over answers of storage in turn, the last one again and again; `asked` notes the ranges. */
function sourceOver(...storages: readonly (Storage | Response | Error)[]) {
  const asked: string[] = [];
  const source = blobSource('fields/north/ndvi.tif', (_path, range) => {
    const storage = storages[Math.min(asked.length, storages.length - 1)];
    asked.push(range);
    if (storage instanceof Error) return Promise.reject(storage);
    return Promise.resolve(storage instanceof Response ? storage : answered(range, storage ?? {}));
  });
  return { source, asked };
}

describe('a picture in storage, read in pieces', () => {
  test('asks for ranges with both ends, which need no preflight, and learns the size from the answer', async () => {
    const { source, asked } = sourceOver({});
    expect(await source.read(10, 20)).toEqual(file.subarray(10, 30));
    expect(asked).toEqual(['bytes=10-29']);
    expect([source.size, source.etag]).toEqual([1000, '"1"']);
  });

  test('gives fewer bytes at the end of the file alone, and none beyond it without asking', async () => {
    const { source, asked } = sourceOver({});
    expect(await source.read(0, 100)).toEqual(file.subarray(0, 100));
    expect(await source.read(990, 100)).toEqual(file.subarray(990));
    expect(await source.read(1000, 10)).toHaveLength(0);
    expect(asked).toEqual(['bytes=0-99', 'bytes=990-999']);
    const whole = sourceOver({});
    expect(await whole.source.read(0, 32_768)).toEqual(file);
    expect(await whole.source.read(990, 100)).toEqual(file.subarray(990));
    expect(whole.asked).toEqual(['bytes=0-32767']);
  });

  test('is asked once for what came with the first piece: header and values of a small picture', async () => {
    const { source, asked } = sourceOver({});
    await source.read(100, 400);
    expect(await source.read(100, 400)).toEqual(file.subarray(100, 500));
    expect(await source.read(480, 20)).toEqual(file.subarray(480, 500));
    expect(await source.read(480, 21)).toEqual(file.subarray(480, 501));
    expect(await source.read(99, 2)).toEqual(file.subarray(99, 101));
    expect(asked).toEqual(['bytes=100-499', 'bytes=480-500', 'bytes=99-100']);
  });

  test('takes its piece out of a whole file, which a server without ranges sends', async () => {
    const { source } = sourceOver({ knowsRanges: false });
    expect(await source.read(100, 50)).toEqual(file.subarray(100, 150));
    expect(source.size).toBe(1000);
  });

  test.each([
    { why: 'another ETag', then: { etag: '"2"' } },
    { why: 'another size', then: { bytes: file.subarray(0, 900) } },
  ])('is changed when a later answer has $why', async ({ then }) => {
    const { source } = sourceOver({}, then);
    await source.read(0, 10);
    await expect(source.read(10, 10)).rejects.toMatchObject({ kind: 'changed' });
  });

  test.each([
    { why: 'fewer bytes than the range holds', storage: { lost: 3 }, kind: 'unavailable' },
    {
      why: 'another range',
      storage: new Response('x', { status: 206, headers: { 'content-range': 'bytes 5-5/9' } }),
      kind: 'unavailable',
    },
    { why: 'no size that the page may read', storage: new Response('x', { status: 206 }), kind: 'unavailable' },
    { why: '403', storage: new Response('', { status: 403 }), kind: 'refused' },
    { why: '404', storage: new Response('', { status: 404 }), kind: 'refused' },
    { why: '503', storage: new Response('', { status: 503 }), kind: 'unavailable' },
    { why: 'no answer', storage: new TypeError('Failed to fetch'), kind: 'unavailable' },
  ])('is $kind for $why', async ({ storage, kind }) => {
    const { source } = sourceOver(storage);
    await expect(source.read(0, 10)).rejects.toMatchObject({ name: 'RasterError', kind });
  });

  test('ends with the reason of its signal', async () => {
    const { source } = sourceOver(new TypeError('aborted'));
    await expect(source.read(0, 10, AbortSignal.abort(new Error('older date')))).rejects.toThrow('older date');
  });
});
