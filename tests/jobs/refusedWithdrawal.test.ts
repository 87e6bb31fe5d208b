import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { finds } from '../boundary/job/findings.js';
import { boundaryWorld, type BoundaryWorld } from '../boundary/job/jobUnderTest.js';

const HOUR = 60;
/** DEPENDENCY_PATIENCE_HOURS of the world, in minutes. */
const PATIENCE = 24 * HOUR;
const LONGEST_PAUSE = 6 * HOUR;
/** How late a look may be, minutes: a sweep comes every minute, and takes a message for lost that is two minutes late. */
const LATE = 4;

let world: BoundaryWorld;
beforeEach(async () => {
  world = await boundaryWorld(finds());
});
afterEach(() => world.close());

const eventsNamed = (name: RegExp): string[] => world.events.filter((event) => name.test(event.split(' ')[0]!));
/** What the alert on withdrawals counts. */
const refusals = (): number => eventsNamed(/^Work:AttemptFailed$/).filter((line) => line.includes('withdraw')).length;

/**
 * A job that was cancelled after the data manager had taken its measurements and refused the attachment. Whatever is to be
 * deleted is refused from now on.
 */
async function cancelledHalfWay(): Promise<void> {
  const refusal = { kind: 'status', status: 403, times: Number.POSITIVE_INFINITY } as const;
  world.dataManager.script.add({ ...refusal, method: 'DELETE' });
  world.dataManager.script.add({ ...refusal, method: 'PATCH', path: '/insight-attachments/' });
  await world.create();
  while (world.published.length === 0) await world.step();
  await world.cancel();
}

describe('what a cancelled job has published, and the data manager refuses to delete', () => {
  test('is deleted there and here once it does, however often it has refused', async () => {
    await cancelledHalfWay();
    await world.sweepFor(HOUR);
    expect(world.deletesAt.length).toBeGreaterThan(1);
    expect(await world.isKept()).toBe(true);
    world.dataManager.script.clearFaults();
    await world.sweepFor(LONGEST_PAUSE + LATE);
    const last = world.dataManager.script.requests().findLast(({ method }) => method === 'DELETE');
    expect(last).toMatchObject({ status: 204, path: expect.stringContaining('/insights/') });
    expect(await world.isKept()).toBe(false);
  });

  test('is asked for with pauses that double up to six hours', async () => {
    await cancelledHalfWay();
    const start = world.clock.now().getTime();
    await world.sweepFor(PATIENCE);
    // A look that asks for several things to be deleted at one time is one look.
    const minutes = [...new Set(world.deletesAt)].map((at) => (at - start) / 60_000);
    const looks = minutes.filter((minute) => minute < PATIENCE - LATE);
    expect(looks[0]).toBeLessThanOrEqual(LATE);
    const pauses = looks.slice(1).map((minute, index) => minute - looks[index]!);
    // 2, 4, 8 … 256, then 360 minutes; up to the half of each may be left to chance.
    const longest = pauses.map((_pause, index) => Math.min(LONGEST_PAUSE, 2 * 2 ** index));
    expect(pauses.filter((pause, index) => pause > longest[index]! + LATE)).toEqual([]);
    // The message that the job had before it was cancelled may lead to one look more.
    expect(pauses.filter((pause, index) => pause < longest[index]! / 2).length).toBeLessThanOrEqual(1);
    expect(pauses.length).toBeGreaterThanOrEqual(8);
  });

  test('is given up when the patience with dependencies is over: our record goes, one line says so, no alert stays', async () => {
    await cancelledHalfWay();
    await world.sweepFor(PATIENCE + LONGEST_PAUSE + LATE);
    expect(await world.isKept()).toBe(false);
    expect(eventsNamed(/^Job:WithdrawalGivenUp$/)).toHaveLength(1);
    const [asked, alerting] = [world.deletesAt.length, refusals()];
    expect(asked).toBeGreaterThan(1);
    await world.sweepFor(2 * PATIENCE);
    expect([world.deletesAt.length, refusals()]).toEqual([asked, alerting]);
    await expect(world.job()).resolves.toMatchObject({ status: 'CANCELLED' });
  });
});
