/** Receivers hold up nobody: neither the service while they are away, nor each other while they are slow. */
import { describe, expect, test } from '@jest/globals';
import type { NoticeOwner } from '../../../shared/notices/log/noticeOwner.js';
import type { ReceiverAnswer } from '../../../shared/notices/webhooks/webhookClient.js';
import { amount } from '../../support/fullRun.js';
import { OneHost, p95Of } from '../oneHost.js';
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

const SECOND_MS = 1_000;
const MEASURED_MS = 100 * SECOND_MS;
const ROUND_MS = 20 * SECOND_MS;
const QUICK_MS = 100;
/** What the service waits for an answer. */
const NEVER: Partial<ReceiverAnswer> = { error: 'timeout', durationMs: 15 * SECOND_MS };
const answerIn = (durationMs: number): Partial<ReceiverAnswer> => ({ status: 204, durationMs });

/** Owners with a webhook for each of these answers. */
interface Crowd {
  readonly owners: number;
  readonly answers: readonly Partial<ReceiverAnswer>[];
}

/** How late the events of somebody else are, one each second, beside forty at once for each of the crowd every 20 s. */
async function lagsBeside({ owners, answers }: Crowd, learningMs = 0) {
  const host = new OneHost();
  const crowd = numbers(owners).map((name): NoticeOwner => `c_${name}`);
  for (const one of crowd) await host.listen(one, answers);
  await host.listen('c_else', [answerIn(QUICK_MS)]);
  for (let passed = 0; passed < learningMs + MEASURED_MS; passed += SECOND_MS) {
    const round = passed % ROUND_MS === 0 ? numbers(40) : [];
    for (const event of round) for (const one of crowd) await host.tell(one, `${passed}-${event}`);
    if (passed >= learningMs) await host.tell('c_else', `else-${passed}`);
    await host.pass(SECOND_MS);
  }
  await host.pass(ROUND_MS);
  const [logged, delivered] = [host.lags('c_else', 'Notice:Relayed'), host.lags('c_else', 'Notice:Delivered')];
  expect([logged.length, delivered.length]).toEqual([MEASURED_MS / SECOND_MS, MEASURED_MS / SECOND_MS]);
  return { logged: p95Of(logged), delivered: p95Of(delivered) };
}

const ten = (durationMs: number) => numbers(10).map(() => answerIn(durationMs));
const answersOfOne: readonly (readonly [what: string, answers: readonly Partial<ReceiverAnswer>[]])[] = [
  ['answer in 100 ms', ten(QUICK_MS)],
  ['answer in 4.8 s', ten(4_800)],
  ['answer in 14 s', ten(14_000)],
  ['answer in 100 ms, but for one that never does', [NEVER, ...ten(QUICK_MS).slice(1)]],
];

describe('an event beside many for ten webhooks', () => {
  test.each(answersOfOne)('of one owner that %s is logged within 3 s, delivered within 5', async (_what, answers) => {
    const { logged, delivered } = await lagsBeside({ owners: 1, answers });
    expect(logged).toBeLessThanOrEqual(3 * SECOND_MS);
    expect(delivered).toBeLessThanOrEqual(5 * SECOND_MS);
  });

  // More than one instance can send; once it is known who is slow.
  test.each([900, 4_800])('of ten owners that answer in %d ms is delivered within 8 s', async (durationMs) => {
    const { delivered } = await lagsBeside({ owners: 10, answers: [answerIn(durationMs)] }, ROUND_MS);
    expect(delivered).toBeLessThanOrEqual(8 * SECOND_MS);
  });
});
