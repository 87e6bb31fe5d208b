/** Notices from end to end at the running service: webhooks, their events and deliveries, the log. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { dirname, join } from 'node:path';
import { callWithKey, newCustomer } from './enrollmentCalls.js';
import { farmOf, newTenants, square } from './farmCalls.js';
import {
  call,
  cancelGdd,
  createGdd,
  fetchGdd,
  gddParameters,
  newJobId,
  service,
  tokenOf,
  untilEnded,
} from './service.js';
import type { CallOptions, Reply } from './service.js';

interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on this machine; it consents for every path but `/silent`. */
const host = process.env['WEBHOOK_LOCAL_HOSTS'] ?? '';
const arrived: Arrived[] = [];
const receiver = createServer((request, response) => {
  const { method = '', url: path = '', headers } = request;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    arrived.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
    const consents = method === 'OPTIONS' && path !== '/silent';
    response.writeHead(204, consents ? { 'webhook-allowed-origin': new URL(service.baseUrl).host } : {}).end();
  });
});

let tid: string;
let token: string;
let stranger: string;
let apiKey: string;
beforeAll(async () => {
  receiver.listen(Number(host.split(':')[1]), '127.0.0.1');
  await once(receiver, 'listening');
  const [own = '', other = ''] = await newTenants(2);
  [tid, token, stranger] = [own, tokenOf(own), tokenOf(other)];
  ({ apiKey } = await newCustomer());
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await once(receiver, 'close');
});

type Callers = 'token' | 'key';
const ask = (path: string, caller: Callers = 'token', options: CallOptions = {}): Promise<Reply> =>
  caller === 'token' ? call(path, { token, ...options }) : callWithKey(path, apiKey, options);
const create = (path: string, caller: Callers = 'token'): Promise<Reply> =>
  ask('/v1/webhooks', caller, { method: 'POST', body: { url: `http://${host}${path}` } });

async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((waited) => setTimeout(waited, 200));
  }
}

const untilStatus = (id: string, status: string): Promise<true> =>
  until(async () => ((await ask(`/v1/webhooks/${id}`)).json.status === status ? true : undefined));

/** What was posted to a path and tells of a subject. */
const postsOf = (path: string, subject: string): readonly Arrived[] =>
  arrived.filter((one) => one.method === 'POST' && one.path === path && one.body.includes(`"subject":"${subject}"`));

const isSigned = ({ headers, body }: Arrived, secret: string): boolean => {
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(content).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`);
};

interface Logged {
  readonly id: string;
  readonly subject: string;
  readonly sequence: string;
}
/** The whole log, a page of two at a time. */
async function log(): Promise<readonly Logged[]> {
  const events: Logged[] = [];
  for (let cursor = '', hasMore = true; hasMore;) {
    const { json } = await ask(`/v1/events?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    events.push(...(json.items as Logged[]));
    ({ cursor, has_more: hasMore } = json as { readonly cursor: string; readonly has_more: boolean });
  }
  return events;
}

