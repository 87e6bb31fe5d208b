import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ringHolds, isSimple, signedArea } from '../../../shared/geo/shapes/rings.js';
import { findField, type FieldFinding, type FieldSearch } from '../../../shared/boundary/job/findField.js';
import { runSmartBoundaryJob } from '../../../shared/boundary/job/runSmartBoundaryJob.js';
import { testInFull } from '../../support/fullRun.js';
import { shippedModel } from '../predict/fixtures.js';
import { finds, found, refused } from './findings.js';
import { ownBoundaryWorld, sceneLibraryAt, type OwnBoundaryWorld } from './ownBoundaryWorld.js';
import { IOWA, writeDays } from './scenePlaces.js';
import { farmland, type speckled } from './tileScenes.js';

const [longitude, latitude] = IOWA;
const pointOnSurface = { longitude, latitude };
const days = ['2026-06-03', '2026-06-08'].map((day) => ({ date: day, epsg: 32615 }));

const root = mkdtempSync(join(tmpdir(), 'boundary-job-'));
const folderOf = (name: string): string => join(root, name);

const plain: typeof speckled = () => (image) => (image === 'SCL' ? 4 : 500);
const overcast: typeof speckled = () => (image) => (image === 'SCL' ? 9 : 500);

/** A folder of the two days of the place. @param broken days whose red band is no TIFF */
async function writeFolder(name: string, ground: typeof speckled, broken: readonly string[] = []): Promise<void> {
  const folder = folderOf(name);
  mkdirSync(folder);
  await writeDays(folder, IOWA, days, ground);
  for (const day of broken) {
    const item = readdirSync(folder).find((id) => id.includes(day.replaceAll('-', ''))) ?? '';
    writeFileSync(join(folder, item, 'red.tif'), 'no raster');
  }
}

beforeAll(async () => {
  mkdirSync(folderOf('empty'));
  await writeFolder('plain', plain);
  await writeFolder('overcast', overcast);
  await writeFolder('broken', plain, ['2026-06-03', '2026-06-08']);
});
afterAll(() => {
  rmSync(root, { recursive: true });
});

let world: OwnBoundaryWorld;
afterEach(() => world.close());

const looks =
  (model = shippedModel()) =>
  (search: FieldSearch): Promise<FieldFinding> =>
    findField(search, model);

/** A job on one of the folders, created. */
async function begin(scenes: string, options: Partial<Parameters<typeof ownBoundaryWorld>[0]> = {}): Promise<void> {
  world = await ownBoundaryWorld({ scenes: folderOf(scenes), ...finds(), ...options });
  await world.create({ pointOnSurface });
}

/** The same, as it ended. */
async function ended(...given: Parameters<typeof begin>): ReturnType<OwnBoundaryWorld['job']> {
  await begin(...given);
  await world.drain();
  return world.job();
}

describe('a Smart Boundary job', () => {
  testInFull('finds the field that holds the point, from real files, and says what it rests on', async () => {
    await writeFolder('farmland', farmland);
    expect(await ended('farmland', { findField: looks() })).toMatchObject({ status: 'SUCCEEDED' });
    const record = world.record();
    const [ring] = record.boundary.coordinates;
    expect(ringHolds(ring!.slice(1), [longitude, latitude])).toBe(true);
    expect(isSimple(ring!.slice(1))).toBe(true);
    expect(signedArea(ring!.slice(1))).toBeGreaterThan(0);
    // The synthetic field has 60.7 ha.
    expect(record.areaHectares).toBeGreaterThan(45);
    expect(record.areaHectares).toBeLessThan(70);
    expect(record).toMatchObject({
      kind: 'SMART_BOUNDARY',
      jobId: 'north-field',
      imageStartDate: '2026-06-01',
      imageEndDate: '2026-06-12',
      confidenceClass: expect.stringMatching(/^(medium|high)$/),
      method: 'network',
      touchesSearchRegion: false,
      searchRegion: { sideMeters: 2560 },
    });
    expect(record.scenes.map((scene) => [scene.date, scene.isUsed])).toEqual([
      ['2026-06-03', expect.any(Boolean)],
      ['2026-06-08', true],
    ]);
  });

  testInFull('does without a scene of which a file is broken', async () => {
    await writeFolder('one-broken', farmland, ['2026-06-03']);
    expect(await ended('one-broken', { findField: looks() })).toMatchObject({ status: 'SUCCEEDED' });
    expect(world.record().scenes.filter(({ reason }) => reason?.includes('cannot be read'))).toHaveLength(1);
  });
});

