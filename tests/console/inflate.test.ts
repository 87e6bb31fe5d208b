import { describe, expect, test } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import { inflateAtMost as inflateInBrowser } from '../../console/cog/inflate.js';
import { inflateAtMost as inflateInService } from '../../shared/raster/read/inflate.js';

const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * index) % 251);
const packed = deflateSync(bytes);

describe.each([
  { where: 'the service', inflateAtMost: inflateInService },
  { where: 'the browser', inflateAtMost: inflateInBrowser },
])('deflate data unpacked as $where does it', ({ inflateAtMost }) => {
  test('are the bytes that were packed, with room to spare or with none', async () => {
    expect(Buffer.compare(await inflateAtMost(packed, bytes.length), bytes)).toBe(0);
    expect(Buffer.compare(await inflateAtMost(packed, bytes.length + 5), bytes)).toBe(0);
  });

  test.each([
    { why: 'more than the block may hold', data: packed, most: bytes.length - 1 },
    { why: 'cut off', data: packed.subarray(0, 500), most: bytes.length },
    { why: 'without a zlib header', data: packed.subarray(2), most: bytes.length },
    { why: 'a wrong checksum', data: Uint8Array.from(packed).fill(0, -4), most: bytes.length },
    { why: 'nothing at all', data: new Uint8Array(0), most: bytes.length },
  ])('are corrupt when they are $why', async ({ data, most }) => {
    await expect(inflateAtMost(data, most)).rejects.toMatchObject({ name: 'RasterError', kind: 'corrupt' });
  });
});
