import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, type Exchange, jsonReply, type Reply } from './exchange.js';
import type { FaultScript, ScriptedFault } from './faultScript.js';

/** A stand-in that listens. */
export interface RunningServer {
  /** Origin, without a trailing slash. */
  readonly url: string;
  /** Ends at once: open connections are cut. */
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly answer: Answer;
  readonly script: FaultScript;
  /** 0 takes any free port. */
  readonly port?: number | undefined;
  /** PEM texts; with them the stand-in speaks HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

/** Larger requests are answered 413. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Longer than clients keep idle connections, so that none is closed under a request. */
const KEEP_ALIVE_MS = 65_000;

/** Listens on 127.0.0.1 only. Rejects with the cause when the port is taken. */
export async function startServer({ answer, script, port = 0, tls }: ServerOptions): Promise<RunningServer> {
  let origin = '';
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    serve({ request, response, origin, answer, script }).catch((cause: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, jsonReply(500, { message: `The stand-in has a fault: ${String(cause)}` }));
    });
  };
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer({ ...tls }, listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  origin = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Served {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly origin: string;
  readonly answer: Answer;
  readonly script: FaultScript;
}

async function serve({ request, response, origin, answer, script }: Served): Promise<void> {
  const body = await readBody(request);
  if (body === undefined || !URL.canParse(origin + (request.url ?? ''))) {
    send(response, jsonReply(body === undefined ? 413 : 400, { message: 'The stand-in cannot read this request.' }));
    return;
  }
  const url = new URL(origin + (request.url ?? ''));
  const exchange: Exchange = { method: request.method ?? 'GET', url, headers: request.headers, body };
  const control = script.control(exchange);
  if (control !== undefined) {
    send(response, control);
    return;
  }
  const fault = script.take(exchange);
  const status =
    fault === undefined ? send(response, await answer(exchange)) : await strike(fault, exchange, { response, answer });
  script.log(exchange, status);
}

/** Sends the answer and says its status. */
function send(response: ServerResponse, { status, headers = {}, body = '' }: Reply): number {
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
  response.end(body);
  return status;
}

/** Lets the fault happen; returns the status that was answered, 0 for none. */
async function strike(
  fault: ScriptedFault,
  exchange: Exchange,
  { response, answer }: Pick<Served, 'response' | 'answer'>,
): Promise<number> {
  switch (fault.kind) {
    case 'hang':
      return 0;
    case 'drop':
      response.destroy();
      return 0;
    case 'lose':
      await answer(exchange);
      response.destroy();
      return 0;
    case 'truncate':
      return breakOff(response, await answer(exchange));
    case 'delay':
      await wait(fault.milliseconds ?? 0);
      return send(response, await answer(exchange));
    case 'garbage':
      return send(response, { status: 200, headers: { 'content-type': 'application/json' }, body: '<html>}{' });
    case 'status':
      return send(response, scriptedReply(fault));
  }
}

/** Without a body of its own the error has the shape of the key vault's. */
function scriptedReply({ status = 500, retryAfter, headers = {}, body }: ScriptedFault): Reply {
  const error = { code: 'ScriptedFault', message: `This ${status} was scripted.` };
  const usual = {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  };
  return { status, headers: { ...usual, ...headers }, body: body ?? JSON.stringify({ error }) };
}

function breakOff(response: ServerResponse, { status, headers = {}, body = '' }: Reply): number {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    response.destroy();
  });
  return status;
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
