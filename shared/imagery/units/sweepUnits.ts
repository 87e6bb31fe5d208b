import { errorText, type Log } from '../../telemetry/telemetry.js';
import type { Clock } from '../../clock.js';
import { addDays } from '../../validation/calendar.js';
import { resent } from '../work/imageryWork.js';
import { promoteLate } from './runUnit.js';
import type { UnitQueue, UnitStore } from './unitPorts.js';
import { MOST_LATE, textOfUnit, type UnitKey } from './unitWork.js';

export interface SweepUnitsPorts {
  readonly units: UnitStore;
  readonly unitQueue: UnitQueue;
  readonly clock: Clock;
  readonly log: Log;
}

/** What one sweep has done. */
export interface UnitSweepCount {
  /** Messages sent again. */
  readonly resentUnits: number;
  /** Units of the late lane that got their turn. */
  readonly promotedUnits: number;
}

async function sweepBucket(ports: SweepUnitsPorts, bucket: number): Promise<UnitSweepCount> {
  const now = ports.clock.now().getTime();
  const { open, waiting } = await ports.units.listOpen(bucket);
  let count = 0;
  for (const { unit, etag } of open.filter(({ unit: { checkAt } }) => checkAt <= now)) {
    if ((await ports.units.replace(resent(unit, now), etag)) === undefined) continue;
    await ports.unitQueue.enqueue(unit.lane, unit, 0);
    count += 1;
  }
  const late = open.filter(({ unit }) => unit.lane === 'late').length;
  const promotedUnits = waiting > 0 && late < MOST_LATE ? await promoteLate(ports, bucket) : 0;
  return { resentUnits: count, promotedUnits };
}

/**
 * Sends the messages of units again that were lost, and fills up the late lane. One query for each bucket, however many
 * customers there are; missed and doubled runs are harmless.
 */
export const sweepUnits = (ports: SweepUnitsPorts) => async (): Promise<UnitSweepCount> => {
  const total = { resentUnits: 0, promotedUnits: 0 };
  await Promise.all(
    Array.from({ length: ports.units.buckets }, async (_, bucket) => {
      try {
        const done = await sweepBucket(ports, bucket);
        total.resentUnits += done.resentUnits;
        total.promotedUnits += done.promotedUnits;
      } catch (error) {
        // What one bucket has is found by the next sweep; the others need not wait for it.
        ports.log('Unit:SweepFailed', { bucket, cause: errorText(error) });
      }
    }),
  );
  return total;
};

/** Sends the message of a unit again that the host has given up. Never throws: the host would bring it back for ever. */
export const reviveUnit =
  ({ units, unitQueue, clock, log }: SweepUnitsPorts) =>
  async (key: UnitKey): Promise<void> => {
    try {
      const stored = await units.find(key);
      if (stored === undefined) return;
      const { lane, notBefore } = stored.unit;
      await unitQueue.enqueue(lane, key, Math.max(0, notBefore - clock.now().getTime()));
    } catch (error) {
      // The sweep finds the unit again; only the reason is worth a line.
      log('Unit:PoisonNotHandled', { unit: textOfUnit(key), cause: errorText(error) });
    }
  };

/** Days for which it is remembered what was done: longer than any message and any better version takes. */
const REMEMBERED_DAYS = 30;

/** Forgets the units of days long past. @returns how many */
export const forgetUnits =
  ({ units, clock }: Pick<SweepUnitsPorts, 'units' | 'clock'>) =>
  (): Promise<number> =>
    units.removeDoneBefore(addDays(clock.now().toISOString().slice(0, 10), -REMEMBERED_DAYS));