describe('who may call', () => {
  test('nobody without a credential, and nobody with two', async () => {
    const none = await call('/v1/webhooks', { token: null });
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toBe('Bearer, ApiKey');
    const both = await call('/v1/webhooks', { token, headers: { 'api-key': apiKey } });
    expect(both.status).toBe(400);
  });

  test('a token with the role for it', async () => {
    const reader = tokenOf(tid, '--roles', 'Jobs.Read');
    const farmer = tokenOf(tid, '--roles', 'Farm.ReadWrite');
    expect((await call('/v1/events', { token: reader })).status).toBe(200);
    expect((await call('/v1/events', { token: farmer })).status).toBe(403);
    const body = { url: `http://${host}/hook` };
    expect((await call('/v1/webhooks', { method: 'POST', token: reader, body })).status).toBe(403);
  });

  test.each(['token', 'key'] as const)('whoever has a %s, each for itself', async (caller) => {
    const { status, headers, json } = await create(`/of-${caller}`, caller);
    expect([status, headers.get('location')]).toEqual([201, `/v1/webhooks/${json.id}`]);
    expect(json).toMatchObject({ status: 'pending', secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) });
    const path = `/v1/webhooks/${json.id}`;
    const shown = (await ask(path, caller)).text;
    expect(shown).not.toContain('"secret"');
    const listed = (await ask('/v1/webhooks', caller)).json.items as readonly { readonly id: string }[];
    expect(listed.map(({ id }) => id)).toEqual([json.id]);
    const others = [
      { method: 'GET', path },
      {
        method: 'PATCH',
        path,
        body: { status: 'paused' },
        headers: { 'content-type': 'application/merge-patch+json' },
      },
      { method: 'GET', path: `${path}/deliveries` },
      ...['verify', 'ping'].map((what) => ({ method: 'POST', path: `${path}/${what}` })),
      { method: 'POST', path: `${path}/rotate`, body: {} },
    ];
    for (const { path: asked, ...options } of others) {
      const reply = await call(asked, { ...options, token: stranger });
      expect([options.method, asked, reply.status]).toEqual([options.method, asked, 404]);
    }
    // A deletion is answered alike whoever has it, and deletes nothing of others.
    expect((await call(path, { method: 'DELETE', token: stranger })).status).toBe(204);
    expect((await ask(path, caller)).status).toBe(200);
    expect((await ask(path, caller, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(path, caller)).status).toBe(404);
  });
});

describe('a receiver that says nothing to OPTIONS', () => {
  test('is sent nothing until its administrator consents at the address that it was told', async () => {
    const { json } = await create('/silent');
    const asked = await until(() => arrived.find(({ path }) => path === '/silent'));
    expect([asked.method, asked.headers['webhook-request-origin']]).toEqual(['OPTIONS', new URL(service.baseUrl).host]);
    expect((await ask(`/v1/webhooks/${json.id}/ping`, 'token', { method: 'POST' })).status).toBe(409);
    expect((await ask(`/v1/webhooks/${json.id}`)).json.status).toBe('pending');
    expect(arrived.filter(({ method, path }) => method === 'POST' && path === '/silent')).toEqual([]);
    const callback = new URL(String(asked.headers['webhook-request-callback']));
    const confirmed = await fetch(callback, { method: 'POST' });
    expect(confirmed.status).toBe(200);
    await untilStatus(json.id, 'enabled');
    await ask(`/v1/webhooks/${json.id}`, 'token', { method: 'DELETE' });
  });
});

