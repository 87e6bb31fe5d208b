import { afterEach, describe, expect, test } from '@jest/globals';
import { call } from '../../console/api/client.js';
import { credentials, refused, signIn, signOut } from '../../console/session/session.js';

describe('a call with a key that is refused', () => {
  const { fetch } = globalThis;
  afterEach(() => {
    globalThis.fetch = fetch;
    signOut();
  });

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** A service that knows the key `right`, and answers when it is told to. */
  function aService() {
    const sent: { readonly path: string; readonly key: string | null; readonly answer: () => Promise<void> }[] = [];
    globalThis.fetch = (asked, init) =>
      new Promise((resolve) => {
        const path = asked as string;
        const key = new Headers(init?.headers).get('api-key');
        const answer = (): Promise<void> => {
          resolve(key === 'right' ? new Response('{}') : Response.json({ code: 'unauthorized' }, { status: 401 }));
          return settled();
        };
        sent.push({ path, key, answer });
      });
    return sent;
  }

  test('goes on with the next one, and an answer that comes after the next sign-in asks for no other', async () => {
    const sent = aService();
    signIn({ apiKey: 'wrong' }, false);
    const calls = ['/v1/fields', '/v1/sas-token'].map((path) => call({ path, as: 'key' }));
    await settled();
    await sent[1]?.answer();
    expect(refused.value?.what).toBe('key');
    signIn({ apiKey: 'right' }, false);
    await sent[0]?.answer();
    expect(refused.value).toBeUndefined();
    expect(sent.slice(2).map(({ path, key }) => [path, key])).toEqual([
      ['/v1/sas-token', 'right'],
      ['/v1/fields', 'right'],
    ]);
    for (const { answer } of sent.slice(2)) await answer();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('ends when somebody has signed out', async () => {
    const [sent, given] = [aService(), { apiKey: 'wrong' }];
    signIn(given, false);
    let ended: unknown;
    void call({ path: '/v1/fields', as: 'key' }).catch((error: unknown) => (ended = error));
    await settled();
    signOut();
    await sent[0]?.answer();
    expect(ended).toMatchObject({ status: 401 });
    expect([refused.value, credentials.value, sent.length]).toEqual([undefined, undefined, 1]);
  });
});
