/** The requests that come at a rate, with the gates that reliability sets for this machine. */
import { randomUUID } from 'node:crypto';
import { anEnrollment } from '../enrollments/builders.js';
import { Caller, cancelCall, createCall, fetchCall, listCall, sasCall, type Call } from './calls.js';
import type { LoadedService } from './runningService.js';
import { StorageOfService } from './storageOfService.js';
import { submitCall } from './uploads.js';

/** What a percentile may be at most at the full rate, milliseconds. */
export interface Gate {
  readonly percentile: 'p95' | 'p99';
  readonly mostMs: number;
}

export interface RateScenario {
  readonly name: string;
  /** Requests a second that are 100 %. */
  readonly target: number;
  readonly gate: Gate;
  /** Makes what the calls need; done before the time runs. */
  readonly prepare: (loaded: LoadedService, caller: Caller) => Promise<void>;
  /** So many calls, each to be sent once. */
  readonly calls: (loaded: LoadedService, caller: Caller, count: number) => Promise<readonly Call[]>;
}

const PARALLEL = 16;
const LISTED = 10_000;
const MEGABYTE = 1024 * 1024;
const nothing = (): Promise<void> => Promise.resolve();

/** Does something so often, a few at a time. */
async function inParallel<T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results.push(await one(index));
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}

/** Creates jobs that wait: on an instance of the HTTP group nobody works on them. */
const newJobs = ({ service }: LoadedService, caller: Caller, count: number): Promise<string[]> =>
  inParallel(count, async () => {
    const id = randomUUID();
    await caller.json(createCall(service, id));
    return id;
  });

/** Gives the customer so many enrollments, as their store writes them; none is to be worked on. */
async function newEnrollments(loaded: LoadedService, count: number): Promise<void> {
  const { enrollments } = new StorageOfService(loaded);
  await inParallel(count, async () => {
    const enrollment = anEnrollment({ customer: loaded.service.customer, createdAt: Date.now() });
    await enrollments.insert(enrollment);
  });
}

const repeated = (count: number, call: Call): readonly Call[] => Array.from({ length: count }, () => call);

const fetched: { ids: readonly string[] } = { ids: [] };

export const rateScenarios: readonly RateScenario[] = [
  {
    name: 'create',
    target: 100,
    gate: { percentile: 'p99', mostMs: 250 },
    prepare: nothing,
    calls: ({ service }, _caller, count) =>
      Promise.resolve(Array.from({ length: count }, () => createCall(service, randomUUID()))),
  },
  {
    name: 'fetch',
    target: 300,
    gate: { percentile: 'p99', mostMs: 150 },
    prepare: async (loaded, caller) => {
      fetched.ids = await newJobs(loaded, caller, 200);
    },
    calls: ({ service }, _caller, count) =>
      Promise.resolve(
        Array.from({ length: count }, (_, index) => fetchCall(service, fetched.ids[index % fetched.ids.length] ?? '')),
      ),
  },
  {
    name: 'cancel',
    target: 30,
    gate: { percentile: 'p99', mostMs: 150 },
    prepare: nothing,
    calls: async (loaded, caller, count) =>
      (await newJobs(loaded, caller, count)).map((id) => cancelCall(loaded.service, id)),
  },
  {
    name: 'sas',
    target: 100,
    gate: { percentile: 'p95', mostMs: 150 },
    prepare: nothing,
    calls: ({ service }, _caller, count) => Promise.resolve(repeated(count, sasCall(service))),
  },
  {
    name: 'submit-1mb',
    target: 1,
    gate: { percentile: 'p95', mostMs: 1_000 },
    prepare: nothing,
    calls: ({ service }, _caller, count) =>
      Promise.resolve(Array.from({ length: count }, () => submitCall(service, randomUUID(), MEGABYTE))),
  },
  {
    name: 'list',
    target: 5,
    gate: { percentile: 'p95', mostMs: 300 },
    prepare: (loaded) => newEnrollments(loaded, LISTED),
    calls: ({ service }, _caller, count) => Promise.resolve(repeated(count, listCall(service))),
  },
];
