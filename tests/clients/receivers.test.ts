/** The receivers of examples/receivers/, as a newcomer runs them, at the running service. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../infra/local/freePort.mjs';
import { call, type CallOptions, createGdd, fetchGdd, newJobId, service, untilEnded } from '../contract/service.js';
import { here, isThere, outputOf } from './generators.js';
import { HTTP, Webhook } from './libraries.mjs';
import { type Arrived, type ReceiverFront, startReceiverFront } from './receiverFront.js';
import { startTlsProxy, type TlsProxy } from './tlsProxy.js';

const PYTHONS = ['python3', '/usr/bin/python3'];
const LIMIT_MS = 300_000;

interface Kind {
  readonly name: string;
  /** The command that starts it in its folder; undefined when a tool is not there. */
  readonly command: (folder: string) => Promise<readonly string[] | undefined>;
}

const kinds: readonly Kind[] = [
  {
    name: 'express',
    command: (folder) => {
      symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
      return Promise.resolve([process.execPath, 'receiver.mjs']);
    },
  },
  {
    name: 'fastapi',
    command: async () => {
      for (const python of PYTHONS) {
        if (await isThere(python, '-c', 'import fastapi, uvicorn')) return [python, 'receiver.py'];
      }
      return undefined;
    },
  },
  {
    name: 'aspnet',
    command: async (folder) => {
      if (!(await isThere('dotnet', '--version'))) return undefined;
      await outputOf(['dotnet', 'build', '--artifacts-path', 'built'], folder);
      return ['dotnet', 'built/bin/receiver/debug/receiver.dll'];
    },
  },
];

/** A receiver with a webhook of its own. */
interface Receiver {
  readonly port: number;
  readonly folder: string;
  readonly secret: string;
  readonly webhookId: string;
  readonly child: ChildProcess;
  /** What it prints. */
  readonly lines: () => readonly string[];
}

/** A secret as it is while another one takes its place. */
const formerSecret = `whsec_${randomBytes(32).toString('base64')}`;

let proxy: TlsProxy;
let front: ReceiverFront;
const receivers = new Map<string, Receiver>();
/** What happened before there was a webhook, and what happened after. */
const jobs = { before: '', after: '' };

beforeAll(async () => {
  proxy = await startTlsProxy();
  const ports = Object.fromEntries(await Promise.all(kinds.map(async ({ name }) => [name, await freePort()] as const)));
  front = await startReceiverFront(ports);
  jobs.before = await toldJob();
  for (const { name, command } of kinds) {
    const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
    cpSync(resolve('examples/receivers', name), folder, { recursive: true });
    const started = await command(folder);
    if (started === undefined) rmSync(folder, { recursive: true, force: true });
    else receivers.set(name, await startReceiver(started, { name, folder, port: ports[name] ?? 0 }));
  }
  for (const { webhookId } of receivers.values()) await untilEnabled(webhookId);
  jobs.after = await toldJob();
});

