import { describe, expect, test } from '@jest/globals';
import type { LayerPixels } from '../../console/cog/readLayer.js';
import { pictureStore, type WantedPicture } from '../../console/map/pictureStore.js';
import { RasterError } from '../../shared/raster/rasterError.js';
import { aGrid } from '../raster/samples.js';

const aPicture = (pixelWidth = 10): LayerPixels => ({
  pixels: { width: 1, height: 1, bands: 1, data: new Uint8Array(1) },
  grid: { ...aGrid(1, 1), pixelWidth },
  nodata: 255,
  isFullSize: pixelWidth === 10,
});

/** A store whose reads end when the test says so. */
function aStore() {
  const reads = new Map<string, { resolve: (picture: LayerPixels) => void; reject: (error: Error) => void }>();
  const aborted: string[] = [];
  const asked: string[] = [];
  const faults: string[] = [];
  const store = pictureStore({
    read: ({ path }, signal) => {
      asked.push(path);
      signal.addEventListener('abort', () => aborted.push(path));
      return new Promise((resolve, reject) => reads.set(path, { resolve, reject }));
    },
    onChange: () => undefined,
    onFault: (path, fault) => faults.push(`${path} ${fault}`),
  });
  return { store, reads, aborted, asked, faults };
}

const wanted = (...paths: readonly string[]): WantedPicture[] => paths.map((path) => ({ path, pixelSizeM: 5 }));
const paths = (count: number, day = 'june'): string[] => Array.from({ length: count }, (_, index) => `${day}/${index}`);
/** Lets everything that is settled go on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('pictures that the map wants', () => {
  test('are read six at a time, in the order in which they were asked for', async () => {
    const { store, reads, asked } = aStore();
    const done = store.want(wanted(...paths(8)));
    expect(asked).toEqual(paths(6));
    reads.get('june/3')?.resolve(aPicture());
    await settled();
    expect(asked).toEqual(paths(7));
    for (const path of paths(8)) {
      reads.get(path)?.resolve(aPicture());
      await settled();
    }
    await done;
    expect(paths(8).every((path) => store.find(path) !== undefined)).toBe(true);
  });

  test('are given up when another day is wanted, whose answers alone count', async () => {
    const { store, reads, aborted } = aStore();
    const june = store.want(wanted(...paths(8)));
    const july = store.want(wanted('july/0', 'june/1'));
    await june;
    expect(aborted).toEqual(paths(6).filter((path) => path !== 'june/1'));
    reads.get('june/0')?.resolve(aPicture());
    reads.get('june/1')?.resolve(aPicture());
    reads.get('july/0')?.resolve(aPicture());
    await july;
    expect(store.find('june/0')).toBeUndefined();
    expect(store.find('june/1')).toBeDefined();
  });

  test('are not read again while they are held, and the last 300 are', async () => {
    const { store, reads, asked } = aStore();
    for (const path of paths(302)) {
      const done = store.want(wanted(path));
      reads.get(path)?.resolve(aPicture());
      await done;
    }
    asked.length = 0;
    await store.want(wanted('june/2', 'june/301'));
    expect(asked).toEqual([]);
    expect(store.find('june/0')).toBeUndefined();
  });

  test('are all kept while they are wanted, however many', async () => {
    const { store, reads } = aStore();
    const done = store.want(wanted(...paths(320)));
    for (const path of paths(320)) {
      reads.get(path)?.resolve(aPicture());
      await settled();
    }
    await done;
    expect(paths(320).filter((path) => store.find(path) === undefined)).toEqual([]);
  });

  test('are read again, finer, when the map comes nearer than an overview', async () => {
    const { store, reads, asked } = aStore();
    const far = store.want([{ path: 'large', pixelSizeM: 45 }]);
    reads.get('large')?.resolve(aPicture(40));
    await far;
    await store.want([{ path: 'large', pixelSizeM: 60 }]);
    expect(asked).toEqual(['large']);
    const near = store.want([{ path: 'large', pixelSizeM: 10 }]);
    expect(asked).toEqual(['large', 'large']);
    reads.get('large')?.resolve(aPicture());
    await near;
    await store.want([{ path: 'large', pixelSizeM: 1 }]);
    expect(asked).toHaveLength(2);
  });

  test.each([
    { error: new RasterError('corrupt', 'its deflate data are damaged'), fault: 'broken' },
    { error: new RasterError('refused', 'storage answered 403'), fault: 'refused' },
    { error: new RasterError('unavailable', 'storage could not be reached'), fault: 'away' },
    { error: new RangeError('not ours'), fault: 'broken' },
  ])('that can’t be read are said to be $fault once, and tried again on another visit', async ({ error, fault }) => {
    const { store, reads, faults, asked } = aStore();
    const first = store.want(wanted('bad'));
    reads.get('bad')?.reject(error);
    await first;
    await store.want(wanted('bad'));
    expect([store.faultOf('bad'), faults]).toEqual([fault, [`bad ${fault}`]]);
    await store.want([]);
    void store.want(wanted('bad'));
    expect(asked).toEqual(['bad', 'bad']);
  });
});
