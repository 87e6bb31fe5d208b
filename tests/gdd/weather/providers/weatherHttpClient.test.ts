import { describe, expect, test } from '@jest/globals';
import type { WeatherHttpOptions } from '../../../../shared/gdd/weather/providers/weatherHttpClient.js';
import { weatherHttpClient } from '../../../../shared/gdd/weather/providers/weatherHttpClient.js';
import { fakeFetch, json } from '../fakeProviders.js';

const url = new URL('https://weather.example/v1/archive?apikey=canary-key');

/** A client whose waits are remembered instead of waited for. */
function client(
  answer: (call: number, init?: RequestInit) => Response | Promise<Response>,
  options: Partial<WeatherHttpOptions> = {},
) {
  const waits: number[] = [];
  const { fetch, calls } = fakeFetch((_, call, init) => answer(call, init));
  const clock = {
    now: () => new Date('2026-06-15T12:00:00Z'),
    sleep: (milliseconds: number) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
    every: () => () => undefined,
  };
  const get = weatherHttpClient('open-meteo', { fetch, clock, random: () => 0.5, timeoutMs: 30, ...options });
  return { get, calls, waits };
}

const status = (code: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: code, headers });
const hang = (init?: RequestInit): Promise<Response> =>
  new Promise((_, reject) => {
    init?.signal?.addEventListener('abort', () => {
      reject(new DOMException('aborted', 'AbortError'));
    });
  });

const halfABody = (init?: RequestInit): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(Buffer.from('{"daily":'));
      init?.signal?.addEventListener('abort', () => {
        controller.error(new DOMException('aborted', 'AbortError'));
      });
    },
  });

describe('reading JSON from a weather provider', () => {
  test('an answer is returned as it came, asked for once', async () => {
    const { get, calls } = client(() => json({ daily: [1] }));
    await expect(get(url)).resolves.toEqual({ daily: [1] });
    expect(calls).toHaveLength(1);
  });

  test('a provider that stumbles twice is asked three times, after waits with full jitter', async () => {
    const { get, calls, waits } = client((call) => (call < 3 ? status(500) : json('well')));
    await expect(get(url)).resolves.toBe('well');
    expect(calls).toHaveLength(3);
    expect(waits).toEqual([500, 1000]); // half of 1 s and of 2 s, for a random number of 0.5
  });

  test.each([
    { why: 'a server error', answer: () => status(503), kind: 'unavailable', text: 'answered with HTTP status 503.' },
    { why: 'no JSON', answer: () => new Response('<html>'), kind: 'unavailable', text: 'sent no JSON.' },
    {
      why: 'a broken connection',
      answer: () => Promise.reject(new TypeError(`fetch failed for ${url.href}`)),
      kind: 'unavailable',
      text: 'could not be reached.',
    },
    { why: 'too many requests', answer: () => status(429), kind: 'throttled', text: 'answered with HTTP status 429.' },
  ])('$why three times over is $kind, and no address is told', async ({ answer, kind, text }) => {
    const { get, calls } = client(answer);
    const fault: unknown = await get(url).catch((error: unknown) => error);
    expect(fault).toMatchObject({ name: 'WeatherError', kind, message: `open-meteo ${text}` });
    expect(JSON.stringify([fault, String((fault as Error).cause)])).not.toContain('canary-key');
    expect(calls).toHaveLength(3);
  });

  test.each([
    { why: 'a key that does not count', answer: () => status(401), kind: 'denied' },
    { why: 'a refusal without a reason', answer: () => status(403), kind: 'denied' },
    { why: 'a request it does not take', answer: () => status(400), kind: 'refused' },
    { why: 'a redirect', answer: () => status(302, { location: 'https://elsewhere.example/' }), kind: 'refused' },
    { why: 'a body without end', answer: () => new Response('x'.repeat(2000)), kind: 'invalid' },
  ])('$why is $kind at once', async ({ answer, kind }) => {
    const { get, calls } = client(answer, { maxBytes: 1000 });
    await expect(get(url)).rejects.toMatchObject({ kind });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.init?.redirect).toBe('manual');
  });

  test('a provider that hangs is given up after the time limit of each try', async () => {
    const { get, calls } = client((_, init) => hang(init));
    await expect(get(url)).rejects.toMatchObject({ message: 'open-meteo did not answer within 0.03 s.' });
    expect(calls).toHaveLength(3);
  });

  test('a body that stops half-way is given up too', async () => {
    const { get } = client((_, init) => new Response(halfABody(init)));
    await expect(get(url)).rejects.toMatchObject({ message: 'open-meteo did not answer within 0.03 s.' });
  });

  test.each([
    { header: '7', waits: [7_500, 8_000] },
    { header: 'Mon, 15 Jun 2026 12:00:10 GMT', waits: [10_500, 11_000] },
    { header: 'Mon, 15 Jun 2026 11:00:00 GMT', waits: [500, 1_000] },
    { header: 'soon', waits: [500, 1_000] },
  ])('Retry-After: $header is waited for before each new try', async ({ header, waits: expected }) => {
    const { get, waits } = client((call) => (call < 3 ? status(429, { 'retry-after': header }) : json('well')));
    await expect(get(url)).resolves.toBe('well');
    expect(waits).toEqual(expected);
  });

  test('a Retry-After longer than 20 s is left to the job', async () => {
    const { get, calls } = client(() => status(429, { 'retry-after': '3600' }));
    await expect(get(url)).rejects.toMatchObject({ kind: 'throttled', retryAfterSeconds: 3600 });
    expect(calls).toHaveLength(1);
  });

  test('a job that has lost its lease asks no more', async () => {
    const lost = new AbortController();
    const { get, calls } = client(() => {
      lost.abort(new Error('lease lost'));
      return status(500);
    });
    await expect(get(url, lost.signal)).rejects.toThrow('lease lost');
    expect(calls).toHaveLength(1);
  });
});
