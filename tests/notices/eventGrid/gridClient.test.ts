import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type EventGrid, startEventGrid } from '../../../infra/local/standIns/eventGrid.js';
import { GRID_SCOPE, gridClient } from '../../../shared/notices/eventGrid/gridClient.js';
import { cloudEventOf } from '../../../shared/notices/log/cloudEvent.js';
import { aNotice } from '../log/noticesUnderTest.js';

const bodyOf = (id: string): string =>
  cloudEventOf({ notice: aNotice(id), sequence: 1_777_876_800_041 }, 'https://api.partner.example');

let grid: EventGrid;
beforeAll(async () => {
  grid = await startEventGrid({ tokenIsValid: (token) => token === 'good' });
});
afterAll(() => grid.close());
afterEach(() => {
  grid.script.reset();
});

const client = (token: () => Promise<string> = () => Promise.resolve('good')) =>
  gridClient({ topicUrl: grid.topicUrl, getToken: token, fetch });

describe('a send to Event Grid', () => {
  test('is one request with all events, as they stand in the log', async () => {
    const bodies = ['a', 'b'].map(bodyOf);
    await expect(client()(bodies)).resolves.toMatchObject({ status: 200 });
    expect(grid.published()).toEqual([
      {
        apiVersion: '2018-01-01',
        contentType: 'application/cloudevents-batch+json; charset=utf-8',
        authorization: 'Bearer',
        events: bodies.map((body) => JSON.parse(body) as object),
      },
    ]);
    expect(grid.published()[0]!.events[0]).toMatchObject({ id: 'a', sequence: '1777876800041' });
  });

  test('wants a token for Event Grid', () => {
    expect(GRID_SCOPE).toBe('https://eventgrid.azure.net/.default');
  });

  test.each([401, 403, 413, 429, 500, 503])('that is answered %i is not repeated', async (status) => {
    grid.script.add({ kind: 'status', status, retryAfter: '7', times: 2 });
    await expect(client()([bodyOf('a')])).resolves.toMatchObject({ status, retryAfter: '7' });
    expect(grid.script.requests()).toHaveLength(1);
  });

  test('follows no redirect: the token is for the topic alone', async () => {
    grid.script.add({ kind: 'status', status: 307, headers: { location: grid.topicUrl } });
    await expect(client()([bodyOf('a')])).resolves.toMatchObject({ status: 307 });
    expect(grid.published()).toEqual([]);
  });

  test('without an answer names the cause', async () => {
    grid.script.add({ kind: 'drop' });
    await expect(client()([bodyOf('a')])).resolves.toMatchObject({ error: expect.any(String) });
    const nobody = gridClient({
      topicUrl: 'https://127.0.0.1:65533/api/events',
      getToken: () => Promise.resolve(''),
      fetch,
    });
    await expect(nobody([bodyOf('a')])).resolves.toMatchObject({ error: 'ECONNREFUSED' });
  });

  test('ends with the attempt that makes it', async () => {
    grid.script.add({ kind: 'hang' });
    const abort = new AbortController();
    const sending = client()([bodyOf('a')], abort.signal);
    abort.abort();
    await expect(sending).resolves.toMatchObject({ error: 'AbortError' });
  });

  test('without a token sends nothing', async () => {
    const failing = client(() =>
      Promise.reject(Object.assign(new Error('secret detail'), { name: 'CredentialError' })),
    );
    await expect(failing([bodyOf('a')])).resolves.toMatchObject({ error: 'CredentialError' });
    expect(grid.script.requests()).toEqual([]);
  });
});

describe('the stand-in for Event Grid', () => {
  const post = async ({
    query = '?api-version=2018-01-01',
    type = 'application/cloudevents-batch+json',
    token = 'good',
    body = `[${bodyOf('a')}]`,
  }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    return (await fetch(grid.topicUrl + query, { method: 'POST', headers, body })).status;
  };

  test.each([
    { why: 'a token that is not good', sent: { token: 'other' }, status: 401 },
    { why: 'another version', sent: { query: '' }, status: 400 },
    { why: 'another content type', sent: { type: 'application/json' }, status: 400 },
    { why: 'one event instead of an array', sent: { body: bodyOf('a') }, status: 400 },
    { why: 'no JSON', sent: { body: '[' }, status: 400 },
    { why: 'an event without an id', sent: { body: '[{"specversion":"1.0","source":"s","type":"t"}]' }, status: 400 },
    {
      why: 'an attribute that CloudEvents do not know',
      sent: { body: '[{"specversion":"1.0","id":"1","source":"s","type":"t","partnerId":"x"}]' },
      status: 400,
    },
    { why: 'more than 1 MiB', sent: { body: `[${bodyOf('a')}${' '.repeat(1_048_576)}]` }, status: 413 },
  ])('refuses $why', async ({ sent, status }) => {
    await expect(post(sent)).resolves.toBe(status);
    expect(grid.published()).toEqual([]);
  });

  test('shows what came, and forgets it when it is told to', async () => {
    await post({});
    const shown = (await (await fetch(grid.publishedUrl)).json()) as readonly object[];
    expect(shown).toEqual(grid.published());
    expect(shown).toHaveLength(1);
    grid.script.reset();
    expect(grid.published()).toEqual([]);
  });
});
