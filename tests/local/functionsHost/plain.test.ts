import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundled } from '../bundled.js';
import { type HostUnderTest, startHost } from './hostUnderTest.js';

let host: HostUnderTest;
beforeAll(async () => {
  host = await startHost(await bundled('hostProcess'), 'plain');
});
afterAll(() => host.stop());

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(`${host.url}/api/${path}`, init);

describe('an app without streaming', () => {
  test('is served under the prefix api, by every entry point that main names', async () => {
    expect(await (await get('legacy')).text()).toBe('from CommonJS');
    expect((await fetch(`${host.url}/legacy`)).status).toBe(404);
  });

  test('is told route parameters alone, real headers, and joined query values', async () => {
    const response = await get('echo/S%201?a=1&a=2&Headers={}&id=z', {
      method: 'POST',
      body: '{"Headers":{},"extra":1}',
      headers: { 'X-Own': 'yes' },
    });
    expect(await response.json()).toMatchObject({
      params: { id: 'S 1' },
      headers: { 'x-own': 'yes' },
      query: [
        ['a', '1,2'],
        ['Headers', '{}'],
        ['id', 'z'],
      ],
      body: '{"Headers":{},"extra":1}',
    });
  });

  test('loses a chunked body, as on the platform', async () => {
    const body = new Blob(['lost']).stream();
    const response = await get('echo/1', { method: 'POST', body, duplex: 'half' });
    expect(await response.json()).toMatchObject({ body: '' });
  });

  test('that returns nothing answers 204, and one that throws an empty 500', async () => {
    const failed = await get('throws');
    expect((await get('nothing')).status).toBe(204);
    expect({ status: failed.status, body: await failed.text() }).toEqual({ status: 500, body: '' });
  });

  test('has the body of a 205 dropped', async () => {
    const response = await get('reset');
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 205, body: '' });
  });

  test('keeps only the last of two set-cookie headers, but all cookies', async () => {
    expect((await get('cookies')).headers.getSetCookie()).toEqual(['second=2']);
    expect((await get('goodCookies')).headers.getSetCookie()).toEqual([
      'first=1; path=/; samesite=strict; httponly',
      'second=2; expires=Tue, 01 Jan 2030 00:00:00 GMT; max-age=60; path=/x; secure',
    ]);
  });
});
