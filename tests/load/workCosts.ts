/** What whole pieces of work ask of storage: jobs from create to insight, enrollments, fields on days. */
import { BACKFILL } from '../../shared/imagery/discovery/backfill.js';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isEnded } from '../../shared/jobs/job.js';
import { createCall } from './calls.js';
import { withCountedService, type CountedService } from './countedService.js';
import { totalOf, type RequestCount } from './requestLog.js';
import { submissionCall } from './uploads.js';
import { markdownTable } from './writeSection.js';

const JOBS = 40;
const FIELDS = 100;
const DATES = 10;
const LOOK_MS = 1_000;
const PATIENCE_MS = 10 * 60_000;

/** Small scenes over fields, and the submission of these fields. */
export interface Harvest {
  readonly folder: string;
  readonly scenes: string;
  readonly geojson: string;
  readonly days: readonly string[];
  readonly fieldIds: readonly string[];
}

/**
 * Writes scenes of some days that show some fields; every fifth day has a cloud over a part of them.
 *
 * @param awayPixels from the corner at which four tiles meet: 1,200 have all fields in one cell of one tile
 */
export function newHarvest(fields: number, dates: number, awayPixels = 0): Harvest {
  const folder = mkdtempSync(join(tmpdir(), 'harvest-'));
  const program = [
    'infra/build/run.mjs',
    'tests/faults/imageryScenes.ts',
    folder,
    String(fields),
    String(dates),
    String(awayPixels),
  ];
  execFileSync(process.execPath, program, { stdio: ['ignore', 'ignore', 'inherit'] });
  const geojson = readFileSync(join(folder, 'fields.geojson'), 'utf8');
  const { features } = JSON.parse(geojson) as { features: { properties: { field_id: string } }[] };
  return {
    folder,
    scenes: join(folder, 'scenes'),
    geojson,
    days: JSON.parse(readFileSync(join(folder, 'days.json'), 'utf8')) as string[],
    fieldIds: features.map(({ properties }) => properties.field_id),
  };
}

/** The form part `request` for all days of a harvest and the layers. */
export const requestOf = ({ days }: Harvest, layers: readonly string[]): string =>
  JSON.stringify({
    image_source: 'sentinel-2-l2a',
    start_date: days[0],
    end_date: days.at(-1),
    layers: layers.map((layer) => ({ layer })),
  });

export const ALL_LAYERS = ['ndvi', 'vegetation', 'scouting', 'true-color'] as const;

/** Looks until something is so. @returns after how many seconds, at the earliest look that saw it */
export async function until(isSo: () => Promise<boolean>, everyMs = LOOK_MS): Promise<number> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error('It has not come about in ten minutes.');
    await pause(everyMs);
  }
  return (performance.now() - startedAt) / 1000;
}

/** How many days of the field are recorded. */
const recordedDays = async ({ storage, loaded }: CountedService, fieldId: string): Promise<number> =>
  (await storage.fieldDates.list(loaded.service.customer, fieldId)).length;

/** What a piece of work asked of storage, and what CPU it took of the functions host. */
interface WorkCost {
  readonly requests: RequestCount;
  readonly cpuMs: number;
}

async function costOf({ loaded, taken }: CountedService, work: () => Promise<unknown>): Promise<WorkCost> {
  await taken();
  const cpu = loaded.hostCpuMs();
  await work();
  const requests = await taken();
  return { requests, cpuMs: loaded.hostCpuMs() - cpu };
}

async function jobs(counted: CountedService): Promise<WorkCost> {
  const { caller, loaded, storage } = counted;
  const { service } = loaded;
  const { tid } = JSON.parse(Buffer.from(service.jwt.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
    readonly tid: string;
  };
  const isDone = async (jobId: string): Promise<boolean> => {
    const stored = await storage.jobs.find({ tenant: tid, solution: 'partnerAgPowered.gdd', jobId });
    return stored !== undefined && isEnded(stored.job);
  };
  const run = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) await caller.json(createCall(service, id));
    for (const id of ids) await until(() => isDone(id), 200);
  };
  await run([`warm-${randomUUID()}`]);
  return costOf(counted, () => run(Array.from({ length: JOBS }, () => randomUUID())));
}

async function fieldDates(counted: CountedService, harvest: Harvest): Promise<WorkCost> {
  const { caller, loaded, storage } = counted;
  const { apiKey } = loaded.service;
  return costOf(counted, async () => {
    await caller.json(submissionCall(apiKey, requestOf(harvest, ALL_LAYERS), harvest.geojson));
    await until(async () => {
      for (const fieldId of harvest.fieldIds) {
        if ((await recordedDays(counted, fieldId)) < harvest.days.length) return false;
      }
      return (await storage.openWork.list(BACKFILL)).length === 0;
    });
  });
}

const per = ({ requests, cpuMs }: WorkCost, divisor: number): readonly string[] => {
  const { tableReads, tableWrites, queue, blobReads, blobWrites } = requests;
  const numbers = [tableReads, tableWrites, queue, blobReads, blobWrites, totalOf(requests)];
  return [...numbers.map((number) => ((number * 1000) / divisor).toFixed(0)), `${(cpuMs / divisor).toFixed(0)} s`];
};

/** Storage operations of 1,000 jobs and of 1,000 fields on days. */
export async function workTable(): Promise<string> {
  const harvest = newHarvest(FIELDS, DATES);
  try {
    const environment = { STAC_DIR: harvest.scenes };
    return await withCountedService({ functions: 'all', environment }, async (counted) => {
      const rows = [
        ['1,000 GDD jobs', ...per(await jobs(counted), JOBS)],
        [
          `1,000 fields on days (${FIELDS} fields, ${DATES} days, four layers)`,
          ...per(await fieldDates(counted, harvest), FIELDS * DATES),
        ],
      ];
      return markdownTable(
        ['work', 'table reads', 'table writes', 'queue', 'blob reads', 'blob writes', 'all', 'host CPU'],
        rows,
      );
    });
  } finally {
    rmSync(harvest.folder, { recursive: true, force: true });
  }
}
