import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { JwksClient } from '../../../shared/access/auth/jwksClient.js';
import { ManualClock } from '../../support/manualClock.js';

const jwkOf = (kid: string, modulusLength = 2048): Readonly<Record<string, unknown>> => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength });
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
};
const first = jwkOf('key-1');
const second = jwkOf('key-2');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const publishing =
  (...keys: readonly unknown[]) =>
  () =>
    Promise.resolve(Response.json({ keys }));

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

  test('are renewed for an unknown id, seconds after a rotation', async () => {
    const { client, state, clock } = anIssuer();
    await client.find('key-1');
    state.answer = publishing(first, second);
    clock.jump(11_000);
    expect(await client.find('key-2')).toBeDefined();
  });

  test('are asked for at most once more by 1,000 made-up ids', async () => {
    const { client, state } = anIssuer();
    await client.find('key-1');
    for (let id = 0; id < 1000; id += 1) expect(await client.find(`made-up-${id}`)).toBeUndefined();
    expect(state.calls).toBe(1);
  });

  test('are asked for six times a minute at most by made-up ids without end', async () => {
    const { client, state, clock } = anIssuer();
    for (let second = 0; second < 60; second += 1) {
      await client.find(`made-up-${second}`);
      clock.jump(1000);
    }
    expect(state.calls).toBeLessThanOrEqual(6);
  });

  describe('of which a set lacks one', () => {
    test('go on with it, and with the same object, so that no token is checked again', async () => {
      const { client, state, clock } = anIssuer();
      state.answer = publishing(first, second);
      const known = await client.find('key-2');
      state.answer = publishing(first);
      clock.jump(13 * HOUR);
      expect(await client.find('key-2')).toBe(known);
      clock.jump(10 * HOUR);
      expect(await client.find('key-2')).toBe(known);
    });

    test('are asked for again within minutes, and nobody who has a key waits for that', async () => {
      const { client, state, clock } = anIssuer();
      state.answer = publishing(first, second);
      await client.find('key-2');
      state.answer = publishing(first);
      clock.jump(13 * HOUR);
      await client.find('key-1');
      state.answer = () => new Promise(() => undefined);
      clock.jump(6 * MINUTE);
      const found = Promise.all([client.find('key-1'), client.find('key-2')]);
      const soon = new Promise((resolve) => setImmediate(resolve, 'waits'));
      expect(await Promise.race([found, soon])).toEqual([expect.anything(), expect.anything()]);
      expect(state.calls).toBe(3);
    });

    test('lose it a day after the last set that had it: it was withdrawn', async () => {
      const { client, state, clock } = anIssuer();
      state.answer = publishing(first, second);
      await client.find('key-2');
      state.answer = publishing(first);
      clock.jump(13 * HOUR);
      expect(await client.find('key-2')).toBeDefined();
      clock.jump(12 * HOUR);
      expect(await client.find('key-2')).toBeUndefined();
      expect(await client.find('key-1')).toBeDefined();
    });

    test('keep it for good once it is back', async () => {
      const { client, state, clock } = anIssuer();
      state.answer = publishing(first, second);
      await client.find('key-2');
      for (const answer of [publishing(first), publishing(first, second)]) {
        state.answer = answer;
        clock.jump(13 * HOUR);
        await client.find('key-2');
      }
      state.answer = publishing(first);
      clock.jump(13 * HOUR);
      expect(await client.find('key-2')).toBeDefined();
    });
  });

  test.each<[string, unknown]>([
    ['of another kind', { kty: 'OKP', kid: 'key-2', crv: 'Ed25519', x: 'AAAA' }],
    ['without a kind', { kid: 'key-2' }],
    ['without an id', { ...second, kid: undefined }],
    ['whose id is a number', { ...second, kid: 2 }],
    ['for another algorithm', { ...second, alg: 'RS512' }],
    ['of a certificate alone', { kty: 'RSA', kid: 'key-2', use: 'sig', x5c: ['AAAA'] }],
    ['that is null', null],
    ['of the same id that is for encryption', { ...second, kid: 'key-1', use: 'enc' }],
  ])('are usable beside a key %s, which is not', async (_what, misfit) => {
    const { client, state } = anIssuer();
    state.answer = publishing(first, misfit);
    expect(await client.find('key-1')).toBeDefined();
    expect(await client.find('key-2')).toBeUndefined();
  });

  test.each([
    ['no use and no algorithm', { use: undefined, alg: undefined }],
    ['null for both', { use: null, alg: null }],
  ])('need not say what they are for: %s', async (_what, more) => {
    const { client, state } = anIssuer();
    state.answer = publishing({ ...first, ...more });
    expect(await client.find('key-1')).toBeDefined();
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
