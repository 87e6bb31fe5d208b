import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderScene } from '../../infra/local/scenes/renderScene.js';
import type { Position } from '../../shared/geo/geoJson.js';
import { Attempt } from '../../shared/jobs/attempt.js';
import type { Job } from '../../shared/jobs/job.js';
import { encodeCog } from '../../shared/raster/encodeCog.js';
import type { FieldSearch } from '../../shared/smartBoundary/findField.js';
import { searchRegion } from '../../shared/smartBoundary/searchRegion.js';
import { TaskProcess } from '../../shared/worker/taskProcess.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryRows } from '../support/memoryRows.js';

const POINT: Position = [-92.9819, 41.5046];
const LEASE_MS = 60_000;
const HEARTBEAT_MS = LEASE_MS / 3;
/** Fewer than an attempt's deadline of fifteen minutes allows. */
const BEATS = 20;

/** What the service brings together: the bundled worker, its assets beside it. */
let folder: string;
let beside: TaskProcess;
beforeAll(async () => {
  mkdirSync('build/test', { recursive: true });
  folder = mkdtempSync(resolve('build/test', 'heartbeat-'));
  const outfile = join(folder, 'worker.mjs');
  const form = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external' } as const;
  await build({ entryPoints: ['shared/worker/worker.ts'], outfile, logLevel: 'error', ...form });
  cpSync('shared/assets', join(folder, 'assets'), { recursive: true });
  beside = new TaskProcess({ file: pathToFileURL(outfile), heapMb: 640, limitMs: 240_000, idleMs: 60_000 });
});
afterAll(async () => {
  await beside.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A search in the region that is looked at first: its prediction lasts for many turns of the event loop. */
async function aSearch(): Promise<FieldSearch> {
  const { grid } = searchRegion(POINT, 0);
  const { bands, scl } = renderScene({ ...grid, date: '2026-06-08' }, { cloudFraction: 0 });
  const images: Record<string, Uint8Array> = {};
  for (const [name, data] of Object.entries({ ...bands, SCL: scl })) {
    const pixels = { width: grid.width, height: grid.height, bands: 1, data };
    images[name] = await encodeCog({ grid, pixels, nodata: 0 });
  }
  return { grid, point: POINT, scenes: [{ id: 's', date: '2026-06-08', images }] };
}

async function claimedJob(clock: ManualClock) {
  const jobs = new TableJobStore(new MemoryRows());
  const now = clock.now().getTime();
  const job: Job = {
    tenant: 'tenant-a',
    solution: 'partnerAgPowered.smartBoundary',
    jobId: 'north-field',
    e2eId: 'e',
    status: 'RUNNING',
    parameters: {},
    createdAt: now,
    lastActionAt: now,
    startedAt: now,
    attempt: 1,
    epoch: 1,
    lease: { token: 'mine', until: now + LEASE_MS },
  };
  await jobs.insert(job);
  const stored = (await jobs.find(job))!;
  return { jobs, job, attempt: new Attempt({ jobs, clock }, stored, LEASE_MS) };
}

describe('the lease of a boundary job', () => {
  test('is renewed on time all through a prediction', async () => {
    const clock = new ManualClock();
    const { jobs, job, attempt } = await claimedJob(clock);
    const progress: { isAnswered: boolean } = { isAnswered: false };
    const answer = beside.run('findField', await aSearch()).finally(() => {
      progress.isAnswered = true;
    });
    // Each turn of the event loop is a heartbeat's time; a prediction on the loop itself would leave a few turns.
    let heartbeats = 0;
    while (heartbeats < BEATS && !progress.isAnswered) {
      await clock.advance(HEARTBEAT_MS);
      heartbeats += 1;
      expect((await jobs.find(job))?.job.lease?.until).toBe(clock.now().getTime() + LEASE_MS);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { answer: found } = await answer;
    await attempt.finish();
    expect(found?.dates).toMatchObject([{ isUsed: true }]);
    expect(heartbeats).toBe(BEATS);
    expect(attempt.signal.aborted).toBe(false);
  });
});
