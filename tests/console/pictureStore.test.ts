import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Picture, WantedPicture } from '../../console/map/picture.js';
import { pictureStore } from '../../console/map/pictureStore.js';
import { RasterError } from '../../shared/raster/tiff/rasterError.js';
import { aGrid } from '../raster/samples.js';

/** Bytes of a picture's values; its image has one pixel more. */
const BYTES = 96;
const closed: string[] = [];

const aPicture = (path: string, pixelWidth = 10, parts = 2): Picture => ({
  layer: {
    pixels: { width: 1, height: 1, bands: 1, data: new Uint8Array(BYTES) },
    grid: { ...aGrid(1, 1), pixelWidth },
    nodata: 255,
    isFullSize: pixelWidth === 10,
  },
  image: { width: 1, height: 1, close: () => closed.push(path) },
  box: [0, 0, 1, 1],
  parts,
});

/** A store whose reads end when the test says so, with memory for three pictures. */
function aStore() {
  const reads = new Map<string, { resolve: (picture: Picture) => void; reject: (error: Error) => void }>();
  const aborted: string[] = [];
  const asked: string[] = [];
  const faults: string[] = [];
  const store = pictureStore({
    read: ({ path }, held, signal) => {
      asked.push(held === undefined ? path : `${path} again`);
      signal.addEventListener('abort', () => aborted.push(path));
      return new Promise((resolve, reject) => reads.set(path, { resolve, reject }));
    },
    onChange: () => undefined,
    onFault: (path, fault) => faults.push(`${path} ${fault}`),
    mostBytes: 3 * (BYTES + 4),
  });
  const end = async (...paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      reads.get(path)?.resolve(aPicture(path));
      await settled();
    }
  };
  return { store, reads, aborted, asked, faults, end };
}

const wanted = (...paths: readonly string[]): WantedPicture[] =>
  paths.map((path) => ({ path, name: 'ndvi', pixelSizeM: 5 }));
