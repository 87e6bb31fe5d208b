import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import type { Insight } from '../../../shared/jobs/insight/jobInsight.js';
import { findField, type FieldFinding, type FieldSearch } from '../../../shared/boundary/job/findField.js';
import { sceneStack } from '../../../shared/boundary/stack/sceneStack.js';
import { shippedModel } from '../predict/fixtures.js';
import { testByHand, testInFull } from '../../support/fullRun.js';
import { found } from './findings.js';
import { boundaryWorld } from './jobUnderTest.js';
import { ownBoundaryWorld } from './ownBoundaryWorld.js';
import { farmland, speckled, tileAround, writeForBoth, type Reach, type SceneFolders } from './sameScenes.js';

const IOWA: Position = [-92.972469, 41.518232];
/** In zone 15, whose border with zone 16 lies 4 km to the east. */
const AT_BORDER: Position = [-90.05, 41.52];

/** One day of a place. */
interface Day {
  readonly date: string;
  readonly epsg: number;
  readonly reach?: Reach;
  readonly hasOffset?: boolean;
}

interface Place {
  readonly why: string;
  readonly point: Position;
  readonly days: readonly Day[];
}

const places: readonly Place[] = [
  {
    why: 'in the middle of a tile, one day with the offset of −1000 in its pixels',
    point: IOWA,
    days: [
      { date: '2026-06-03', epsg: 32615 },
      { date: '2026-06-08', epsg: 32615, hasOffset: true },
    ],
  },
  {
    why: "near a tile's edge",
    point: IOWA,
    days: [
      { date: '2026-06-03', epsg: 32615, reach: { east: 60 } },
      { date: '2026-06-08', epsg: 32615, reach: { west: 100 } },
    ],
  },
  {
    why: 'in the overlap of two UTM zones, shown by one zone on one day and by the other on the next',
    point: AT_BORDER,
    days: [
      { date: '2026-06-03', epsg: 32615 },
      { date: '2026-06-05', epsg: 32616, hasOffset: true },
      { date: '2026-06-08', epsg: 32616 },
    ],
  },
];

let folders: SceneFolders & { readonly root: string };
let closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'equality-'));
  folders = { root, catalogue: join(root, 'catalogue'), dataManager: join(root, 'data-manager') };
  for (const folder of [folders.catalogue, folders.dataManager]) mkdirSync(folder);
});
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
  rmSync(folders.root, { recursive: true });
});

type Look = (search: FieldSearch) => Promise<FieldFinding>;
interface PublishedInsight {
  readonly published: readonly Insight[];
  readonly drain: () => Promise<unknown>;
}

/** What one job by wire and one of the service's own data manager publish of a point. */
async function bothInsights(point: Position, lookOf: () => Look): Promise<readonly [wire: Insight, own: Insight]> {
  const [longitude, latitude] = point;
  const period = { imageStartDate: '2026-06-01', imageEndDate: '2026-06-12' };
  const parameters = { ...period, pointOnSurface: { longitude, latitude } };
  const wire = await boundaryWorld({ scenesFolder: folders.dataManager, findField: lookOf() });
  const own = await ownBoundaryWorld({ scenes: folders.catalogue, findField: lookOf() });
  closing.push(wire.close, own.close);
  await wire.create('north-field', parameters);
  await own.create(parameters);
  const insightOf = async ({ drain, published }: PublishedInsight): Promise<Insight> => {
    await drain();
    if (published[0] === undefined) throw new Error('The job has failed.');
    return published[0];
  };
  return [await insightOf(wire), await insightOf(own)];
}

/** As JSON, without ids and the time of the calculation. */
const told = ({ record }: Insight): string =>
  JSON.stringify(record, (name, value: unknown) =>
    /^(sceneIds|insightId|fieldId|partyId|resourceId|asOf)$/.test(name) ? undefined : value,
  );

const pictureOf = ({ files }: Insight): string => Buffer.from(files[0]?.data ?? []).toString('utf8');

/** Looks at the scenes alone, once for each round: both have what a prediction starts from, drawn on the region's grid. */
function looksAtScenes(seen: unknown[]): Look {
  return async ({ grid, scenes, point }) => {
    const stack = await sceneStack(grid, scenes);
    const shown = stack.scenes.map(({ sceneIds, bands, ...scene }) => {
      const bytes = Object.entries(bands).map(([band, { buffer }]) => [band, Buffer.from(buffer).toString('base64')]);
      return { ...scene, scl: Buffer.from(scene.scl ?? []).toString('base64'), count: sceneIds.length, bytes };
    });
    seen.push({ grid, point, shown, passed: stack.passed });
    return found({ mayGrow: grid.width === 256 });
  };
}

async function writeDays(point: Position, days: readonly Day[], ground: typeof speckled): Promise<void> {
  for (const { date, epsg, reach, hasOffset = false } of days) {
    const grid = tileAround(point, epsg, reach);
    await writeForBoth(folders, { date, grid, hasOffset, valueOf: ground(grid, date) });
  }
}

/** One job by wire and one of the service's own data manager look at the same pixels of the same days. */
async function areTheSame({ point, days }: Place): Promise<void> {
  await writeDays(point, days, speckled);
  const seen: unknown[][] = [[], []];
  const looks = seen.map(looksAtScenes);
  await bothInsights(point, () => looks.shift() ?? looksAtScenes([]));
  const [wire = [], own = []] = seen;
  expect(own).toHaveLength(2);
  expect((own[0] as { shown: unknown[] }).shown).toHaveLength(days.length);
  // As texts: the difference of two pictures is nothing to read.
  expect(JSON.stringify(own) === JSON.stringify(wire)).toBe(true);
}

describe("the scenes of the service's own data manager", () => {
  const title = 'are pixel by pixel those of one by wire, in both rounds, at a point $why';
  // What the first place shows the others show too.
  testInFull.each(places.slice(0, 1))(title, areTheSame);
  test.each(places.slice(1))(title, areTheSame);

  // A boundary follows from the pixels, which the tests above compare: the hardest place stands for the others.
  testInFull.each(places.slice(-1))(
    'give the same boundary, byte by byte, at a point $why',
    async ({ point, days }) => {
      await writeDays(point, days, farmland);
      const model = shippedModel();
      const [wire, own] = await bothInsights(point, () => (search) => findField(search, model));
      expect(told(own)).toBe(told(wire));
      expect(pictureOf(own)).toBe(pictureOf(wire));
    },
  );

  testByHand('give the same boundary in the second round', async () => {
    await writeDays(IOWA, places[0]?.days ?? [], farmland);
    const model = shippedModel();
    const look: Look = async (search) => {
      const finding = await findField(search, model);
      return { ...finding, mayGrow: search.grid.width === 256 };
    };
    const [wire, own] = await bothInsights(IOWA, () => look);
    expect(own.record).toMatchObject({ searchRegion: { sideMeters: 5120 } });
    expect(told(own)).toBe(told(wire));
  });
});