describe('a job that ends', () => {
  let webhook: { readonly id: string; readonly secret: string };
  const subjects: string[] = [];

  /**
   * Ends jobs until one is told: what happens within the first minute of a log may not be, and each process that tells
   * comes to know of the log by itself, the one that answers requests and the one that computes.
   */
  async function firstTold(end: (id: string) => Promise<unknown>): Promise<string> {
    return until(async () => {
      const id = newJobId();
      expect((await createGdd(id, parameters, { token })).status).toBe(202);
      await end(id);
      await new Promise((waited) => setTimeout(waited, 2_000));
      const path = `/v1/gdd/${id}`;
      return (await log()).some(({ subject }) => subject === path) ? path : undefined;
    });
  }
  const [partyId, fieldId] = [randomUUID(), randomUUID()];
  const parameters = gddParameters({ partyId, resourceId: fieldId });

  beforeAll(async () => {
    const farm = farmOf(tid);
    await farm.patch(`/parties/${partyId}`);
    await farm.patch(`/parties/${partyId}/fields/${fieldId}`, { geometry: square });
    const created = await create('/hook');
    webhook = created.json as typeof webhook;
    await untilStatus(webhook.id, 'enabled');
    const cancelled = await firstTold((id) => cancelGdd(id, { token }));
    const succeeded = await firstTold(async (id) => {
      const { json } = await untilEnded(() => fetchGdd(id, { token }));
      expect(json.status).toBe('SUCCEEDED');
    });
    subjects.push(cancelled, succeeded);
    await until(() => postsOf('/hook', succeeded)[0]);
  });

  test('arrives signed, as it stands in the log', async () => {
    const [cancelled, succeeded] = subjects;
    const [post] = postsOf('/hook', succeeded ?? '');
    expect(isSigned(post!, webhook.secret)).toBe(true);
    expect(isSigned({ ...post!, body: `${post!.body} ` }, webhook.secret)).toBe(false);
    expect(post!.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    const event = JSON.parse(post!.body) as Record<string, unknown>;
    expect(event).toMatchObject({ type: 'partner.job.succeeded', source: service.baseUrl, subject: succeeded });
    expect(event['id']).toBe(post!.headers['webhook-id']);
    const events = await log();
    const ours = events.filter(({ subject }) => subjects.includes(subject));
    expect(ours).toEqual([expect.objectContaining({ subject: cancelled }), event]);
    const sequences = events.map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual(sequences.map((_, index) => sequences[0]! + index));
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test('is nothing to others', async () => {
    const reply = await call('/v1/events', { token: stranger });
    expect(reply.json.items).toEqual([]);
    const { cursor } = (await ask('/v1/events')).json as { readonly cursor: string };
    expect((await call(`/v1/events?cursor=${cursor}`, { token: stranger })).status).toBe(422);
  });

  test('is shown as delivered, and is sent again with the same bytes under the same id', async () => {
    const subject = subjects[1]!;
    const event = (await log()).find((one) => one.subject === subject)!;
    const shown = await until(async () => {
      const { json } = await ask(`/v1/webhooks/${webhook.id}/deliveries?status=delivered`);
      return (json.items as readonly { readonly event_id: string }[]).find((one) => one.event_id === event.id);
    });
    expect(shown).toMatchObject({ sequence: event.sequence, attempts: [{ status_code: 204, error: null }] });
    const path = `/v1/webhooks/${webhook.id}/deliveries/${event.sequence}/redeliver`;
    expect((await call(path, { method: 'POST', token: stranger })).status).toBe(404);
    expect((await ask(path, 'token', { method: 'POST' })).status).toBe(202);
    const [first, second] = await until(() => {
      const posts = postsOf('/hook', subject);
      return posts.length > 1 ? posts : undefined;
    });
    expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']]);
    expect(isSigned(second!, webhook.secret)).toBe(true);
  });

  test('is signed by the former secret and the next while they are exchanged', async () => {
    const rotated = await ask(`/v1/webhooks/${webhook.id}/rotate`, 'token', { method: 'POST', body: {} });
    const { secret } = rotated.json as { readonly secret: string };
    expect(secret).not.toBe(webhook.secret);
    const ping = await ask(`/v1/webhooks/${webhook.id}/ping`, 'token', { method: 'POST' });
    expect(ping.json).toMatchObject({ status_code: 204, error: null });
    const [sent] = postsOf('/hook', `/v1/webhooks/${webhook.id}`);
    expect([webhook.secret, secret].map((one) => isSigned(sent!, one))).toEqual([true, true]);
    const again = await ask(`/v1/webhooks/${webhook.id}/rotate`, 'token', { method: 'POST', body: {} });
    expect(again.status).toBe(409);
  });

  test('shows the secret of its webhook nowhere, neither in answers nor in what the service prints', async () => {
    const paused = await ask(`/v1/webhooks/${webhook.id}`, 'token', {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: 'paused' },
    });
    const answers = [
      paused,
      await ask('/v1/webhooks'),
      await ask(`/v1/webhooks/${webhook.id}`),
      await ask(`/v1/webhooks/${webhook.id}/deliveries`),
      await ask('/v1/events?limit=200'),
    ].map(({ text }) => text);
    const printed = readFileSync(join(dirname(process.env['SERVICE_FILE'] ?? ''), 'output.log'), 'utf8');
    const shown = [...answers, printed].filter((text) => text.includes(webhook.secret.slice('whsec_'.length)));
    expect([paused.status, shown]).toEqual([200, []]);
    expect(answers.some((text) => text.includes(webhook.id))).toBe(true);
  });
});
