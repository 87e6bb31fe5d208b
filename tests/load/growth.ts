/** Whether what requests and sweeps cost grows with what is stored. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../shared/kit/clock.js';
import { ended, workOf, type Job } from '../../shared/jobs/job.js';
import { ingestWork } from '../../shared/enrollments/ingest/ingestEnrollment.js';
import { lanesOf } from '../../shared/work/lanes/lanes.js';
import { sweepLanes } from '../../shared/work/upkeep/sweepLanes.js';
import { sweepWork } from '../../shared/work/upkeep/sweepWork.js';
import { newItem } from '../../shared/work/item/workItem.js';
import { anEnrollment } from '../enrollments/builders.js';
import { cancelCall, createCall, fetchCall, getCall, listCall, type Call } from './calls.js';
import { withCountedService, type CountedService } from './countedService.js';
import { totalOf } from './requestLog.js';
import { markdownTable } from './writeSection.js';

/** Jobs that ended, and as many enrollments of one customer; customers are a fiftieth of them. */
const SIZES = [50, 500, 5_000] as const;
const CALLS = 50;
const YEAR_MS = 365 * 86_400_000;
const PARALLEL = 16;

const nothing = {
  send: () => Promise.resolve(),
  servedUntil: (now: number) => Promise.resolve(now),
};
const silent = (): void => undefined;

async function inParallel(count: number, one: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

const aJob = (tenant: string): Job => ({
  tenant,
  solution: 'partnerAgPowered.gdd',
  jobId: randomUUID(),
  e2eId: randomUUID(),
  status: 'WAITING',
  parameters: { crop: 'CORN' },
  createdAt: Date.now(),
  lastActionAt: Date.now(),
  epoch: 0,
});

/** What is stored grows to so many jobs, enrollments and customers. */
class Stored {
  readonly enrollmentIds: string[] = [];
  readonly #counted: CountedService;
  #jobs = 0;
  #customers = 1;

  constructor(counted: CountedService) {
    this.#counted = counted;
  }

  async growTo(size: number): Promise<void> {
    const { storage, loaded } = this.#counted;
    const { customer } = loaded.service;
    const more = size - this.#jobs;
    await inParallel(more, async () => {
      const job = aJob('tenant-of-the-past');
      await storage.jobs.insert(job, newItem(workOf(job), Date.now()));
      const [stored, open] = [await storage.jobs.find(job), await storage.jobs.findWork(job)];
      if (stored !== undefined)
        await storage.jobs.replace(stored, ended(job, { status: 'CANCELLED' }, Date.now()), open);
      const enrollment = anEnrollment({ customer, createdAt: Date.now() });
      await storage.enrollments.insert(enrollment);
      // Due in a year: nobody is to ingest what has no inputs.
      const inAYear = Date.now() + YEAR_MS;
      const item = newItem(ingestWork(enrollment), Date.now());
      await storage.openWork.insert({ ...item, notBefore: inAYear, checkAt: inAYear });
      this.enrollmentIds.push(enrollment.enrollmentId);
    });
    this.#jobs = size;
    const customers = size / SIZES[0];
    await inParallel(customers - this.#customers, () =>
      storage.customers.insert({ customer: randomUUID(), fieldLimit: 250, createdAt: Date.now() }),
    );
    this.#customers = customers;
  }
}

interface Cost {
  readonly operations: number;
  readonly cpuMs: number;
}

/** Cost of one request: operations, and CPU of the host. */
async function costOfCall({ caller, loaded, taken }: CountedService, call: (index: number) => Call): Promise<Cost> {
  await caller.json(call(CALLS));
  await taken();
  const cpu = loaded.hostCpuMs();
  for (let index = 0; index < CALLS; index += 1) await caller.json(call(index));
  const cpuMs = (loaded.hostCpuMs() - cpu) / CALLS;
  return { operations: totalOf(await taken()) / CALLS, cpuMs };
}

async function costOfSweep({ storage }: CountedService, sweep: () => Promise<unknown>): Promise<Cost> {
  const [requests, cpu] = [storage.requests, process.cpuUsage()];
  await sweep();
  const { user, system } = process.cpuUsage(cpu);
  return { operations: storage.requests - requests, cpuMs: (user + system) / 1000 };
}

function sweepsOf({ storage }: CountedService): Readonly<Record<string, () => Promise<unknown>>> {
  const ports = { clock: systemClock, log: silent };
  const { openWork, laneStore } = storage;
  const queues = () => nothing;
  const lanes = lanesOf({ ...ports, laneStore, queues, slotsOf: () => Promise.resolve(8) });
  const ofWork = { ...ports, store: openWork, queues, lanes, laneStore };
  return {
    'sweep of work': async () => {
      await sweepWork(ofWork)();
      await sweepLanes(ofWork)();
    },
  };
}

/** The cost of everything at the present size. */
async function costsNow(counted: CountedService, stored: Stored): Promise<ReadonlyMap<string, Cost>> {
  const { service } = counted.loaded;
  const ids = Array.from({ length: CALLS + 1 }, () => randomUUID());
  const id = (index: number): string => ids[index] ?? '';
  const calls: Readonly<Record<string, (index: number) => Call>> = {
    'gdd:create': (index) => createCall(service, id(index)),
    'gdd:fetch': (index) => fetchCall(service, id(index)),
    // Nobody works here: left open, these jobs would be what the sweeps find overdue.
    'gdd:cancel': (index) => cancelCall(service, id(index)),
    'get enrollment': (index) => getCall(service, stored.enrollmentIds[index] ?? ''),
    'list of 50': () => listCall(service),
  };
  const costs = new Map<string, Cost>();
  for (const [name, call] of Object.entries(calls)) costs.set(name, await costOfCall(counted, call));
  for (const [name, sweep] of Object.entries(sweepsOf(counted))) costs.set(name, await costOfSweep(counted, sweep));
  return costs;
}

/** Operations and CPU at 1, 10 and 100 times the rows. */
export function growthTable(): Promise<string> {
  return withCountedService({ functions: 'http' }, async (counted) => {
    const stored = new Stored(counted);
    const columns: ReadonlyMap<string, Cost>[] = [];
    for (const size of SIZES) {
      await stored.growTo(size);
      columns.push(await costsNow(counted, stored));
    }
    const names = [...(columns[0]?.keys() ?? [])];
    const text = (cost: Cost | undefined): string =>
      cost === undefined ? '' : `${Number(cost.operations.toFixed(2))} · ${cost.cpuMs.toFixed(1)} ms`;
    const head = ['operations · CPU', ...SIZES.map((size) => `${size} rows, ${size / SIZES[0]} customers`)];
    return markdownTable(
      head,
      names.map((name) => [name, ...columns.map((column) => text(column.get(name)))]),
    );
  });
}
