import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { INGEST_SLOTS, type IngestSlots } from '../../shared/smartBoundary/ingestSlots.js';
import { ManualClock } from '../support/manualClock.js';

const MINUTE = 60_000;

/** What every kind of places for ingests must do. @param slotsOn makes one whose time is the clock's */
export function ingestSlotsSuite(name: string, slotsOn: (clock: ManualClock) => IngestSlots): void {
  describe(`places for ingests ${name}`, () => {
    const aTenant = (): { tenant: string; clock: ManualClock; slots: IngestSlots; in: (ms: number) => number } => {
      const clock = new ManualClock();
      return { tenant: randomUUID(), clock, slots: slotsOn(clock), in: (ms) => clock.now().getTime() + ms };
    };
    const owners = Array.from({ length: INGEST_SLOTS }, (_, index) => `owner-${index}`);

    test('are five; the sixth owner gets none', async () => {
      const { tenant, slots, in: inMs } = aTenant();
      for (const owner of owners) expect(await slots.take(tenant, owner, inMs(MINUTE))).toBe(true);
      expect(await slots.take(tenant, 'sixth', inMs(MINUTE))).toBe(false);
    });

    test('are kept by their owner, however often it asks', async () => {
      const { tenant, slots, in: inMs } = aTenant();
      for (let time = 0; time < 7; time += 1) expect(await slots.take(tenant, 'one', inMs(MINUTE))).toBe(true);
      for (const owner of owners.slice(1)) expect(await slots.take(tenant, owner, inMs(MINUTE))).toBe(true);
    });

    test('are free for the next when given back', async () => {
      const { tenant, slots, in: inMs } = aTenant();
      for (const owner of owners) await slots.take(tenant, owner, inMs(MINUTE));
      await slots.release(tenant, 'owner-2');
      await slots.release(tenant, 'nobody');
      expect(await slots.take(tenant, 'sixth', inMs(MINUTE))).toBe(true);
      expect(await slots.take(tenant, 'owner-2', inMs(MINUTE))).toBe(false);
    });

    test('fall free when their time is over, unless they were renewed', async () => {
      const { tenant, clock, slots, in: inMs } = aTenant();
      for (const owner of owners) await slots.take(tenant, owner, inMs(MINUTE));
      await slots.take(tenant, 'owner-0', inMs(3 * MINUTE));
      clock.jump(2 * MINUTE);
      for (const owner of ['a', 'b', 'c', 'd']) expect(await slots.take(tenant, owner, inMs(MINUTE))).toBe(true);
      expect(await slots.take(tenant, 'e', inMs(MINUTE))).toBe(false);
      expect(await slots.take(tenant, 'owner-0', inMs(MINUTE))).toBe(true);
    });

    test('of one tenant are nothing to another', async () => {
      const { tenant, slots, in: inMs } = aTenant();
      for (const owner of owners) await slots.take(tenant, owner, inMs(MINUTE));
      expect(await slots.take(randomUUID(), 'sixth', inMs(MINUTE))).toBe(true);
    });

    test('go to five of twenty who ask at the same time', async () => {
      const { tenant, slots, in: inMs } = aTenant();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => slots.take(tenant, `racer-${index}`, inMs(MINUTE))),
      );
      const taken = answers.filter(Boolean).length;
      // Some may lose every race although a place is left; nobody may get a sixth one.
      expect(taken).toBeGreaterThanOrEqual(1);
      expect(taken).toBeLessThanOrEqual(INGEST_SLOTS);
    });
  });
}
