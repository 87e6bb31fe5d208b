import { describe, expect, test } from '@jest/globals';
import { ended, failing, redriven, running, type Job } from '../../shared/jobs/job.js';
import { changeOf, jobPartitionOf, jobRow } from '../../shared/jobs/jobRows.js';
import { firstRerun, withRerun } from '../../shared/jobs/rerun.js';
import { workPartitions } from '../../shared/work/item/workStore.js';
import { aJob, START } from './aJob.js';

const POSITION = `${9_999_999_999_999 - START}|spring-corn|gdd`;
const ALL = `LIST|tenant-a|gdd|*|${POSITION}`;
const listed = (status: Job['status']): string => `LIST|tenant-a|gdd|${status}|${POSITION}`;
const JOB = 'JOB|tenant-a|gdd|spring-corn';
const done = (day: string): string => `DONE|${day}|tenant-a|gdd|spring-corn`;

const DAY_MS = 86_400_000;
const waits = aJob();
const runs = running(waits, { epoch: START }, START + 1);
const outage = { dependency: 'the weather services', code: 'X', since: START, until: START + 9, refusals: 1 };
const failed = ended(runs, { status: 'FAILED', failure: 'GDD-05000: x' }, START + DAY_MS);
const succeeded = ended(runs, { status: 'SUCCEEDED', insightId: 'i' }, START + DAY_MS);
const lacking = withRerun(succeeded, firstRerun('the newest forecast', START));

/** Each write in a word and the key of its row. */
const writesOf = (job: Job, next: Job): string[] =>
  changeOf({ job, etag: 'as read' }, next)
    .map((action) => Object.entries(action)[0] as [string, string])
    .map(([write, rowKey]) => `${write} ${rowKey}`)
    .sort();

describe('the writes that make a job the next one', () => {
  test.each<{ what: string; job: Job; next: Job; writes: readonly string[] }>([
    {
      what: 'a job that begins moves in the lists, and is on no index of ended jobs',
      job: waits,
      next: runs,
      writes: [`delete ${listed('WAITING')}`, `put ${ALL}`, `put ${listed('RUNNING')}`],
    },
    { what: 'one that begins once more is written alone', job: runs, next: { ...runs, epoch: START + 9 }, writes: [] },
    {
      what: 'one that is refused is written alone',
      job: runs,
      next: failing(runs, { failure: 'X', outage }, START + 2),
      writes: [],
    },
    {
      what: 'one that ends moves in the lists and comes to the index of its last day',
      job: runs,
      next: failed,
      writes: [`delete ${listed('RUNNING')}`, `put ${done('2026-06-16')}`, `put ${ALL}`, `put ${listed('FAILED')}`],
    },
    {
      what: 'one that is cancelled before it began is the same',
      job: waits,
      next: ended(waits, { status: 'CANCELLED' }, START),
      writes: [`delete ${listed('WAITING')}`, `put ${done('2026-06-15')}`, `put ${ALL}`, `put ${listed('CANCELLED')}`],
    },
    {
      what: 'one whose insight is taken back keeps its entries: the entry of the index is the fence of its deletion',
      job: failed,
      next: { ...failed, epoch: failed.epoch + 1 },
      writes: [],
    },
    { what: 'and so does one that runs again', job: lacking, next: { ...lacking, epoch: START + 9 }, writes: [] },
    { what: 'and one that does so no more', job: lacking, next: succeeded, writes: [] },
    {
      what: 'one that is opened again moves in the lists and leaves the index of the day on which it had ended',
      job: failed,
      next: redriven(failed, 'ada', START + 3 * DAY_MS),
      writes: [`delete ${done('2026-06-16')}`, `delete ${listed('FAILED')}`, `put ${ALL}`, `put ${listed('WAITING')}`],
    },
  ])('$what', ({ job, next, writes }) => {
    expect(writesOf(job, next)).toEqual([...writes, `update ${JOB}`].sort());
  });

  test('are refused when the job is not as it was read', () => {
    expect(changeOf({ job: waits, etag: 'as read' }, runs)).toContainEqual({
      update: JOB,
      value: jobRow(runs),
      etag: 'as read',
    });
  });
});

test('the rows of a job lie in one of the eight partitions of work items', () => {
  expect(workPartitions).toHaveLength(8);
  expect(workPartitions).toContain(jobPartitionOf(waits));
});
