/** The lines as jobs meet them: who asks, who gets a place and a message, who hands it on. */
import { describe, expect, test } from '@jest/globals';
import type { Job, JobKey } from '../../shared/jobs/job.js';
import { ingestLineOf, workLineOf, type Ticket } from '../../shared/jobs/line.js';
import { linesOf } from '../../shared/jobs/lines.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { MemoryJobQueue } from '../support/memoryJobQueue.js';
import { MemoryLineStore } from '../support/memoryLines.js';
import { aJob, START } from './aJob.js';

const ingests = ingestLineOf('https://contoso.example');
const work = workLineOf(aJob());
const keyOf = (jobId: string, tenant = 'tenant-a'): JobKey => ({ tenant, solution: 'partnerAgPowered.gdd', jobId });
const ticketOf = (jobId: string, askedAt = START): Ticket => ({ ...keyOf(jobId), askedAt });

/** A store that can be away. */
class FailingStore extends MemoryLineStore {
  isAway = false;

  override read(line: string, most: number) {
    return this.isAway ? Promise.reject(new Error('storage is away')) : super.read(line, most);
  }
}

/** @param places what each line stands before */
function aService(places: number) {
  const clock = new ManualClock();
  const queue = new MemoryJobQueue(clock);
  const lineStore = new FailingStore();
  const events: { readonly event: string; readonly facts: object }[] = [];
  const jobQueues = { 'partnerAgPowered.gdd': queue, 'partnerAgPowered.smartBoundary': queue };
  const log = (event: string, facts: object): void => void events.push({ event, facts });
  /** Each process has a memory of its own. */
  const aProcess = () => linesOf({ lineStore, jobQueues, clock, log, placesOf: () => Promise.resolve(places) });
  const holders = async (line: string) => (await lineStore.read(line, 99)).state.holders.map(({ jobId }) => jobId);
  const told = () => queue.sent.map(({ key }) => key.jobId);
  return { clock, lineStore, events, aProcess, lines: aProcess(), holders, told };
}

describe('a job that is at work and asks for a place', () => {
  test('has it at once and needs no message', async () => {
    const { lines, told, holders } = aService(1);
    expect(await lines.take(ingests, ticketOf('a'))).toBe(true);
    expect(await holders(ingests)).toEqual(['a']);
    expect(told()).toEqual([]);
  });

  test('still has it when it asks again', async () => {
    const { lines, lineStore } = aService(1);
    await lines.take(ingests, ticketOf('a'));
    expect(await lines.take(ingests, ticketOf('a', START + 1))).toBe(true);
    expect(await lineStore.waiting()).toBe(0);
  });

  test('gets none while all are taken, and a message when one is handed on', async () => {
    const { lines, told, holders } = aService(1);
    await lines.take(ingests, ticketOf('a'));
    expect(await lines.take(ingests, ticketOf('b', START + 1))).toBe(false);
    expect(told()).toEqual([]);
    await lines.leave(ingests, keyOf('a'));
    expect(await holders(ingests)).toEqual(['b']);
    expect(told()).toEqual(['b']);
  });

  test('and has got its place before it was parked is told so: its message may have met it at work', async () => {
    const { lines, told } = aService(1);
    await lines.take(ingests, ticketOf('a'));
    await lines.take(ingests, ticketOf('b', START + 1));
    await lines.parked(ingests, keyOf('b'));
    expect(told()).toEqual([]);
    await lines.leave(ingests, keyOf('a'));
    await lines.parked(ingests, keyOf('b'));
    expect(told()).toEqual(['b', 'b']);
  });
});

describe('new jobs of a tenant that may have ten at work', () => {
  test('pass without standing in line while there are five in ten seconds', async () => {
    const { lines, clock } = aService(10);
    const inLine: (string | undefined)[] = [];
    for (let n = 0; n < 6; n += 1) inLine.push(await lines.lineOfNew(keyOf(`job-${n}`)));
    expect(inLine).toEqual([...Array<undefined>(5).fill(undefined), work]);
    expect(await lines.lineOfNew(keyOf('other', 'tenant-b'))).toBeUndefined();
    clock.jump(10_000);
    expect(await lines.lineOfNew(keyOf('later'))).toBeUndefined();
  });

  test('that stand in line get their message when it is their turn, in the order of asking', async () => {
    const { lines, told, clock } = aService(2);
    for (const [at, jobId] of ['a', 'b', 'c'].entries()) await lines.wait(work, ticketOf(jobId, START + at));
    await settle();
    await clock.advance(1_000);
    expect(told()).toEqual(['a', 'b']);
    await lines.leave(work, keyOf('a'));
    expect(told()).toEqual(['a', 'b', 'c']);
  });

  test('share a look at the line: of a hundred within a second there are two', async () => {
    const service = aService(1);
    let reads = 0;
    const read = service.lineStore.read.bind(service.lineStore);
    service.lineStore.read = (line, most) => {
      reads += 1;
      return read(line, most);
    };
    for (let n = 0; n < 100; n += 1) await service.lines.wait(work, ticketOf(`job-${n}`, START + n));
    await service.clock.advance(5_000);
    expect(reads).toBe(2);
  });
});