describe('a larger search region', () => {
  const first = found({ mayGrow: true });
  let widths: number[];

  /** @param second what the look in the larger region comes to */
  async function endsWith(second: () => FieldFinding): Promise<number> {
    widths = [];
    const look = ({ grid }: FieldSearch): Promise<FieldFinding> => {
      widths.push(grid.width);
      return Promise.resolve().then(() => (grid.width === 256 ? first : second()));
    };
    expect(await ended('plain', { findField: look })).toMatchObject({ status: 'SUCCEEDED' });
    const { sideMeters } = world.record().searchRegion;
    expect(widths).toEqual([256, 512]);
    return sideMeters;
  }

  test('is tried when the field reaches the edge of the first', async () => {
    expect(await endsWith(() => found())).toBe(5120);
  });

  test('is the last: a field that reaches its edge too is answered as it is', async () => {
    expect(await endsWith(() => first)).toBe(5120);
  });

  test.each([
    { why: 'shows no field', second: () => refused('no-field') },
    { why: 'has no scene that can be used', second: () => found({ answer: undefined }) },
    {
      why: 'is too much for the process',
      second: () => {
        throw Object.assign(new Error('out of memory'), { name: 'TaskExhausted' });
      },
    },
  ])('that $why leaves the first answer', async ({ second }) => {
    expect(await endsWith(second)).toBe(2560);
  });
});

describe('a job that cannot succeed is FAILED, with the cause and what to do:', () => {
  test.each([
    ['no satellite has passed', 'empty', /^IMG-05010: .*between 2026-06-01 and 2026-06-12\. Choose another period/],
    ['all days are overcast', 'overcast', /^IMG-05011: .*2026-06-03 \(clouds.*Choose another period/],
    ['the files are broken', 'broken', /^IMG-05013: .*2026-06-08 \(a file of it cannot be read/],
  ])('%s', async (_why, scenes, failure) => {
    expect(await ended(scenes, { findField: looks() })).toMatchObject({
      status: 'FAILED',
      failure: expect.stringMatching(failure),
    });
  });

  test.each([
    ['no-clear-date', 'IMG-05011', 'The point cannot be seen on any day'],
    ['not-farmland', 'IMG-05012', 'No field boundary could be recognised here'],
    ['no-field', 'IMG-05012', 'No field boundary could be recognised here'],
  ] as const)('the prediction is refused: %s', async (reason, code, text) => {
    const { failure } = await ended('plain', finds(refused(reason)));
    expect(failure).toMatch(new RegExp(`^${code}: ${text}`));
    expect(world.published).toHaveLength(0);
  });
});

describe('a cancel', () => {
  test('while the first region is looked at leaves no search field of a larger one', async () => {
    await begin('plain');
    const stop = new AbortController();
    const work = runSmartBoundaryJob({
      dataManagerFor: () => Promise.resolve(world.dataManager),
      scenes: sceneLibraryAt(world.catalogue),
      findField: () => {
        stop.abort();
        return Promise.resolve(found({ mayGrow: true }));
      },
      clock: world.clock,
    });
    await expect(work(await world.job(), 'an-insight', stop.signal)).rejects.toThrow(/abort/);
    expect(world.rows('farmFields').all()).toHaveLength(1);
  });

  test('while the scenes are looked at ends the job: nothing is visible', async () => {
    const findIt = async (): Promise<FieldFinding> => {
      await world.cancel();
      // A hold that is younger than two seconds is not looked at again before publication.
      world.clock.jump(3_000);
      return found();
    };
    expect(await ended('plain', { findField: findIt })).toMatchObject({ status: 'CANCELLED' });
    expect(world.published).toHaveLength(0);
  });

  test('within two seconds of a quick look takes back what was published', async () => {
    const findIt = async (): Promise<FieldFinding> => {
      await world.cancel();
      return found();
    };
    expect(await ended('plain', { findField: findIt })).toMatchObject({ status: 'CANCELLED' });
    await world.sweepFor(4);
    expect(world.published).toHaveLength(1);
    const rows = world.rows('farmInsights').all<{ readonly isWithdrawn?: boolean }>();
    expect(rows.filter(({ isWithdrawn }) => isWithdrawn === false)).toEqual([]);
  });
});
