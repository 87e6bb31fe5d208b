import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gddJobFaults } from '../../shared/kit/errors/catalogue.js';
import { JobFailure } from '../../shared/kit/errors/serviceError.js';
import type { JobWork } from '../../shared/jobs/steps/jobWork.js';
import { JobsInMemory } from '../support/jobsInMemory.js';
import { START } from './aJob.js';
import { heldLaneOf } from '../../shared/work/lanes/lane.js';
import { succeeds } from './works.js';

const HOUR_MS = 3_600_000;
const { weatherUnavailable, dataManagerUnavailable } = gddJobFaults;
const weather = new JobFailure(weatherUnavailable, 'The weather services are away.');
const dataManager = new JobFailure(dataManagerUnavailable, 'The data manager is away.');

/** A job that is refused as `by` says, by the hours since its creation; it succeeds where nobody refuses it. */
async function aRefusedJob(by: (hour: number) => JobFailure | undefined): Promise<JobsInMemory> {
  const work: JobWork = (job, ...rest) => {
    const refusal = by((service.now() - START) / HOUR_MS);
    return refusal === undefined ? succeeds(job, ...rest) : Promise.reject(refusal);
  };
  const service: JobsInMemory = new JobsInMemory(work);
  await service.create();
  return service;
}

/** When something happens next: a message is due, or the sweep looks; undefined when nothing is left to be done. */
async function nextAt(service: JobsInMemory): Promise<number | undefined> {
  const [message] = service.kernel.sent.map(({ dueAt }) => dueAt).sort((a, b) => a - b);
  return message ?? (await service.item())?.checkAt;
}

/** Has that happen. */
async function goOn(service: JobsInMemory, at: number): Promise<void> {
  if (await service.step()) return;
  service.clock.jump(Math.max(0, at - service.now()));
  await service.kernel.sweep();
}

/** Goes on to an hour after the creation. */
async function until(service: JobsInMemory, hour: number): Promise<void> {
  const end = START + hour * HOUR_MS;
  for (let at = await nextAt(service); at !== undefined && at <= end; at = await nextAt(service))
    await goOn(service, at);
  service.clock.jump(end - service.now());
}

/** Hours from the creation to an instant. */
const hours = (instant: number | undefined): number => ((instant ?? 0) - START) / HOUR_MS;

describe('a job that something outside refuses', () => {
  test('waits from the first refusal for as long as the service has patience, and says so', async () => {
    const service = await aRefusedJob(() => weather);
    await until(service, 7);
    const { status, outage } = await service.job();
    expect(status).toBe('RUNNING');
    expect(outage).toMatchObject({ dependency: weatherUnavailable.dependency, code: weatherUnavailable.code });
    expect(outage?.refusals).toBeGreaterThan(20);
    expect(outage!.until - outage!.since).toBe(24 * HOUR_MS);
    expect(hours(outage?.since)).toBeCloseTo(0, 1);
    expect((await service.item())?.notBefore).toBe(outage?.nextAt);
  });

  test('is FAILED when the patience is over, and not before', async () => {
    const service = await aRefusedJob(() => weather);
    await until(service, 23.9);
    expect((await service.job()).status).toBe('RUNNING');
    await until(service, 24.5);
    expect(await service.job()).toMatchObject({ status: 'FAILED', failure: expect.stringContaining(weather.message) });
  });

  test('uses no attempt up: it succeeds whenever nobody refuses it any more', async () => {
    const service = await aRefusedJob((hour) => (hour < 20 ? weather : undefined));
    await until(service, 21);
    expect((await service.job()).status).toBe('SUCCEEDED');
  });

  test('waits anew for another one that refuses it later: the former has answered meanwhile', async () => {
    const service = await aRefusedJob((hour) => (hour < 20 ? dataManager : weather));
    await until(service, 21);
    const { outage } = await service.job();
    expect(outage?.dependency).toBe(weatherUnavailable.dependency);
    expect(hours(outage?.since)).toBeGreaterThanOrEqual(20);
    expect(outage!.until - outage!.since).toBe(24 * HOUR_MS);
    await until(service, 43);
    expect((await service.job()).status).toBe('RUNNING');
    await until(service, 45);
    expect((await service.job()).status).toBe('FAILED');
  });

  test('is FAILED three patiences after its start at the latest, whoever refuses in turns', async () => {
    const turns = fc.array(fc.tuple(fc.boolean(), fc.double({ min: 0.1, max: 23, noNaN: true })), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(turns, async (refusals) => {
        const length = refusals.reduce((sum, [, each]) => sum + each, 0);
        const by = (hour: number): JobFailure => {
          let left = hour % length;
          return refusals.find(([, each]) => (left -= each) < 0)?.[0] === true ? weather : dataManager;
        };
        const service = await aRefusedJob(by);
        const untils: number[] = [];
        while ((await service.job()).status !== 'FAILED') {
          await goOn(service, (await nextAt(service))!);
          const { outage } = await service.job();
          if (outage !== undefined) untils.push(outage.until - outage.since, outage.until - START - 48 * HOUR_MS);
        }
        expect(hours((await service.job()).endedAt)).toBeLessThanOrEqual(72);
        expect(Math.max(...untils)).toBeLessThanOrEqual(24 * HOUR_MS);
      }),
      { numRuns: 10 },
    );
  });

  test.each([
    { who: 'was found held', isFound: true },
    { who: 'stood behind others in its lane all the time', isFound: false },
  ])('has its patience anew when its tenant was held for days and it $who', async ({ isFound }) => {
    const service = await aRefusedJob((hour) => (hour < 110 ? dataManager : undefined));
    await until(service, 20);
    const { kernel } = service;
    kernel.isHeld = () => Promise.resolve(isFound);
    if (isFound) kernel.slotsOf = () => 0;
    if (isFound) await until(service, 100);
    else service.clock.jump(80 * HOUR_MS);
    const releasedAt = service.now();
    kernel.isHeld = () => Promise.resolve(false);
    kernel.releasedAt = () => Promise.resolve(releasedAt);
    kernel.slotsOf = () => 8;
    await kernel.lanes.fill(heldLaneOf('tenant-a'));
    await until(service, 105);
    const { status, outage } = await service.job();
    expect([status, hours(outage?.until)]).toEqual(['RUNNING', expect.closeTo(124, 0)]);
    await until(service, 112);
    expect((await service.job()).status).toBe('SUCCEEDED');
  });

  test('keeps the pause that was asked for last', async () => {
    const asking = new JobFailure(weatherUnavailable, 'Away.', { retryAfterSeconds: 7 });
    const service = await aRefusedJob((hour) => (hour === 0 ? asking : weather));
    await service.step();
    expect((await service.job()).outage?.askedSeconds).toBe(7);
    await service.step();
    expect((await service.job()).outage?.askedSeconds).toBeUndefined();
  });
});
