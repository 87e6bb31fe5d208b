import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import type { Insight } from '../../../shared/jobs/insight/jobInsight.js';
import { findField } from '../../../shared/boundary/job/findField.js';
import { shippedModel } from '../predict/fixtures.js';
import { testByHand, testInFull } from '../../support/fullRun.js';
import { boundaryWorld } from './jobUnderTest.js';
import { ownBoundaryWorld } from './ownBoundaryWorld.js';
import { farmland, speckled, type SceneFolders } from './sameScenes.js';
import { IOWA, looksAtScenes, pictureOf, places, told, writeDays, type Look, type Place } from './scenePlaces.js';

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

/** One job by wire and one of the service's own data manager look at the same pixels of the same days. */
async function areTheSame({ point, days }: Place): Promise<void> {
  await writeDays(folders, point, days, speckled);
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
      await writeDays(folders, point, days, farmland);
      const model = shippedModel();
      const [wire, own] = await bothInsights(point, () => (search) => findField(search, model));
      expect(told(own)).toBe(told(wire));
      expect(pictureOf(own)).toBe(pictureOf(wire));
    },
  );

  testByHand('give the same boundary in the second round', async () => {
    await writeDays(folders, IOWA, places[0]?.days ?? [], farmland);
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