const paths = (count: number, day = 'june'): string[] => Array.from({ length: count }, (_, index) => `${day}/${index}`);
/** Lets everything that is settled go on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  closed.length = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

describe('pictures that the map wants', () => {
  test('are read eight at a time, in the order in which they were asked for', async () => {
    const { store, asked, end } = aStore();
    const done = store.want(wanted(...paths(10)));
    expect(asked).toEqual(paths(8));
    await end('june/3');
    expect(asked).toEqual(paths(9));
    await end(...paths(10));
    await done;
    expect(paths(10).every((path) => store.find(path) !== undefined)).toBe(true);
  });

  test('are given up when another day is wanted and they take longer than a moment', async () => {
    const { store, aborted, asked, end } = aStore();
    const june = store.want(wanted(...paths(10)));
    const july = store.want(wanted('july/0', 'june/1'));
    await june;
    jest.advanceTimersByTime(199);
    expect(aborted).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(aborted).toEqual(paths(8).filter((path) => path !== 'june/1'));
    await end('june/0', 'june/1', 'july/0');
    await july;
    expect(asked).toEqual([...paths(8), 'july/0']);
    expect(store.find('june/0')).toBeUndefined();
    expect(store.find('june/1')).toBeDefined();
  });

  test('are held when they come within that moment, and make room for the new day', async () => {
    const { store, aborted, asked, end } = aStore();
    void store.want(wanted(...paths(10)));
    void store.want(wanted('july/0'));
    await end('june/4');
    expect(asked).toEqual([...paths(8), 'july/0']);
    // A third day doesn't give the ones of the first another moment.
    jest.advanceTimersByTime(150);
    void store.want(wanted('august/0'));
    jest.advanceTimersByTime(50);
    expect(aborted).toEqual(paths(8).filter((path) => path !== 'june/4'));
    expect(store.find('june/4')).toBeDefined();
  });

  test('are not read again while they are held: as many as the memory has bytes for, the last ones used', async () => {
    const { store, asked, end } = aStore();
    for (const path of paths(4)) {
      const done = store.want(wanted(path));
      await end(path);
      await done;
      await store.want(wanted('june/0'));
    }
    expect(asked).toEqual(paths(4));
    expect([...paths(4)].filter((path) => store.find(path) === undefined)).toEqual(['june/1']);
    expect(closed).toEqual(['june/1']);
  });

  test('are all kept while they are wanted, however many', async () => {
    const { store, end } = aStore();
    const done = store.want(wanted(...paths(20)));
    await end(...paths(20));
    await done;
    expect(paths(20).filter((path) => store.find(path) === undefined)).toEqual([]);
    expect(closed).toEqual([]);
  });

  test('are looked at a few times each, however many are wanted with them', async () => {
    const { store, end } = aStore();
    const looks = async (count: number): Promise<number> => {
      let looked = 0;
      const seen = wanted(...paths(count, `day of ${count}`)).map((picture): WantedPicture => ({
        ...picture,
        get pixelSizeM() {
          looked += 1;
          return picture.pixelSizeM;
        },
      }));
      const done = store.want(seen);
      await end(...seen.map(({ path }) => path));
      await done;
      return looked;
    };
    expect(await looks(200)).toBeLessThanOrEqual(20 * (await looks(10)));
  });

  test('are read again, finer, when the map comes nearer than an overview', async () => {
    const { store, reads, asked } = aStore();
    const at = (pixelSizeM: number): WantedPicture[] => [{ path: 'large', name: 'ndvi', pixelSizeM }];
    const far = store.want(at(45));
    reads.get('large')?.resolve(aPicture('large', 40, 1));
    await far;
    await store.want(at(60));
    expect(asked).toEqual(['large']);
    const near = store.want(at(10));
    expect(asked).toEqual(['large', 'large again']);
    reads.get('large')?.resolve(aPicture('large', 10, 1));
    await near;
    // Its values are those of the file; its image gets more pixels.
    const nearer = store.want(at(5));
    reads.get('large')?.resolve(aPicture('large', 10, 2));
    await nearer;
    expect(closed).toEqual(['large', 'large']);
    await store.want(at(7));
    expect(asked).toHaveLength(3);
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

  test('that couldn’t be read are asked for once more where they are shown, as when the network is back', async () => {
    const { store, reads, asked, end } = aStore();
    const first = store.want(wanted('far', 'near'));
    reads.get('far')?.reject(new RasterError('unavailable', 'storage could not be reached'));
    await end('near');
    await first;
    store.readAgain();
    expect([store.faultOf('far'), asked]).toEqual([undefined, ['far', 'near', 'far']]);
    await end('far');
    expect(store.find('far')).toBeDefined();
    store.readAgain();
    expect(asked).toHaveLength(3);
  });
});

describe('pictures that may be wanted next', () => {
  test('are read when all that is wanted is there, three at a time, and are there when they are wanted', async () => {
    const { store, asked, end } = aStore();
    const done = store.want(wanted('june/0'), () => wanted('june/0', ...paths(4, 'july')));
    expect(asked).toEqual(['june/0']);
    await end('june/0');
    await done;
    expect(asked).toEqual(['june/0', ...paths(3, 'july')]);
    await end('july/1');
    expect(asked).toEqual(['june/0', ...paths(4, 'july')]);
    await store.want(wanted('july/1'));
    expect(store.find('july/1')).toBeDefined();
  });

  test('wait for those that are wanted meanwhile, and their faults are nobody’s until they are', async () => {
    const { store, reads, asked, faults, end } = aStore();
    await store.want([], () => wanted(...paths(5, 'july')));
    void store.want(wanted(...paths(3), 'july/2'));
    expect(asked).toEqual([...paths(3, 'july'), ...paths(3)]);
    reads.get('july/0')?.reject(new RasterError('unavailable', 'storage could not be reached'));
    reads.get('july/2')?.reject(new RasterError('refused', 'storage answered 404'));
    await settled();
    expect(faults).toEqual(['july/2 refused']);
    await end(...paths(3));
    expect(asked).toHaveLength(6);
  });
});
