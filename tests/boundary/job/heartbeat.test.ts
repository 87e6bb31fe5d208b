import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderScene } from '../../../tools/scenes/renderScene.js';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import { fileOfBand } from '../../../shared/boundary/stack/sceneStack.js';
import type { FieldSearch } from '../../../shared/boundary/job/findField.js';
import { searchRegion } from '../../../shared/boundary/stack/searchRegion.js';
import { TaskProcess } from '../../../shared/wiring/beside/taskProcess.js';
import type { JobWork } from '../../../shared/jobs/steps/jobWork.js';
import { insightOf } from '../../jobs/works.js';
import { JOB_LEASE_MS, JobsInMemory } from '../../support/jobsInMemory.js';

const POINT: Position = [-92.9819, 41.5046];
const HEARTBEAT_MS = JOB_LEASE_MS / 3;
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
  await build({ entryPoints: ['shared/wiring/beside/worker.ts'], outfile, logLevel: 'error', ...form });
  cpSync('shared/boundary/assets', join(folder, 'assets'), { recursive: true });
  beside = new TaskProcess({ file: pathToFileURL(outfile), heapMb: 640, limitMs: 240_000, idleMs: 60_000 });
});
afterAll(async () => {
  await beside.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A search in the region that is looked at first: its prediction lasts for many turns of the event loop. */
function aSearch(): FieldSearch {
  const { grid } = searchRegion(POINT, 0);
  const { bands, scl } = renderScene({ ...grid, date: '2026-06-08' }, { cloudFraction: 0 });
  const { width, height } = grid;
  const cut = (data: Uint16Array | Uint8Array) => ({ grid, pixels: { width, height, bands: 1, data } });
  const cuts = Object.fromEntries(Object.entries(fileOfBand).map(([band, file]) => [file, cut(bands[band as 'B02'])]));
  return {
    grid,
    point: POINT,
    scenes: [{ id: 's', date: '2026-06-08', pass: 'p', cuts: { ...cuts, scl: cut(scl) } }],
  };
}

describe('the lease of a boundary job', () => {
  test('is renewed on time all through a prediction', async () => {
    const search = aSearch();
    const progress: { isAnswered: boolean } = { isAnswered: false };
    const predicts: JobWork = async (_job, insightId) => {
      const { answer } = await beside.run('findField', search);
      progress.isAnswered = true;
      expect(answer?.dates).toMatchObject([{ isUsed: true }]);
      return { kind: 'done', insight: insightOf(insightId) };
    };
    const instance = new JobsInMemory(predicts);
    const { clock } = instance;
    await instance.create();
    const attempt = instance.run();
    // Each turn of the event loop is a heartbeat's time; a prediction on the loop itself would leave a few turns.
    let heartbeats = 0;
    while (heartbeats < BEATS && !progress.isAnswered) {
      await clock.advance(HEARTBEAT_MS);
      heartbeats += 1;
      expect((await instance.item())?.notBefore).toBe(clock.now().getTime() + JOB_LEASE_MS);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await attempt;
    expect(heartbeats).toBe(BEATS);
    expect(instance.events).toEqual(['Job:Succeeded']);
  });
});
