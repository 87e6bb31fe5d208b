import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ended, type Job } from '../../shared/jobs/job.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
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

const aJob = (): Job => ({
  tenant: randomUUID(),
  solution: 'partnerAgPowered.gdd',
  jobId: 'spring-corn',
  e2eId: randomUUID(),
  status: 'WAITING',
  parameters: {},
  createdAt: Date.now(),
  lastActionAt: Date.now(),
  attempt: 0,
  epoch: 0,
});

describe('a write of a job whose answer is lost', () => {
  test('is recognised as our own: a first and only insert is no conflict', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { around, lost } = losesFirstAnswers();
      const store = new TableJobStore(rowsOf('jobs', around));
      await expect(store.insert(aJob())).resolves.toBe(true);
      expect(lost()).toBeGreaterThan(0);
    }
  });

  test("is not mistaken for ours when it was another's", async () => {
    const job = aJob();
    await new TableJobStore(rowsOf('jobs')).insert(job);
    const { around } = losesFirstAnswers();
    const store = new TableJobStore(rowsOf('jobs', around));
    await expect(store.insert({ ...job, e2eId: randomUUID() })).resolves.toBe(false);
  });

  test('is recognised at a replacement and at the end', async () => {
    const job = aJob();
    const plain = new TableJobStore(rowsOf('jobs'));
    await plain.insert(job);
    const first = losesFirstAnswers();
    const replaced = await new TableJobStore(rowsOf('jobs', first.around)).replace((await plain.find(job))!, {
      ...job,
      attempt: 1,
    });
    expect(first.lost()).toBeGreaterThan(0);
    expect(replaced?.job.attempt).toBe(1);
    const second = losesFirstAnswers();
    const end = ended(replaced!.job, { status: 'CANCELLED' }, Date.now());
    await expect(new TableJobStore(rowsOf('jobs', second.around)).end(replaced!, end)).resolves.toBe(true);
    expect(second.lost()).toBeGreaterThan(0);
  });
});
