// What jobs on the service's own scenes saw and found on Node 20 and 22, byte for byte: `GOLDEN=write` writes it anew.
import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findField } from '../../../shared/boundary/job/findField.js';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import type { Insight } from '../../../shared/jobs/insight/jobInsight.js';
import { shippedModel } from '../predict/fixtures.js';
import { testInFull } from '../../support/fullRun.js';
import { ownBoundaryWorld, type OwnBoundaryWorld } from './ownBoundaryWorld.js';
import { farmland, speckled } from './tileScenes.js';
import { looksAtScenes, places, told, writeDays, type Look, type Place } from './scenePlaces.js';

const file = 'tests/boundary/job/ownScenesGolden.json';
const golden = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

function expectGolden(name: string, value: unknown): void {
  if (process.env['GOLDEN'] === 'write') {
    golden[name] = value;
    writeFileSync(file, `${JSON.stringify(golden, undefined, 2)}\n`);
  }
  expect(value).toEqual(golden[name]);
}

let folder: string;
let world: OwnBoundaryWorld | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'golden-'));
});
afterEach(async () => {
  await world?.close();
  world = undefined;
  rmSync(folder, { recursive: true });
});

/** What one job publishes of a point. */
async function insightAt([longitude, latitude]: Position, look: Look): Promise<Insight> {
  world = await ownBoundaryWorld({ scenes: folder, findField: look });
  const period = { imageStartDate: '2026-06-01', imageEndDate: '2026-06-12' };
  await world.create({ ...period, pointOnSurface: { longitude, latitude } });
  await world.drain();
  const [insight] = world.published;
  if (insight === undefined) throw new Error('The job has failed.');
  return insight;
}

describe('the scenes of a region', () => {
  testInFull.each(places)('are drawn as they were, in both rounds, at a point $why', async (place: Place) => {
    await writeDays(folder, place.point, place.days, speckled);
    const seen: unknown[] = [];
    await insightAt(place.point, looksAtScenes(seen));
    expect(seen).toHaveLength(2);
    expectGolden(
      place.why,
      seen.map((round) => hash('sha256', JSON.stringify(round))),
    );
  });

  testInFull.each(places.slice(-1))(
    'give the boundary that they gave at a point $why',
    async ({ point, days, why }) => {
      await writeDays(folder, point, days, farmland);
      const model = shippedModel();
      const insight = await insightAt(point, (search) => findField(search, model));
      expectGolden(`boundary ${why}`, {
        record: hash('sha256', told(insight)),
        files: Object.fromEntries(insight.files.map(({ contentType, data }) => [contentType, hash('sha256', data)])),
      });
    },
  );
});
