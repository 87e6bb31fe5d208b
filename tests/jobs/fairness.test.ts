import { describe, expect, test } from '@jest/globals';
import { gddJobFaults } from '../../shared/kit/errors/catalogue.js';
import { JobFailure } from '../../shared/kit/errors/serviceError.js';
import type { JobWork } from '../../shared/jobs/steps/jobWork.js';
import { CrowdedService, jobIds } from './crowdedService.js';
import { insightOf } from './works.js';

const solutions = ['partnerAgPowered.gdd', 'partnerAgPowered.smartBoundary'] as const;
type Solution = (typeof solutions)[number];
const JOB_MS = 400;
/** Messages that one host handles at a time (host.json: a batch of four, and two more). */
const WORKERS = 6;
const AT_WORK = 8;

const takesTime =
  ({ clock }: CrowdedService): JobWork =>
  async (_job, insightId) => {
    await clock.sleep(JOB_MS);
    return { kind: 'done', insight: insightOf(insightId) };
  };

const newService = (solution: Solution, slots = AT_WORK): CrowdedService =>
  new CrowdedService({ solution, workers: WORKERS, work: takesTime, slots: () => slots });

/** Creates five jobs of a small tenant, some milliseconds apart. @returns how long it takes until all have ended */
async function timeOfFive(service: CrowdedService): Promise<number> {
  const start = service.clock.now().getTime();
  const ids = jobIds('small', 5);
  for (const id of ids) await service.create('small', id);
  await service.untilEnded(ids, 3_600_000);
  return Math.max(...ids.map((id) => service.ends.get(id) ?? Infinity)) - start;
}

/** The same beside 500 jobs of another tenant, created just before. */
async function timeOfFiveBeside500(service: CrowdedService): Promise<number> {
  for (const id of jobIds('large', 500)) await service.create('large', id);
  await service.clock.advance(1_000);
  return timeOfFive(service);
}

describe.each(solutions)('five jobs of one tenant beside 500 of another, %s', (solution) => {
  test('have ended within three times the time that they take alone', async () => {
    const alone = await timeOfFive(newService(solution));
    const beside = await timeOfFiveBeside500(newService(solution));
    expect(beside).toBeLessThanOrEqual(3 * alone);
  });

  test('would take twenty times as long without a lane', async () => {
    const alone = await timeOfFive(newService(solution));
    const beside = await timeOfFiveBeside500(newService(solution, 1_000));
    expect(beside).toBeGreaterThan(20 * alone);
  });
});

describe('a thousand jobs of one tenant', () => {
  const ids = jobIds('job', 1_000);

  test('all succeed, in the order of asking, never more at work than allowed, each with one message', async () => {
    const atWork = new Set<string>();
    const begun: string[] = [];
    let most = 0;
    const work =
      ({ clock }: CrowdedService): JobWork =>
      async ({ jobId }, insightId) => {
        atWork.add(jobId);
        begun.push(jobId);
        most = Math.max(most, atWork.size);
        await clock.sleep(JOB_MS);
        atWork.delete(jobId);
        return { kind: 'done', insight: insightOf(insightId) };
      };
    const service = new CrowdedService({
      solution: 'partnerAgPowered.gdd',
      workers: 100,
      work,
      slots: () => AT_WORK,
    });
    for (const id of ids) {
      await service.create('large', id);
      await service.clock.advance(1);
    }
    await service.untilEnded(ids, 3_600_000);
    expect(await service.outcomes('large', ids)).toEqual({ SUCCEEDED: 1_000 });
    // Half as many again pass without standing in the lane, at the very beginning.
    expect(most).toBeLessThanOrEqual(AT_WORK + AT_WORK / 2);
    expect(begun).toEqual(ids);
    expect(service.queue.count).toBe(1_000);
    await service.clock.advance(1_000);
    expect(await service.laneStore.list()).toEqual([]);
    expect(await service.waitingTickets()).toBe(0);
  });

  test('take as long as their number at work says: nobody waits for the sweep', async () => {
    const service = newService('partnerAgPowered.gdd', 6);
    for (const id of ids) await service.create('large', id);
    const start = service.clock.now().getTime();
    await service.untilEnded(ids, 3_600_000);
    const ideal = (1_000 / 6) * JOB_MS;
    expect(service.clock.now().getTime() - start).toBeLessThan(1.6 * ideal);
  });
});

describe('jobs that something outside refuses for hours', () => {
  const OUTAGE_MS = 3 * 3_600_000;

  test('keep no slot while they wait for long, and succeed when it is over', async () => {
    const refused = jobIds('refused', 2 * AT_WORK);
    const others = jobIds('other', 40);
    const away = new JobFailure(gddJobFaults.weatherUnavailable, 'No weather source answered.');
    let over = Infinity;
    const service = new CrowdedService({
      solution: 'partnerAgPowered.gdd',
      workers: WORKERS,
      work:
        ({ clock }) =>
        (job, insightId) =>
          job.jobId.startsWith('refused') && clock.now().getTime() < over
            ? Promise.reject(away)
            : Promise.resolve({ kind: 'done', insight: insightOf(insightId) }),
      slots: () => AT_WORK,
    });
    over = service.clock.now().getTime() + OUTAGE_MS;
    for (const id of [...refused, ...others]) await service.create('large', id);
    await service.untilEnded(others, 30 * 60_000);
    await service.untilEnded(refused, OUTAGE_MS + 3_600_000);
    expect(await service.outcomes('large', [...refused, ...others])).toEqual({ SUCCEEDED: 56 });
    await service.clock.advance(1_000);
    expect(await service.laneStore.list()).toEqual([]);
  });
});

describe('a tenant with few jobs', () => {
  test('stands in no lane: nothing is asked and nothing left behind', async () => {
    const service = newService('partnerAgPowered.gdd');
    const ids = jobIds('few', AT_WORK / 2);
    for (const id of ids) await service.create('small', id);
    service.laneStore.ask = () => Promise.reject(new Error('not asked'));
    service.laneStore.read = () => Promise.reject(new Error('not asked'));
    await service.untilEnded(ids, 60_000);
    expect(await service.outcomes('small', ids)).toEqual({ SUCCEEDED: ids.length });
    expect(service.queue.count).toBe(ids.length);
  });
});
