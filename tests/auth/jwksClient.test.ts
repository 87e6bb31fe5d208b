import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { JwksClient } from '../../shared/auth/jwksClient.js';
import { ManualClock } from '../support/manualClock.js';

const jwkOf = (kid: string, modulusLength = 2048): object => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength });
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
};
const first = jwkOf('key-1');
const second = jwkOf('key-2');
const HOUR = 3_600_000;

/** An issuer that answers what it is told to, and counts. */
function anIssuer() {
  const clock = new ManualClock();
  const state = { calls: 0, answer: (): Promise<Response> => Promise.resolve(Response.json({ keys: [first] })) };
  const client = new JwksClient({
    uri: 'https://issuer.test/keys',
    clock,
    fetch: () => {
      state.calls += 1;
      return state.answer();
    },
  });
  return { clock, state, client };
}

describe('the signing keys', () => {
  test('are asked for once and then known', async () => {
    const { client, state } = anIssuer();
    await client.find('key-1');
    expect(await client.find('key-1')).toBeDefined();
    expect(state.calls).toBe(1);
  });

  test('are asked for once although many ask at the same time', async () => {
    const { client, state } = anIssuer();
    await Promise.all(Array.from({ length: 50 }, () => client.find('key-1')));
    expect(state.calls).toBe(1);
  });

  test('are renewed for an unknown id after a rotation', async () => {
    const { client, state, clock } = anIssuer();
    await client.find('key-1');
    state.answer = () => Promise.resolve(Response.json({ keys: [first, second] }));
    clock.jump(6 * 60_000);
    expect(await client.find('key-2')).toBeDefined();
  });

  test('are asked for at most once more by 1,000 made-up ids', async () => {
    const { client, state } = anIssuer();
    await client.find('key-1');
    for (let id = 0; id < 1000; id += 1) expect(await client.find(`made-up-${id}`)).toBeUndefined();
    expect(state.calls).toBe(1);
  });

  test('serve on while the issuer is away for a day after they grew old', async () => {
    const { client, state, clock } = anIssuer();
    await client.find('key-1');
    state.answer = () => Promise.reject(new Error('away'));
    clock.jump(47 * HOUR);
    expect(await client.find('key-1')).toBeDefined();
    clock.jump(2 * HOUR);
    await expect(client.find('key-1')).rejects.toMatchObject({ fault: { status: 503 } });
  });

  test.each([
    ['is away', () => Promise.reject(new Error('ECONNREFUSED'))],
    ['answers 500', () => Promise.resolve(new Response('', { status: 500 }))],
    ['answers a page', () => Promise.resolve(new Response('<html>'))],
    ['answers 10 MB', () => Promise.resolve(new Response('x'.repeat(10_000_000)))],
    ['answers an empty set', () => Promise.resolve(Response.json({ keys: [] }))],
    ['answers another form', () => Promise.resolve(Response.json({ keys: 'none' }))],
    ['has only a key of 1024 bits', () => Promise.resolve(Response.json({ keys: [jwkOf('key-1', 1024)] }))],
    ['has only a key for encryption', () => Promise.resolve(Response.json({ keys: [{ ...first, use: 'enc' }] }))],
    [
      'has only a broken key',
      () => Promise.resolve(Response.json({ keys: [{ kty: 'RSA', kid: 'key-1', n: '', e: '' }] })),
    ],
  ])('are 503 with Retry-After, not 401, when the issuer %s and nothing is known', async (_what, answer) => {
    const { client, state } = anIssuer();
    state.answer = answer;
    await expect(client.find('key-1')).rejects.toMatchObject({ fault: { status: 503 }, retryAfterSeconds: 5 });
  });

  test('are not waited for when the issuer hangs: 503 after three seconds', async () => {
    const clock = new ManualClock();
    const hanging: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          reject(init.signal?.reason as Error);
        });
      });
    const client = new JwksClient({ uri: 'https://issuer.test/keys', clock, fetch: hanging });
    await expect(client.find('key-1')).rejects.toMatchObject({ fault: { status: 503 } });
  });

  test('are asked for again five seconds after a failure, not at every request', async () => {
    const { client, state, clock } = anIssuer();
    state.answer = () => Promise.reject(new Error('away'));
    for (let request = 0; request < 20; request += 1) await client.find('key-1').catch(() => undefined);
    expect(state.calls).toBe(1);
    state.answer = () => Promise.resolve(Response.json({ keys: [first] }));
    clock.jump(5_001);
    expect(await client.find('key-1')).toBeDefined();
  });
});
