import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { JobStatus } from '../../shared/jobs/job.js';
import { JobsInTables } from './jobsInTables.js';

const ENDS = ['SUCCEEDED', 'FAILED', 'CANCELLED'] as const satisfies readonly JobStatus[];
const COUNT = 36;
const jobIds = Array.from({ length: COUNT }, (_, index) => `job-${String(index).padStart(2, '0')}`);
const third = COUNT / 3;

let jobs: JobsInTables;
/** What callers were told before everything was lost. */
let told: Map<string, JobStatus>;
let endedMeanwhile = 0;

/**
 * A third of the jobs has ended before the export and a third is open after it. One of the last third ends whenever its own
 * row is the next that is read: an export has rows of that job as they were before, and rows as they were after.
 */
beforeEach(async () => {
  jobs = new JobsInTables();
  told = new Map();
  await jobs.open();
  await Promise.all(jobIds.map((jobId) => jobs.create(jobId)));
  const endNow = async (jobId: string): Promise<void> => {
    const status = ENDS[told.size % ENDS.length]!;
    await jobs.end(jobId, status);
    told.set(jobId, status);
  };
  for (const jobId of jobIds.slice(0, third)) await endNow(jobId);
  const meanwhile = new Set(jobIds.slice(third, 2 * third));
  await jobs.export(async (nextJobId) => {
    if (meanwhile.delete(nextJobId)) await endNow(nextJobId);
  });
  endedMeanwhile = told.size - third;
  await jobs.loseAndRestore();
});
afterEach(() => jobs.close());

/** What is done by itself after the restore, until nothing is left to do. */
const untilQuiet = (): Promise<void> => jobs.sweepFor(3);
const statuses = async (): Promise<Record<string, JobStatus | undefined>> =>
  Object.fromEntries(await Promise.all(jobIds.map(async (jobId) => [jobId, await jobs.statusOf(jobId)] as const)));

describe('jobs that ended while their rows were being exported', () => {
  test('are all there after the restore, and those that came back open end', async () => {
    expect(endedMeanwhile).toBeGreaterThan(third / 2);
    for (const [jobId, status] of told) expect([status, 'WAITING', 'RUNNING']).toContain(await jobs.statusOf(jobId));
    await untilQuiet();
    const after = Object.values(await statuses());
    expect(after.filter((status) => !ENDS.some((end) => end === status))).toEqual([]);
  });

  test('are in the lists of their tenant as soon as the restore is done', async () => {
    expect(await jobs.list()).toEqual(await statuses());
  });

  test('are opened again by the operator where they have FAILED, and then succeed', async () => {
    await untilQuiet();
    const failed = Object.entries(await statuses()).filter(([, status]) => status === 'FAILED');
    expect(failed.length).toBeGreaterThan(third / 3);
    const refused: string[] = [];
    for (const [jobId] of failed) await jobs.redrive(jobId).catch((error: unknown) => refused.push(String(error)));
    expect(refused).toEqual([]);
    await untilQuiet();
    expect(Object.values(await statuses()).filter((status) => status === 'FAILED')).toEqual([]);
  });

  test('are deleted when their time is over, every one, and then the tenant can be removed', async () => {
    await untilQuiet();
    await jobs.purge();
    expect(Object.entries(await statuses()).filter(([, status]) => status !== undefined)).toEqual([]);
    await expect(jobs.removeTenant()).resolves.toEqual({ removed: jobs.tenant });
  });
});
