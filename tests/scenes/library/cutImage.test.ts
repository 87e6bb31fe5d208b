import { describe, expect, test } from '@jest/globals';
import { cloudPercentOf, readCut, type CutImage } from '../../../shared/scenes/library/cutImage.js';
import { windowOfBox } from '../../../shared/scenes/library/sceneRegion.js';
import { windowGrid } from '../../../shared/geo/grid/grid.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { aScene, FIELD_BOX } from '../../imagery/builders.js';
import { PaintedReader } from '../../imagery/paintedReader.js';

const signal = new AbortController().signal;
const cut = { scene: aScene(), file: 'red', box: FIELD_BOX } as const;

describe('a file of a scene cut to a box', () => {
  test('has three pixels more on each side, and says where it lies', async () => {
    const image = (await readCut(new PaintedReader(), cut, signal)) as CutImage;
    const window = windowOfBox(cut.scene.grid, FIELD_BOX, 3)!;
    expect(image.grid).toEqual(windowGrid(cut.scene.grid, window));
    expect(image.pixels).toMatchObject({ width: window.width, height: window.height });
    expect(image.pixels.data[0]).toBe(500);
  });

  test('is none where the file does not reach the box, and then nothing is read', async () => {
    const reader = new PaintedReader();
    const elsewhere = { ...cut.scene, grid: { ...cut.scene.grid, originX: 500_000 } };
    await expect(readCut(reader, { ...cut, scene: elsewhere }, signal)).resolves.toBeUndefined();
    expect(reader.reads).toEqual([]);
  });

  test('is the error of a file that is broken, and none at all while the host is away', async () => {
    const reader = new PaintedReader();
    const broken = new RasterError('corrupt', 'a block is broken');
    reader.faults.set(cut.scene.id, broken);
    await expect(readCut(reader, cut, signal)).resolves.toBe(broken);
    const away = new RasterError('unavailable', 'the server answered 503', { isTransient: true });
    reader.faults.set(cut.scene.id, away);
    await expect(readCut(reader, cut, signal)).rejects.toBe(away);
  });

  test('is an error when the reader gives no pixels', async () => {
    const empty = { read: () => Promise.resolve([]) };
    await expect(readCut(empty, cut, signal)).resolves.toMatchObject({ kind: 'corrupt' });
  });
});

describe('the share of clouds in a box', () => {
  const { scene } = cut;
  /** The classification of the box and its margin; `classOf` by a running number within the box. */
  async function classified(classOf: (index: number) => number): Promise<CutImage> {
    const image = (await readCut(new PaintedReader(), { ...cut, file: 'scl' }, signal)) as CutImage;
    const window = windowOfBox(image.grid, FIELD_BOX)!;
    const data = new Uint8Array(image.pixels.data.length).fill(9);
    let index = 0;
    for (let row = window.row; row < window.row + window.height; row += 1) {
      for (let column = window.column; column < window.column + window.width; column += 1) {
        data[row * image.pixels.width + column] = classOf((index += 1));
      }
    }
    return { ...image, pixels: { ...image.pixels, data } };
  }

  test.each([
    { why: 'clouds of both densities and cirrus count', classOf: (k: number) => [8, 9, 10, 4][k % 4]!, expected: 75 },
    { why: 'shadow, snow and dark ground do not', classOf: (k: number) => [2, 3, 11, 5][k % 4]!, expected: 0 },
    { why: 'the ground around the box does not', classOf: () => 4, expected: 0 },
    { why: 'pixels without data do not', classOf: (k: number) => [0, 0, 9, 4][k % 4]!, expected: 50 },
    { why: 'it is unknown without data', classOf: () => 0, expected: undefined },
  ])('$why', async ({ classOf, expected }) => {
    const percent = cloudPercentOf(await classified(classOf), FIELD_BOX);
    if (expected === undefined) expect(percent).toBeUndefined();
    // The number of pixels is no multiple of four.
    else expect(Math.abs(percent! - expected)).toBeLessThan(1);
  });

  test('is told in whole tenths', async () => {
    const percent = cloudPercentOf(await classified((k) => (k === 1 ? 9 : 4)), FIELD_BOX)!;
    expect(percent).toBeGreaterThan(0);
    expect(percent * 10).toBe(Math.round(percent * 10));
  });

  test('is unknown for a box that the image does not show', async () => {
    const image = await classified(() => 4);
    expect(cloudPercentOf(image, [FIELD_BOX[0] + 1, FIELD_BOX[1], FIELD_BOX[2] + 1, FIELD_BOX[3]])).toBeUndefined();
    expect(scene.grid.epsg).toBe(32633);
  });
});
