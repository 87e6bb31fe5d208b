import { beforeEach, describe, expect, test } from '@jest/globals';
import { noticeOfEnd } from '../../../shared/jobs/steps/jobNotices.js';
import { JobFailure } from '../../../shared/kit/errors/serviceError.js';
import { gddJobFaults } from '../../../shared/kit/errors/catalogue.js';
import { isEnded } from '../../../shared/jobs/job.js';
import { noOutbox, outboxOf } from '../../../shared/notices/log/outbox.js';
import { workPartitionOf } from '../../../shared/work/item/workStore.js';
import { NoticesUnderTest, tenantOwner } from './noticesUnderTest.js';

let world: NoticesUnderTest;
beforeEach(() => {
  world = new NoticesUnderTest();
});

describe('the end of a job', () => {
  test('is told when it SUCCEEDED, once, with what its webhooks wait for', async () => {
    await world.listeners.listen(tenantOwner);
    await world.jobs.create();
    await world.jobs.run();
    await world.relayAll();
    const notice = noticeOfEnd(await world.jobs.job());
    expect(await world.told()).toEqual([`partner.job.succeeded ${notice.id}`]);
    expect(world.woken).toEqual([[tenantOwner, ['partner.job.succeeded']]]);
    expect(await world.open()).toEqual([]);
  });

  test('is told when it FAILED', async () => {
    const fails = (): Promise<never> => Promise.reject(new JobFailure(gddJobFaults.fieldNotFound, 'no field'));
    world = new NoticesUnderTest(fails);
    await world.listeners.listen(tenantOwner);
    await world.jobs.create();
    await world.jobs.run();
    await world.relayAll();
    expect((await world.told())[0]).toMatch(/^partner\.job\.failed /);
  });

  test('is told when it was cancelled', async () => {
    await world.listeners.listen(tenantOwner);
    await world.jobs.create();
    await world.jobs.cancel();
    await world.relayAll();
    expect((await world.told())[0]).toMatch(/^partner\.job\.cancelled /);
  });

  test('has its message sent at once', async () => {
    await world.listeners.listen(tenantOwner);
    await world.jobs.create();
    await world.jobs.run();
    expect(world.jobs.kernel.sent.at(-1)).toMatchObject({ kind: 'notice' });
  });

  test.each([
    { minutes: 10, said: [] },
    { minutes: 11, said: ['Notice:Late'] },
  ])('is late when it is not in the log for more than ten minutes: after $minutes', async ({ minutes, said }) => {
    await world.listeners.listen(tenantOwner);
    await world.jobs.create();
    await world.jobs.run();
    world.jobs.clock.jump(minutes * 60_000);
    await world.relayAll();
    expect(world.jobs.kernel.events.filter((event) => event === 'Notice:Late')).toEqual(said);
    expect(await world.told()).toHaveLength(1);
  });

  test('lies in the partition of its job, where one transaction reaches both', async () => {
    await world.listeners.listen(tenantOwner);
    for (let number = 0; number < 20; number += 1) {
      const key = { tenant: 'tenant-a', solution: 'partnerAgPowered.gdd', jobId: `job-${number}` } as const;
      await world.jobs.create(key);
      await world.jobs.run(key);
    }
    const rows = world.work.all<object>().filter(({ rowKey }) => rowKey.startsWith('W|notice|'));
    expect(rows).toHaveLength(20);
    expect(rows.map(({ partitionKey }) => partitionKey)).toEqual(
      rows.map(({ rowKey }) => workPartitionOf(rowKey.slice('W|notice|'.length))),
    );
  });
});

describe('for a tenant that does not listen', () => {
  test('jobs cost not one request of storage more, but for one look a minute at who listens', async () => {
    const requestsOf = async (one: NoticesUnderTest, jobs: number): Promise<number> => {
      const before = one.work.requests;
      for (let number = 0; number < jobs; number += 1) {
        const key = { tenant: 'tenant-a', solution: 'partnerAgPowered.gdd', jobId: `job-${number}` } as const;
        await one.jobs.create(key);
        await one.jobs.run(key);
      }
      return one.work.requests - before;
    };
    const withoutNotices = new NoticesUnderTest();
    withoutNotices.jobs.outbox = noOutbox;
    expect(await requestsOf(world, 50)).toBe(await requestsOf(withoutNotices, 50));
    expect([world.webhookRows.requests, world.noticeRows.requests]).toEqual([1, 0]);
    // The control: somebody who listens pays for each end.
    const listening = new NoticesUnderTest();
    await listening.listeners.listen(tenantOwner);
    await listening.jobs.create();
    await listening.jobs.run();
    expect(await listening.open()).toHaveLength(1);
  });

  test('nothing is kept', async () => {
    await world.jobs.create();
    await world.jobs.run();
    await world.relayAll();
    expect(await world.told()).toEqual([]);
    expect(await world.open()).toEqual([]);
  });
});

describe('a process that dies at any write between the end of a job and its place in the log', () => {
  /** One life of the service with a death in it, then whatever the sweep finds. @returns what was told, and whether it has ended */
  async function lives(death: { readonly at: number; readonly isBehind: boolean }, outbox?: 'lost') {
    const one = new NoticesUnderTest();
    await one.listeners.listen(tenantOwner);
    const { listeners, jobs } = one;
    if (outbox === 'lost') {
      // The control: the event is told after the transaction of the end, and not within it.
      const within = outboxOf({
        listens: (owner) => listeners.has(owner),
        work: jobs.kernel.enqueuer,
        clock: jobs.clock,
      });
      jobs.outbox = async (owner, notice, partition) => {
        const { actions, send } = await within(owner, notice, partition);
        return { actions: [], send: () => one.work.transact(partition, actions).then(send) };
      };
    }
    await jobs.create();
    for (const rows of [one.work, one.noticeRows]) rows.dies = { ...death };
    await jobs.run().catch(() => undefined);
    await one.relayAll().catch(() => undefined);
    for (const rows of [one.work, one.noticeRows]) rows.dies = undefined;
    jobs.clock.jump(10 * 60_000);
    await jobs.run();
    jobs.clock.jump(10 * 60_000);
    await one.relayAll();
    return { told: await one.told(), ended: isEnded(await jobs.job()), left: await one.open() };
  }

  const deaths = [1, 2, 3, 4, 5].flatMap((at) => [false, true].map((isBehind) => ({ at, isBehind })));
  test.each(deaths)('write $at, behind it: $isBehind: the end is told exactly once', async (death) => {
    const { told, ended, left } = await lives(death);
    expect(ended).toBe(true);
    expect(told).toHaveLength(1);
    expect(left).toEqual([]);
  });

  test('loses the end where it is not told in the transaction of the end', async () => {
    const told = await Promise.all(deaths.map(async (death) => (await lives(death, 'lost')).told.length));
    expect(Math.min(...told)).toBe(0);
  });
});