afterAll(async () => {
  for (const { child, folder, webhookId } of receivers.values()) {
    await call(`/v1/webhooks/${webhookId}`, { method: 'DELETE' });
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
  await front.close();
  await proxy.close();
});

async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${LIMIT_MS} ms.`);
    await new Promise((waited) => setTimeout(waited, 250));
  }
}

interface Answered {
  readonly items: readonly { readonly subject: string }[];
  readonly id: string;
  readonly secret: string;
  readonly status: string;
}
const ask = async (path: string, options: CallOptions = {}): Promise<Answered> =>
  (await call(path, options)).json as Answered;

/** A job that stands in the log; one that ends within the first minute of a log may not. @returns its path */
function toldJob(): Promise<string> {
  return until('a job in the log', async () => {
    await ask('/v1/events');
    const id = newJobId();
    await createGdd(id);
    await untilEnded(() => fetchGdd(id));
    const path = `/v1/gdd/${id}`;
    for (let looks = 0; looks < 20; looks += 1) {
      const { items } = await ask('/v1/events?types=partner.job.succeeded&limit=200');
      if (items.some(({ subject }) => subject === path)) return path;
      await new Promise((waited) => setTimeout(waited, 250));
    }
    return undefined;
  });
}

async function startReceiver(
  [program = '', ...rest]: readonly string[],
  { name, folder, port }: { readonly name: string; readonly folder: string; readonly port: number },
): Promise<Receiver> {
  const url = `${front.baseUrl}/${name}`;
  const body = { url, types: ['partner.job.*'] };
  const { id: webhookId, secret } = await ask('/v1/webhooks', { method: 'POST', body });
  // The service as its receivers reach it.
  writeFileSync(join(folder, 'service.json'), JSON.stringify({ ...service, baseUrl: proxy.baseUrl }));
  const environment = {
    SERVICE_FILE: 'service.json',
    WEBHOOK_SECRETS: `${secret} ${formerSecret}`,
    PORT: String(port),
  };
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: service.caFile, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.once('exit', (code) => (output += `\nended with ${code}\n`));
  return { port, folder, secret, webhookId, child, lines: () => output.split('\n') };
}

const untilEnabled = (webhookId: string): Promise<true> =>
  until(`consent for ${webhookId}`, async () => {
    const { status } = await ask(`/v1/webhooks/${webhookId}`);
    return status === 'enabled' ? true : undefined;
  });

const hasArrived = (name: string, subject: string): Promise<Arrived> =>
  until(`${subject} at ${name}`, () =>
    front.arrived.find(({ method, path, body }) => method === 'POST' && path === name && body.includes(subject)),
  );

const textOf = (headers: Arrived['headers'], name: string): string => String(headers[name]);
const signatureHeaders = ({ headers }: Arrived): Record<string, string> =>
  Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, textOf(headers, name)]),
  );

interface Sent {
  readonly id: string;
  readonly signed: string;
  readonly body?: string;
  readonly secret: string;
  readonly at?: Date;
}

describe.each(kinds)('the receiver $name', ({ name }) => {
  /** The receiver where its tools are there. */
  const receiver = (): Receiver | undefined => {
    const found = receivers.get(name);
    if (found === undefined) console.warn(`Skipped: what ${name} runs with is not there (see examples/README.md).`);
    return found;
  };
  const worked = ({ lines }: Receiver, subject: string): Promise<readonly string[]> =>
    until(`work on ${subject} by ${name}: ${lines().join('\n')}`, () => {
      const found = lines().filter((line) => line.endsWith(` ${subject}`));
      return found.length === 0 ? undefined : found;
    });

  /** Sends what a service would send that has this secret, or, by `body`, what became of it on the way. */
  async function send(
    { port }: Receiver,
    { id, signed, body = signed, secret, at = new Date() }: Sent,
  ): Promise<number> {
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, signed),
    };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  }
  const asItCame = ({ headers, body }: Arrived) => ({ id: textOf(headers, 'webhook-id'), signed: body });

  test('takes partner.job.succeeded, which independent libraries verify and parse', async () => {
    const found = receiver();
    if (found === undefined) return;
    const arrived = await hasArrived(name, jobs.after);
    expect(arrived.status).toBe(204);
    expect(new Webhook(found.secret).verify(arrived.body, signatureHeaders(arrived))).toBeDefined();
    expect(() => new Webhook(formerSecret).verify(arrived.body, signatureHeaders(arrived))).toThrow();
    const event = HTTP.toEvent({ headers: arrived.headers, body: arrived.body });
    expect(event).toMatchObject({
      type: 'partner.job.succeeded',
      subject: jobs.after,
      id: arrived.headers['webhook-id'],
    });
    const [line] = await worked(found, jobs.after);
    expect(line).toBe(`${textOf(arrived.headers, 'webhook-id')}: partner.job.succeeded ${jobs.after}`);
  });

  test('consents to this service alone', async () => {
    const found = receiver();
    if (found === undefined) return;
    const ask = async (origin: string) =>
      (
        await fetch(`http://127.0.0.1:${found.port}/`, {
          method: 'OPTIONS',
          headers: { 'webhook-request-origin': origin },
        })
      ).headers.get('webhook-allowed-origin');
    const { host } = new URL(proxy.baseUrl);
    expect([await ask(host), await ask('stranger.example')]).toEqual([host, null]);
  });

  test('refuses another secret, another body and another time, and takes the former secret', async () => {
    const found = receiver();
    if (found === undefined) return;
    const { secret } = found;
    const { id, signed } = asItCame(await hasArrived(name, jobs.after));
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
    const stranger = `whsec_${randomBytes(32).toString('base64')}`;
    const sent = {
      asItCame: { secret },
      former: { secret: formerSecret },
      inTheWindow: { secret, at: ago(200) },
      stranger: { secret: stranger },
      altered: { secret, body: signed.replace('SUCCEEDED', 'CANCELLED') },
      spaced: { secret, body: JSON.stringify(JSON.parse(signed), null, 1) },
      late: { secret, at: ago(310) },
      early: { secret, at: ago(-330) },
    };
    const answers: Record<string, number> = {};
    for (const [what, one] of Object.entries(sent)) answers[what] = await send(found, { id, signed, ...one });
    const [taken, refused] = [204, 401];
    expect(answers).toEqual({
      ...{ asItCame: taken, former: taken, inTheWindow: taken },
      ...{ stranger: refused, altered: refused, spaced: refused, late: refused, early: refused },
    });
  });

  test('has each event once, those of the log and what comes twice', async () => {
    const found = receiver();
    if (found === undefined) return;
    const { secret } = found;
    const arrived = asItCame(await hasArrived(name, jobs.after));
    expect(await send(found, { ...arrived, secret })).toBe(204);
    expect(await send(found, { ...arrived, secret })).toBe(204);
    // Events are worked on one after the other: behind this one those before it are done.
    const last = { specversion: '1.0', id: randomUUID(), type: 'partner.job.failed', subject: '/v1/gdd/last' };
    expect(await send(found, { id: last.id, signed: JSON.stringify(last), secret })).toBe(204);
    expect(await worked(found, last.subject)).toHaveLength(1);
    expect(await worked(found, jobs.after)).toHaveLength(1);
    // What happened before its webhook is in the log alone.
    expect(await worked(found, jobs.before)).toHaveLength(1);
    const bodies = front.arrived.filter(({ path }) => path === name).map(({ body }) => body);
    expect(bodies.some((body) => body.includes(jobs.before))).toBe(false);
  });
});
