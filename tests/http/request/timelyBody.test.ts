import { describe, expect, test } from '@jest/globals';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import { readTimely } from '../../../shared/http/request/timelyBody.js';
import { ManualClock, settle } from '../../support/manualClock.js';

const MIB = 1024 * 1024;

/** A body of so many pieces of 1 MiB, with what has become of it. */
function bodyOf(pieces: number, { clock, everyMs = 0 }: { readonly clock: ManualClock; readonly everyMs?: number }) {
  const seen = { given: 0, isEnded: false };
  async function* give(): AsyncIterable<Uint8Array> {
    try {
      while (seen.given < pieces) {
        if (everyMs > 0) await clock.sleep(everyMs);
        seen.given += 1;
        yield new Uint8Array(MIB);
      }
    } finally {
      seen.isEnded = true;
    }
  }
  return { seen, body: give() };
}

const refusal = new ServiceError(commonFaults.payloadTooLarge, 'Too large.');
const refuse = (): never => {
  throw refusal;
};
const read = (body: AsyncIterable<Uint8Array>, clock: ManualClock, take: () => Promise<void> | undefined = refuse) =>
  readTimely(body, take, {
    clock,
    brokenOff: (cause) => new ServiceError(commonFaults.badRequest, 'Broke.', { cause }),
  });
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) await settle();
};

describe('a body that has arrived', () => {
  test.each([
    ['that is taken', () => undefined],
    ['that is refused, and whose rest is read away', refuse],
  ])('%s leaves other requests a turn after each of its chunks', async (_, take) => {
    const { seen, body } = bodyOf(20, { clock: new ManualClock() });
    const atTurns: number[] = [];
    const turn = (): void => {
      atTurns.push(seen.given);
      if (!seen.isEnded) setImmediate(turn);
    };
    setImmediate(turn);
    await read(body, new ManualClock(), take).catch(() => undefined);
    while (!seen.isEnded) await settle();
    expect(new Set(atTurns).size).toBeGreaterThanOrEqual(19);
  });
});

// On the platform the rest would stay in the connection to the worker, and hold up the next request on it.
describe('what is left of a body that is refused while it is read', () => {
  test('is read away, while the answer is on its way', async () => {
    const clock = new ManualClock();
    const { seen, body } = bodyOf(20, { clock, everyMs: 1_000 });
    const reading = read(body, clock);
    reading.catch(() => undefined);
    await clock.advance(1_000);
    await expect(reading).rejects.toBe(refusal);
    await clock.advance(19_000);
    expect(seen).toEqual({ given: 20, isEnded: true });
  });

  test('is read away after a refusal that took its time', async () => {
    const clock = new ManualClock();
    const { seen, body } = bodyOf(20, { clock });
    const refuseLater = async (): Promise<void> => {
      await Promise.resolve();
      refuse();
    };
    await expect(read(body, clock, refuseLater)).rejects.toBe(refusal);
    await settled();
    expect(seen).toEqual({ given: 20, isEnded: true });
  });

  test('is read for 30 seconds at most, then its stream is ended', async () => {
    const clock = new ManualClock();
    const { seen, body } = bodyOf(1_000, { clock, everyMs: 1_000 });
    const reading = read(body, clock);
    reading.catch(() => undefined);
    await clock.advance(1_000);
    await expect(reading).rejects.toBe(refusal);
    await clock.advance(29_500);
    expect(seen.isEnded).toBe(false);
    await clock.advance(2_000);
    expect(seen.isEnded).toBe(true);
    expect(seen.given).toBeLessThan(35);
  });

  test('is read up to 100 MiB, the most that the platform hands on, then its stream is ended', async () => {
    const clock = new ManualClock();
    const { seen, body } = bodyOf(Infinity, { clock });
    await expect(read(body, clock)).rejects.toBe(refusal);
    await settled();
    // The one that was refused, and 101 after it.
    expect(seen).toEqual({ given: 102, isEnded: true });
  });

  test('is read away when the body came too slowly and comes on', async () => {
    const clock = new ManualClock();
    const { seen, body } = bodyOf(3, { clock, everyMs: 12_000 });
    const reading = read(body, clock, () => undefined);
    reading.catch(() => undefined);
    await clock.advance(10_500);
    await expect(reading).rejects.toMatchObject({ fault: commonFaults.requestTimeout });
    await clock.advance(26_000);
    expect(seen).toEqual({ given: 3, isEnded: true });
  });
});

test('a body that had come while the process was busy is not late', async () => {
  const clock = new ManualClock();
  const reading = read(bodyOf(3, { clock, everyMs: 100 }).body, clock, () => undefined);
  clock.jump(15_000);
  await clock.advance(1_000);
  await expect(reading).resolves.toBeUndefined();
});
