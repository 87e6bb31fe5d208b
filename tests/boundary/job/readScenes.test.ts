import { describe, expect, test } from '@jest/globals';
import { boundaryJobFaults } from '../../../shared/kit/errors/boundaryFaults.js';
import { EgressRefused } from '../../../shared/kit/outbound/egressRule.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import type { RegionScene, SceneCuts, Scenes } from '../../../shared/scenes/library/sceneLibrary.js';
import { readScenes } from '../../../shared/boundary/job/readScenes.js';
import type { RegionSearch } from '../../../shared/boundary/job/searchField.js';
import { searchRegion } from '../../../shared/boundary/stack/searchRegion.js';
import { aScene } from '../../imagery/builders.js';

const onDay = (id: string, date: string, cloudPercent = 10): RegionScene => ({
  ...{ scene: aScene({ id, takenAt: `${date}T10:05:59Z` }), pass: date, cloudPercent },
});
const [first, second] = [onDay('a', '2026-06-03'), onDay('b', '2026-06-08')];

const search = (signal = new AbortController().signal) =>
  ({
    parameters: { imageStartDate: '2026-06-01', imageEndDate: '2026-06-12' },
    region: searchRegion([13.15, 48.3], 0),
    signal,
  }) as unknown as RegionSearch;

/** A catalogue that has these scenes; `cutsOf` says what one shows. */
function withScenes(
  listed: readonly RegionScene[] | Error,
  cutsOf: (id: string) => SceneCuts | Promise<SceneCuts> = () => ({}),
) {
  const asked: unknown[] = [];
  const scenes: Scenes = {
    scenesOf: (_region, days) => {
      asked.push(days);
      return listed instanceof Error ? Promise.reject(listed) : Promise.resolve(listed);
    },
    cutsOf: async ({ id }, files) => {
      asked.push(`${id} ${files.join()}`);
      return cutsOf(id);
    },
  };
  return { scenes, asked };
}

describe('the scenes that are looked at', () => {
  test('are those of the period of the job, each read once with its files and named by its pass', async () => {
    const { scenes, asked } = withScenes([first, second]);
    expect(await readScenes(scenes, search(), 3)).toEqual({
      scenes: [
        { id: 'b', date: '2026-06-08', pass: '2026-06-08', cuts: {} },
        { id: 'a', date: '2026-06-03', pass: '2026-06-03', cuts: {} },
      ],
      passed: [],
    });
    expect(asked).toEqual([
      { from: '2026-06-01', to: '2026-06-12' },
      'b scl,red,green,blue,nir',
      'a scl,red,green,blue,nir',
    ]);
  });

  test('are told beside those that nobody looks at', async () => {
    const { scenes } = withScenes([first, onDay('c', '2026-06-10', 90)], () => {
      throw new RasterError('corrupt', 'a block');
    });
    const { passed } = await readScenes(scenes, search(), 1);
    expect(passed.map(({ sceneIds: [id], kind }) => `${id} ${kind}`)).toEqual(['c spare', 'a lost']);
  });
});

describe('a file that cannot be read', () => {
  const failing = (error: unknown) =>
    withScenes([first, second], (id) => {
      if (id === 'a') throw error;
      return {};
    }).scenes;

  test.each([
    ['that its host refuses', new RasterError('refused', '404', { isTransient: true })],
    ['that is broken', new RasterError('corrupt', 'a block')],
    ['of another kind', new RasterError('unsupported', 'JPEG')],
    ['that is too large', new RasterError('too_large', 'a bomb')],
  ])('%s costs its scene; the others count', async (_what, error) => {
    const { scenes, passed } = await readScenes(failing(error), search(), 3);
    expect(scenes).toMatchObject([{ id: 'b' }]);
    expect(passed).toEqual([
      { sceneIds: ['a'], date: '2026-06-03', kind: 'lost', reason: 'a file of it cannot be read' },
    ]);
  });

  test.each([
    ['a host that is away', new RasterError('unavailable', '503', { isTransient: true })],
    ['a file that was replaced meanwhile', new RasterError('changed', '412', { isTransient: true })],
    [
      'an address that must not be called',
      new RasterError('unsupported', 'x', { cause: new EgressRefused('the host is not in IMAGERY_HOSTS') }),
    ],
  ])('may pass, and the job waits: %s', async (_what, error) => {
    const fault = boundaryJobFaults.dataManagerUnavailable;
    await expect(readScenes(failing(error), search(), 3)).rejects.toMatchObject({ fault, cause: error });
  });

  test('for a fault of ours fails the attempt', async () => {
    const error = new RangeError('a mistake of ours');
    await expect(readScenes(failing(error), search(), 3)).rejects.toBe(error);
  });
});

describe('a catalogue', () => {
  test.each([
    ['that is away', new CatalogueError('unavailable', 'no answer')],
    ['that refuses a question', new CatalogueError('refused', 'answered 400')],
    ['whose answer can’t be used', new CatalogueError('invalid', 'no JSON')],
  ])('%s is waited for', async (_what, error) => {
    const fault = boundaryJobFaults.dataManagerUnavailable;
    await expect(readScenes(withScenes(error).scenes, search(), 3)).rejects.toMatchObject({ fault, cause: error });
  });

  test('that asks to wait is waited for as long', async () => {
    const throttled = new CatalogueError('unavailable', 'answered 429', { retryAfterSeconds: 90 });
    await expect(readScenes(withScenes(throttled).scenes, search(), 3)).rejects.toMatchObject({
      retryAfterSeconds: 90,
    });
  });

  test('is no matter of an attempt that is over', async () => {
    const reason = new Error('the job was cancelled');
    const away = withScenes(new CatalogueError('unavailable', 'no answer')).scenes;
    await expect(readScenes(away, search(AbortSignal.abort(reason)), 3)).rejects.toBe(reason);
  });
});
