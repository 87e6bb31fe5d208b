import { describe, expect, test } from '@jest/globals';
import { DataManagerError } from '../../../shared/jobs/dataManager/dataManager.js';
import type { DataManagerScene } from '../../../shared/jobs/dataManager/scenes.js';
import { downloadScenes } from '../../../shared/boundary/job/downloadScenes.js';
import type { IngestRound } from '../../../shared/boundary/job/ingestStep.js';

const MEBIBYTE = 1024 * 1024;

const aScene = (id: string, changes: Partial<DataManagerScene> = {}): DataManagerScene => ({
  id,
  date: '2026-06-03',
  itemId: `an item of ${id}`,
  cloudCoverPercent: 10,
  files: ['B02', 'B03', 'B04'].map((name) => ({ name, resolution: 10, filePath: `${id}/${name}` })),
  ...changes,
});

interface Asked {
  readonly filePath: string;
  readonly maxBytes: number;
}

/** A round of a job at a data manager that has these scenes; `read` says what a file holds. */
function aRound(scenes: readonly DataManagerScene[], read: (asked: Asked) => Uint8Array | Promise<Uint8Array>) {
  const asked: Asked[] = [];
  const queries: unknown[] = [];
  const round = {
    fieldId: 'search',
    parameters: { partyId: 'p', imageStartDate: '2026-06-01', imageEndDate: '2026-06-12' },
    signal: new AbortController().signal,
    dataManager: {
      listScenes: (query: unknown) => {
        queries.push(query);
        return Promise.resolve(scenes);
      },
      readSceneFile: async (filePath: string, maxBytes: number) => {
        asked.push({ filePath, maxBytes });
        return read({ filePath, maxBytes });
      },
    },
  } as unknown as IngestRound;
  return { round, asked, queries };
}
const bytesOf = ({ filePath }: Asked): Uint8Array => Buffer.from(filePath);

describe('the files of the scenes that are looked at', () => {
  test('are those of the search field and the period of the job', async () => {
    const { round, queries } = aRound([], bytesOf);
    expect(await downloadScenes(round, 3)).toEqual({ scenes: [], passed: [] });
    expect(queries).toEqual([
      { partyId: 'p', fieldId: 'search', from: '2026-06-01', to: '2026-06-12', collection: 'sentinel-2-l2a' },
    ]);
  });

  test('are read once each; the scene keeps its id, its day and the name of its product, where it has one', async () => {
    const { itemId: _none, ...unnamed } = aScene('b', { date: '2026-06-08' });
    const { round, asked } = aRound([aScene('a'), unnamed], bytesOf);
    const { scenes, passed } = await downloadScenes(round, 3);
    const images = (id: string) => ({
      B02: Buffer.from(`${id}/B02`),
      B03: Buffer.from(`${id}/B03`),
      B04: Buffer.from(`${id}/B04`),
    });
    expect(scenes.toSorted((one, other) => one.id.localeCompare(other.id))).toStrictEqual([
      { id: 'a', date: '2026-06-03', itemId: 'an item of a', images: images('a') },
      { id: 'b', date: '2026-06-08', images: images('b') },
    ]);
    expect(passed).toEqual([]);
    expect(asked).toHaveLength(6);
  });

  test('may have 16 MiB each and 192 MiB together, but for what is read at the same time: four files', async () => {
    const names = ['B02', 'B03', 'B04', 'B08', 'SCL'];
    const scenes = ['a', 'b', 'c', 'd'].map((id) =>
      aScene(id, { itemId: id, date: id, files: names.map((name) => ({ name, resolution: 10, filePath: name })) }),
    );
    const largest = { length: 16 * MEBIBYTE } as Uint8Array;
    const { round, asked } = aRound(scenes, () => largest);
    await downloadScenes(round, 4);
    const taken = asked.map(({ maxBytes }) => maxBytes / MEBIBYTE).filter((limit) => limit > 0);
    expect(new Set(taken)).toEqual(new Set([16]));
    expect(taken.length).toBeGreaterThanOrEqual(192 / 16);
    expect(taken.length).toBeLessThan(192 / 16 + 4);
  });
});

describe('a file that cannot be had', () => {
  const failing = (error: Error) =>
    aRound([aScene('a'), aScene('b', { date: '2026-06-08' })], (asked) => {
      if (asked.filePath === 'a/B03') throw error;
      return bytesOf(asked);
    }).round;

  test.each([
    { why: 'not known', error: new DataManagerError('not_found', 'no', { status: 404 }) },
    { why: 'refused', error: new DataManagerError('bad_request', 'no', { status: 400 }) },
    { why: 'answered, but larger than is taken', error: new DataManagerError('unavailable', 'no', { status: 200 }) },
  ])('because it is $why costs its scene; the others count', async ({ error }) => {
    const { scenes, passed } = await downloadScenes(failing(error), 3);
    expect(scenes).toMatchObject([{ id: 'b' }]);
    expect(passed).toEqual([
      { sceneIds: ['a'], date: '2026-06-03', kind: 'lost', reason: 'a file of it cannot be downloaded' },
    ]);
  });

  test.each([
    { why: 'the data manager is away', error: new DataManagerError('unavailable', 'no', { status: 503 }) },
    { why: 'this service is not let in', error: new DataManagerError('denied', 'no', { status: 401 }) },
    { why: 'too much was asked', error: new DataManagerError('throttled', 'no', { status: 429 }) },
    { why: 'an answer without sense', error: new DataManagerError('conflict', 'no', { status: 200 }) },
    { why: 'a fault of ours', error: Object.assign(new Error('no'), { kind: 'not_found' }) },
  ])('for a reason that may pass is left to the attempt: $why', async ({ error }) => {
    await expect(downloadScenes(failing(error), 3)).rejects.toBe(error);
  });

  test('is told beside the scenes that nobody looks at', async () => {
    const clouded = aScene('c', { date: '2026-06-10', cloudCoverPercent: 90 });
    const { round } = aRound([aScene('a'), clouded], (asked) => {
      if (asked.filePath === 'a/B02') throw new DataManagerError('not_found', 'no', { status: 404 });
      return bytesOf(asked);
    });
    const { passed } = await downloadScenes(round, 1);
    expect(passed.map(({ sceneIds: [id], kind }) => `${id} ${kind}`)).toEqual(['c spare', 'a lost']);
  });
});