describe('a job that has ended', () => {
  const inLine = (jobId: string): Job => aJob({ jobId, lines: [work], parked: { line: work, askedAt: START } });

  test('takes its ticket back, and whoever has the place keeps it', async () => {
    const { lines, lineStore, holders, clock } = aService(1);
    await lines.take(work, ticketOf('a', START - 1));
    await lines.take(work, ticketOf('b'));
    await lines.leaveAll(inLine('b'));
    await clock.advance(1_000);
    expect(await lineStore.waiting()).toBe(0);
    expect(await holders(work)).toEqual(['a']);
  });

  test('hands its place on in every line it stood in', async () => {
    const { lines, holders, told, clock } = aService(1);
    for (const line of [work, ingests]) {
      await lines.take(line, ticketOf('a'));
      await lines.take(line, ticketOf('b', START + 1));
    }
    await lines.leaveAll(aJob({ jobId: 'a', lines: [work, ingests] }));
    await clock.advance(1_000);
    expect([await holders(work), await holders(ingests)]).toEqual([['b'], ['b']]);
    expect(told()).toEqual(['b', 'b']);
  });

  test('whose ticket has become a place meanwhile hands the place on', async () => {
    const { lines, holders, clock } = aService(1);
    await lines.take(work, ticketOf('a'));
    await lines.leaveAll(inLine('a'));
    await clock.advance(1_000);
    expect(await holders(work)).toEqual([]);
  });

  test('that stood in no line leaves none', async () => {
    const { lines, clock, events, lineStore } = aService(1);
    lineStore.isAway = true;
    await lines.leaveAll(aJob());
    await clock.advance(1_000);
    expect(events).toEqual([]);
  });

  test('leaves with the next who does when storage was away', async () => {
    const { lines, holders, clock, lineStore, events } = aService(2);
    for (const jobId of ['a', 'b', 'c', 'd']) await lines.take(work, ticketOf(jobId));
    lineStore.isAway = true;
    await lines.leaveAll(aJob({ jobId: 'a', lines: [work] }));
    await clock.advance(1_000);
    expect(events).toEqual([
      { event: 'Line:NotFilled', facts: { line: work, cause: expect.stringContaining('away') } },
    ]);
    lineStore.isAway = false;
    await lines.leaveAll(aJob({ jobId: 'b', lines: [work] }));
    await clock.advance(1_000);
    expect(await holders(work)).toEqual(['c', 'd']);
  });
});

describe('free places', () => {
  test('are given once, however many processes look at the same time', async () => {
    const { aProcess, lines, holders, told } = aService(3);
    for (let n = 0; n < 3; n += 1) await lines.take(work, ticketOf(`old-${n}`, START));
    for (let n = 0; n < 9; n += 1) await lines.take(work, ticketOf(`new-${n}`, START + 1 + n));
    const gone = new Set(['old-0', 'old-1', 'old-2'].map((jobId) => `tenant-a|partnerAgPowered.gdd|${jobId}`));
    await Promise.all(Array.from({ length: 6 }, () => aProcess().fill(work, { gone })));
    expect(await holders(work)).toEqual(['new-0', 'new-1', 'new-2']);
    expect(told()).toEqual(['new-0', 'new-1', 'new-2']);
  });

  test('are given ninety at a time: the transaction takes no more', async () => {
    const { lines, lineStore, holders, told } = aService(200);
    for (let n = 0; n < 150; n += 1) await lineStore.ask(work, ticketOf(`job-${n}`, START + n));
    await lines.fill(work);
    expect(await holders(work)).toHaveLength(90);
    await lines.fill(work);
    expect(await holders(work)).toHaveLength(150);
    expect(new Set(told()).size).toBe(150);
  });

  test('go to those behind tickets of jobs that have a place already', async () => {
    const { lines, lineStore, holders } = aService(10);
    for (let n = 0; n < 9; n += 1) await lines.take(work, ticketOf(`job-${n}`, START));
    for (let n = 0; n < 9; n += 1) await lineStore.ask(work, ticketOf(`job-${n}`, START + 1));
    await lineStore.ask(work, ticketOf('last', START + 2));
    await lines.fill(work);
    expect(await holders(work)).toContain('last');
  });

  test('change nothing in storage when there is nobody to give them to', async () => {
    const { lines, lineStore } = aService(2);
    await lines.take(work, ticketOf('a'));
    const { etag } = await lineStore.read(work, 9);
    await lines.fill(work);
    expect((await lineStore.read(work, 9)).etag).toBe(etag);
  });

  test('are looked at again two minutes after they were given', async () => {
    const { lines, lineStore } = aService(2);
    await lines.take(work, ticketOf('a'));
    const [holder] = (await lineStore.read(work, 9)).state.holders;
    expect(holder?.checkAt).toBe(START + 120_000);
    const checks = new Map([['tenant-a|partnerAgPowered.gdd|a', START + 700_000]]);
    await lines.fill(work, { checks });
    expect((await lineStore.read(work, 9)).state.holders[0]?.checkAt).toBe(START + 700_000);
  });
});
