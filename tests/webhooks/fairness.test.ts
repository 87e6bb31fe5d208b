/** Receivers hold up nobody: neither the service while they are away, nor each other while they are slow. */
import { describe, expect, test } from '@jest/globals';
import type { WorkKey } from '../../shared/work/workItem.js';
import { amount } from '../support/fullRun.js';
import { settle } from '../support/manualClock.js';
import { WebhookWorld } from './webhookWorld.js';

const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, number) => `n-${number}`);

/** 10,000 in a full run. */
const EVENTS = amount(10_000);
const HOURS = 24;

describe(`a receiver that is away for ${HOURS} hours, with ${EVENTS} events`, () => {
  test('costs fewer than 40 requests, and then gets each event once', async () => {
    const world = new WebhookWorld();
    await world.webhook({ max_in_flight: 8 });
    const receiver = world.receiver();
    receiver.answer = () => ({ error: 'timeout', durationMs: 15_000 });
    const ids = numbers(EVENTS);
    for (let hour = 0; hour < HOURS; hour += 1) {
      const [from, to] = [hour, hour + 1].map((ended) => Math.floor((ended * EVENTS) / HOURS));
      await world.tell(...ids.slice(from, to));
      await world.work();
      await world.pass(60, 5);
    }
    const away = receiver.posts.length;
    expect(away).toBeLessThan(40);
    // The probes of an hour are made: it is not left alone.
    expect(away).toBeGreaterThan(20);
    receiver.answer = () => ({ status: 204 });
    receiver.posts.length = 0;
    await world.pass(120, 5);
    expect(receiver.ids.toSorted()).toEqual(ids.toSorted());
  });
});

const STEP_MS = 250;
const MINUTE_MS = 60_000;
/** Messages that one process works on at once. */
const WORKERS = 6;
const SLOW_MS = 14_900;
/** Until every slow receiver has been visited once: nobody knows before that it is slow. */
const LEARNING_MS = 2 * MINUTE_MS;
const MEASURED_MS = 6 * MINUTE_MS;
const BETWEEN_EVENTS_MS = 5_000;
const FAST = 'https://fast.example/hooks';

interface Surroundings {
  /** Slow receivers beside the fast one. */
  readonly slow: number;
  /** Slots of the lane of the slow. */
  readonly slots: number;
}

/** Within which 95 % of the events reach the fast receiver, milliseconds. */
async function p95Of({ slow, slots }: Surroundings): Promise<number> {
  const world = new WebhookWorld();
  const { clock, kernel } = world;
  kernel.slotsOf = () => slots;
  await world.webhook({ url: FAST });
  for (const number of numbers(slow)) await world.webhook({ url: `https://${number}.example/hooks` });
  const toldAt = new Map<string, number>();
  const lags: number[] = [];
  const now = (): number => clock.now().getTime();
  const startedAt = now();
  Object.assign(world.ports, {
    call: async ({ url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> }) => {
      const durationMs = url === FAST ? STEP_MS : SLOW_MS;
      await clock.sleep(durationMs);
      const at = toldAt.get(headers['webhook-id'] ?? '') ?? 0;
      if (url === FAST && at - startedAt >= LEARNING_MS) lags.push(now() - at);
      return { status: 204, durationMs };
    },
  });
  let busy = 0;
  for (let passed = 0; passed < LEARNING_MS + MEASURED_MS; passed += STEP_MS) {
    if (passed % BETWEEN_EVENTS_MS === 0) {
      toldAt.set(`at-${passed}`, now());
      await world.tell(`at-${passed}`);
    }
    if (passed % MINUTE_MS === 0) await kernel.sweep();
    while (busy < WORKERS) {
      const text = kernel.messages.take();
      if (text === undefined) break;
      busy += 1;
      void world.handle(JSON.parse(text) as WorkKey).finally(() => (busy -= 1));
    }
    await settle();
    await clock.advance(STEP_MS);
  }
  lags.sort((a, b) => a - b);
  expect(lags.length).toBeGreaterThan((0.9 * MEASURED_MS) / BETWEEN_EVENTS_MS);
  return lags[Math.floor(lags.length * 0.95)]!;
}

describe('receivers that take 14.9 seconds for an answer', () => {
  test('leave the time that others wait as it is within 10 %, by the lane that they stand in', async () => {
    const alone = await p95Of({ slow: 0, slots: 4 });
    expect(await p95Of({ slow: 1, slots: 4 })).toBeLessThanOrEqual(1.1 * alone);
    expect(await p95Of({ slow: 9, slots: 4 })).toBeLessThanOrEqual(1.1 * alone);
    // As many at once as there are: then others wait for them.
    expect(await p95Of({ slow: 9, slots: 9 })).toBeGreaterThan(1.1 * alone);
  });
});
