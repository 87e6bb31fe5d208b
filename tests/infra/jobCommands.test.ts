import { describe, expect, test } from '@jest/globals';
import { runJobCommand } from '../../infra/local/jobs/jobCommands.js';
import { ended, type Job } from '../../shared/jobs/job.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import { aJob as jobLike, workOfJob } from '../jobs/aJob.js';
import { ManualClock } from '../support/manualClock.js';
import { WorkInMemory } from '../support/workInMemory.js';

const NOON = Date.parse('2026-06-15T12:00:00Z');

const aJob = (changes: Partial<Job>): Job => jobLike({ status: 'RUNNING', startedAt: NOON, epoch: NOON, ...changes });

/** An operator who looks at two failed jobs of two tenants and one that runs. */
async function anOperator() {
  const clock = new ManualClock('2026-06-15T13:00:00Z');
  const kernel = new WorkInMemory(() => clock);
  const jobs = new JobStore(kernel.rows);
  const logged: string[] = [];
  for (const [tenant, minute] of [
    ['tenant-a', 1],
    ['tenant-b', 2],
  ] as const) {
    const job = aJob({ tenant });
    await jobs.insert(job, workOfJob(job));
    const end = { status: 'FAILED', failure: 'GDD-05000: An attempt ended.' } as const;
    // Its insight was taken back: nothing is left to be done.
    await jobs.replace((await jobs.find(job))!, ended(job, end, NOON + minute * 60_000), await jobs.findWork(job));
  }
  const runs = aJob({ jobId: 'runs' });
  await jobs.insert(runs, workOfJob(runs));
  const operator = {
    jobs,
    work: kernel.enqueuer,
    clock,
    log: (event: string) => void logged.push(event),
    whoAsks: () => Promise.resolve('ada@example.com'),
  };
  const run = (...argv: string[]) => runJobCommand(argv, () => operator);
  return { run, jobs, kernel, logged };
}

describe('npm run jobs', () => {
  test('lists failed jobs, the latest first, with their reasons', async () => {
    const { run } = await anOperator();
    expect(await run('list')).toEqual([
      {
        tenant: 'tenant-b',
        solution: 'partnerAgPowered.gdd',
        jobId: 'spring-corn',
        lastAction: '2026-06-15T12:02:00.000Z',
        failure: 'GDD-05000: An attempt ended.',
      },
      expect.objectContaining({ tenant: 'tenant-a' }),
    ]);
    expect(await run('list', 'RUNNING')).toEqual([expect.objectContaining({ jobId: 'runs' })]);
    expect(await run('list', '--tenant', 'tenant-a')).toHaveLength(1);
  });

  test('shows one job with its instants as text', async () => {
    const { run } = await anOperator();
    expect(await run('show', 'tenant-a', 'gdd', 'spring-corn')).toMatchObject({
      status: 'FAILED',
      createdAt: '2026-06-15T12:00:00.000Z',
      endedAt: '2026-06-15T12:01:00.000Z',
    });
    await expect(run('show', 'tenant-a', 'smartBoundary', 'spring-corn')).rejects.toThrow('no job spring-corn');
  });

  test('opens a failed job again, for its tenant alone, and remembers who did so', async () => {
    const { run, jobs, kernel, logged } = await anOperator();
    expect(await run('redrive', 'tenant-a', 'gdd', 'spring-corn')).toMatchObject({
      status: 'WAITING',
      createdAt: '2026-06-15T12:00:00.000Z',
      redrives: [{ at: '2026-06-15T13:00:00.000Z', by: 'ada@example.com', failure: 'GDD-05000: An attempt ended.' }],
    });
    expect(kernel.sent.map(({ kind, id }) => [kind, id])).toEqual([['gdd', 'tenant-a|spring-corn']]);
    expect((await jobs.findWork(aJob({})))?.item).toMatchObject({ attempts: 0, failures: {} });
    expect((await jobs.find(aJob({ tenant: 'tenant-b' })))?.job.status).toBe('FAILED');
    expect(logged).toEqual(['Job:Redriven']);
    await expect(run('redrive', 'tenant-a', 'gdd', 'runs')).rejects.toThrow('only a FAILED job is opened again');
  });

  test.each([
    [[]],
    [['drop']],
    [['redrive']],
    [['redrive', 'tenant-a', 'crops', 'spring-corn']],
    [['list', 'BROKEN']],
    [['list', '--all']],
  ])('says how it is used when it is given %j', async (argv) => {
    const { run } = await anOperator();
    await expect(run(...argv)).rejects.toThrow('npm run jobs -- redrive <tid>');
  });
});
