import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ended, leavesInsight, running, type Job } from '../../shared/jobs/job.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import { takenOver } from '../../shared/work/item/workItem.js';
import { aJob as jobLike, workOfJob } from '../jobs/aJob.js';
import { rowsOf, type Exchange } from './storage.js';

/** Loses the answer of the first try of each write: the write is done, the client sees a broken connection. */
function losesFirstAnswers(): { readonly around: Exchange; readonly lost: () => number } {
  let lost = 0;
  let isArmed = true;
  return {
    lost: () => lost,
    around: async (send) => {
      await send();
      isArmed = !isArmed;
      if (isArmed) return;
      lost += 1;
      throw Object.assign(new Error('socket hang up'), { name: 'RestError', code: 'ECONNRESET' });
    },
  };
}

/** In the future: the sweep of the running service leaves these jobs alone. */
const START = Date.parse('2031-06-15T12:00:00Z');

const aJob = (): Job => jobLike({ tenant: randomUUID(), e2eId: randomUUID(), createdAt: START, lastActionAt: START });

describe('a write of a job whose answer is lost', () => {
  const plain = new JobStore(rowsOf('work'));
  const insert = (store: JobStore, job: Job): Promise<boolean> => store.insert(job, workOfJob(job));

  /** Does a write whose answer is lost at first. */
  async function unanswered<T>(write: (store: JobStore) => Promise<T>): Promise<T> {
    const { around, lost } = losesFirstAnswers();
    const written = await write(new JobStore(rowsOf('work', around)));
    expect(lost()).toBeGreaterThan(0);
    return written;
  }

  test('is recognised as our own: a first and only insert is no conflict', async () => {
    for (let round = 0; round < 20; round += 1) {
      const job = aJob();
      await expect(unanswered((store) => insert(store, job))).resolves.toBe(true);
      expect((await plain.findWork(job))?.item).toEqual(workOfJob(job));
    }
  });

  test("is not mistaken for ours when it was another's", async () => {
    const job = aJob();
    await insert(plain, job);
    const another = { ...job, e2eId: randomUUID() };
    await expect(unanswered((store) => insert(store, another))).resolves.toBe(false);
  });

  test('is recognised at a replacement, at the end and when the work is closed', async () => {
    const job = aJob();
    await insert(plain, job);
    const become = async (next: Job): Promise<boolean> => {
      const [stored, work] = [(await plain.find(job))!, (await plain.findWork(job))!];
      return unanswered((store) => store.replace(stored, next, work, { item: takenOver(work.item, next, START) }));
    };
    const begun = running(job, { epoch: START }, START);
    await expect(become(begun)).resolves.toBe(true);
    const cancelled = ended(begun, { status: 'CANCELLED' }, START);
    expect(leavesInsight(cancelled)).toBe(true);
    await expect(become(cancelled)).resolves.toBe(true);
    expect((await plain.find(job))?.job).toEqual(cancelled);
    const stored = (await plain.find(job))!;
    await expect(unanswered((store) => store.closeWork(stored, START))).resolves.toBe(true);
    await expect(plain.findWork(job)).resolves.toBeUndefined();
  });

  test('is recognised at an end behind which nothing is left to be done', async () => {
    const job = aJob();
    await insert(plain, job);
    const [stored, work] = [(await plain.find(job))!, await plain.findWork(job)];
    const cancelled = ended(job, { status: 'CANCELLED' }, START);
    await expect(unanswered((store) => store.replace(stored, cancelled, work))).resolves.toBe(true);
    await expect(plain.findWork(job)).resolves.toBeUndefined();
  });
});
