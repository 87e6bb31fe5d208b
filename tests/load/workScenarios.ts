/** Loads that are no rate of requests: uploads of 50 MB, the pick-up of jobs, the backfill of an enrollment. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Caller, createCall, fetchCall, getCall, type Call } from './calls.js';
import { percentilesOf } from './percentiles.js';
import { startLoadedService, type LoadedService, type ServiceOptions } from './runningService.js';
import { StorageOfService } from './storageOfService.js';
import { submissionCall, submitCall } from './uploads.js';
import { ALL_LAYERS, newHarvest, requestOf, until } from './workCosts.js';

const LARGEST_BYTES = 50 * 1024 * 1024;
const ROUNDS = 3;
const PICK_UPS = 40;
const PICK_UP_PAUSE_MS = 500;
/** Fields and days of the measured backfill. */
const BACKFILL = { fields: 100, dates: 10 } as const;

/** One line of the result: what was measured, what it came to, what it may be at most or must be at least. */
export interface Finding {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly gate: number;
  readonly gateIs: 'at most' | 'at least';
}

interface Lent {
  readonly loaded: LoadedService;
  readonly caller: Caller;
}

async function withService<T>(options: ServiceOptions, work: (lent: Lent) => Promise<T>): Promise<T> {
  const loaded = await startLoadedService(options);
  const caller = new Caller(loaded.service.baseUrl);
  try {
    return await work({ loaded, caller });
  } finally {
    caller.close();
    await loaded.stop();
  }
}

const idOf = (answer: unknown): string => (answer as { readonly enrollment_id: string }).enrollment_id;

async function untilIngested({ loaded, caller }: Lent, id: string): Promise<void> {
  await until(async () => {
    const { status } = (await caller.json(getCall(loaded.service, id))) as { readonly status: string };
    if (status === 'failed') throw new Error('An enrollment failed.');
    return status === 'completed';
  }, 250);
}

/** Sends uploads at once. @returns milliseconds until all are accepted, and how the host was until all are ingested */
async function upload(lent: Lent, calls: readonly Call[]) {
  const [since, startedAt] = [Date.now(), performance.now()];
  const ids = (await Promise.all(calls.map((call) => lent.caller.json(call)))).map(idOf);
  const acceptedMs = performance.now() - startedAt;
  for (const id of ids) await untilIngested(lent, id);
  return { acceptedMs, ...lent.loaded.hostFiguresSince(since) };
}

type Uploaded = Awaited<ReturnType<typeof upload>>;

/** Uploads of 50 MB, one by one and two at once, each until it is ingested. */
export const submit50mb = (): Promise<readonly Finding[]> =>
  withService({ functions: 'all' }, async (lent) => {
    const bodies = (count: number): readonly Call[] =>
      Array.from({ length: count }, () => submitCall(lent.loaded.service, randomUUID(), LARGEST_BYTES));
    await upload(lent, bodies(1));
    const [one, two]: [Uploaded[], Uploaded[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) one.push(await upload(lent, bodies(1)));
    for (let round = 0; round < ROUNDS; round += 1) two.push(await upload(lent, bodies(2)));
    const most = (uploads: readonly Uploaded[], name: keyof Uploaded): number =>
      Math.max(...uploads.map((figures) => figures[name]));
    return [
      atMost('50 MB accepted, slowest of three', most(one, 'acceptedMs') / 1000, 's', 10),
      atMost('memory of the host with one', most(one, 'rssMb'), 'MB', 600),
      atMost('memory of the host with two at once', most(two, 'rssMb'), 'MB', 900),
      atMost('longest standstill of the event loop', most([...one, ...two], 'loopDelayMs'), 'ms', 200),
    ];
  });

interface Job {
  readonly jobCreatedDateTime: string;
  readonly jobProcessingStartDateTime?: string;
}

/** From WAITING to RUNNING, as the job itself tells. */
export const pickUp = (): Promise<readonly Finding[]> =>
  withService({ functions: 'all' }, async ({ loaded: { service }, caller }) => {
    const ids = Array.from({ length: PICK_UPS }, () => randomUUID());
    for (const id of ids) {
      await caller.json(createCall(service, id));
      await pause(PICK_UP_PAUSE_MS);
    }
    const waits: number[] = [];
    for (const id of ids) {
      const job = (await caller.json(fetchCall(service, id))) as Job;
      const startedAt = Date.parse(job.jobProcessingStartDateTime ?? '');
      waits.push((startedAt - Date.parse(job.jobCreatedDateTime)) / 1000);
    }
    const { p50, p95 } = percentilesOf(waits.map((wait) => (Number.isNaN(wait) ? Infinity : wait)));
    return [atMost('WAITING to RUNNING, median', p50, 's', 1), atMost('WAITING to RUNNING, p95', p95, 's', 1)];
  });

/** From the submission to the last field on the last day. */
export async function backfill(): Promise<readonly Finding[]> {
  const harvest = newHarvest(BACKFILL.fields, BACKFILL.dates);
  try {
    return await withService({ functions: 'all', environment: { STAC_DIR: harvest.scenes } }, async (lent) => {
      const { loaded, caller } = lent;
      const storage = new StorageOfService(loaded);
      const [startedAt, since] = [performance.now(), Date.now()];
      await caller.json(submissionCall(loaded.service.apiKey, requestOf(harvest, ALL_LAYERS), harvest.geojson));
      await until(async () => {
        const days = await Promise.all(
          harvest.fieldIds.map((id) => storage.fieldDates.list(loaded.service.customer, id)),
        );
        return days.every(({ length }) => length === harvest.days.length);
      });
      const seconds = (performance.now() - startedAt) / 1000;
      const count = harvest.fieldIds.length * harvest.days.length;
      const { rssMb, loopDelayMs } = loaded.hostFiguresSince(since);
      return [
        {
          what: `fields on days, ${count} with four layers`,
          value: count / seconds,
          unit: '/s',
          gate: 5,
          gateIs: 'at least',
        },
        atMost('1,000 fields on a day, at that pace', 1_000 / (count / seconds) / 60, 'min', 10),
        atMost('memory of the host', rssMb, 'MB', 2_867),
        atMost('longest standstill of the event loop', loopDelayMs, 'ms', 1_000),
      ];
    });
  } finally {
    rmSync(harvest.folder, { recursive: true, force: true });
  }
}

const atMost = (what: string, value: number, unit: string, gate: number): Finding => ({
  what,
  value,
  unit,
  gate,
  gateIs: 'at most',
});

export const workScenarios: Readonly<Record<string, () => Promise<readonly Finding[]>>> = {
  'submit-50mb': submit50mb,
  'pick-up': pickUp,
  backfill,
};
