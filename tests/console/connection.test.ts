import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { callJson } from '../../console/api/client.js';
import { delay, isOffline } from '../../console/api/connection.js';
import { keepLooking } from '../../console/api/pause.js';
import { signIn, signOut } from '../../console/session/session.js';

/** What the network does with a call. */
type Turn = 'broken' | 'cut' | 502 | 500 | 200;

describe('a call that gets no whole answer', () => {
  const { fetch } = globalThis;
  let asked: number[];

  function aNetwork(...turns: readonly Turn[]): void {
    const left = [...turns];
    const answer = (turn: Turn | undefined): Response => {
      if (turn === 'broken') throw new TypeError('Failed to fetch');
      if (turn !== 'cut') return Response.json({ turn }, { status: turn ?? 200 });
      const body = new ReadableStream({
        start: (stream) => {
          stream.enqueue(new TextEncoder().encode('{"turn'));
          stream.error(new TypeError('network error'));
        },
      });
      return new Response(body);
    };
    globalThis.fetch = async () => {
      asked.push(jest.now() / 1000);
      await Promise.resolve();
      return answer(left.shift());
    };
  }

  beforeEach(() => {
    Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    asked = [];
    signIn({ apiKey: 'key' }, false);
  });
  afterEach(() => {
    jest.useRealTimers();
    globalThis.fetch = fetch;
    isOffline.value = false;
    Reflect.deleteProperty(globalThis, 'navigator');
    signOut();
  });

  test.each<{ readonly turns: readonly Turn[]; readonly at: readonly number[] }>([
    { turns: ['broken', 'broken', 'broken', 'broken', 200], at: [0, 1, 3, 8, 18] },
    { turns: ['cut', 200], at: [0, 1] },
    { turns: [502, 200], at: [0, 5] },
  ])('is asked again where it reads, less and less often, until there is one: $turns', async ({ turns, at }) => {
    aNetwork(...turns);
    const read = callJson({ path: '/v1/fields', as: 'key' });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await read).toEqual({ turn: 200 });
    expect(asked).toEqual(at);
    expect(delay.value).toBeUndefined();
  });

  test('is asked again at once when the network comes back, which is said until then', async () => {
    aNetwork('broken', 'broken', 'broken', 200);
    isOffline.value = true;
    const read = callJson({ path: '/v1/fields', as: 'key' });
    await jest.advanceTimersByTimeAsync(4000);
    expect(delay.value?.error.status).toBe(0);
    isOffline.value = false;
    await jest.advanceTimersByTimeAsync(0);
    expect(await read).toEqual({ turn: 200 });
    expect(asked).toEqual([0, 1, 3, 4]);
  });

  test('ends with whoever asked', async () => {
    aNetwork('broken');
    const ended = new AbortController();
    const read = callJson({ path: '/v1/fields', as: 'key', signal: ended.signal });
    const refused = expect(read).rejects.toMatchObject({ name: 'AbortError' });
    await jest.advanceTimersByTimeAsync(0);
    ended.abort();
    await refused;
    expect(delay.value).toBeUndefined();
  });

  test('is told where it changes something: nobody knows whether it did', async () => {
    aNetwork('broken');
    const sent = callJson({ path: '/v1/webhooks', as: 'key', method: 'POST', body: {} });
    await expect(sent).rejects.toMatchObject({ status: 0 });
  });

  test('is told where the service itself has failed', async () => {
    aNetwork(500);
    await expect(callJson({ path: '/v1/fields', as: 'key' })).rejects.toMatchObject({ status: 500 });
  });
});

test('looks that take long are not piled up, and end with whoever looks', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const ended = new AbortController();
  const look = jest.fn(() => new Promise((resolve) => setTimeout(resolve, 10_000)));
  const looking = keepLooking(2, look, ended.signal);
  await jest.advanceTimersByTimeAsync(24_000);
  expect(look).toHaveBeenCalledTimes(2);
  ended.abort();
  await looking;
  jest.useRealTimers();
});
