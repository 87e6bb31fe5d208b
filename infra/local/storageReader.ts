import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request as requestOverTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { consoleOrigins } from './console/consoleAddress.js';

/** What redeeming a code gives to the console. */
export interface ConsoleSession {
  readonly apiKey: string;
  readonly token: string;
  readonly farm: {
    readonly partyId: string;
    readonly farmId: string;
    readonly fields: readonly { readonly id: string; readonly name: string }[];
    readonly point: { readonly longitude: number; readonly latitude: number };
  };
}

export interface StorageReaderOptions {
  /** Blob service over https, with the account, without a slash at the end. */
  readonly blobEndpoint: string;
  readonly caFile: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The session that a code stands for; undefined when it stands for none. A code is good once. */
  readonly redeem: (code: string, baseUrl: string) => Promise<ConsoleSession | undefined>;
}

export interface StorageReader {
  /** The account as browsers reach it. */
  readonly blobEndpoint: string;
  /** Says where the service answers, once it does; until then nobody signs in. */
  serve(baseUrl: string): void;
  close(): Promise<void>;
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const SESSION = '/console/session';
const MAX_CODE_BYTES = 200;

/** Headers that are about one connection, not about what is sent over it. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'upgrade', 'te']);

const passedOn = (headers: IncomingMessage['headers']): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name)));

/**
 * Lets a browser read Azurite, whose certificate no browser trusts: plain http on this machine alone, reading alone,
 * passed on over https, so that a SAS for https holds. CORS is Azurite's own. Here the console's one-time code is
 * redeemed too: the service itself knows of no such thing.
 */
export async function startStorageReader(options: StorageReaderOptions): Promise<StorageReader> {
  const { origin: blobs, pathname: account } = new URL(options.blobEndpoint);
  const agent = new Agent({ ca: readFileSync(options.caFile, 'utf8'), keepAlive: true });
  let baseUrl: string | undefined;
  const server = createServer((request, response) => {
    const isSession = request.url === SESSION;
    const work = isSession
      ? answerSession({ request, response, baseUrl, hosts: hostsOf(server.address() as AddressInfo) }, options.redeem)
      : passOn({ request, response, blobs, agent });
    work.catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    blobEndpoint: `http://127.0.0.1:${port}${account}`,
    serve: (address) => {
      baseUrl = address;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

const hostsOf = ({ port }: AddressInfo): readonly string[] => [`127.0.0.1:${port}`, `localhost:${port}`];

interface Passed {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly blobs: string;
  readonly agent: Agent;
}

async function passOn({ request, response, blobs, agent }: Passed): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  if (!READING.has(method)) {
    response.writeHead(405, { allow: [...READING].join(', ') }).end();
    return;
  }
  const asked = requestOverTls(`${blobs}${url}`, { method, agent, headers: passedOn(request.headers) });
  response.once('close', () => asked.destroy());
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
  await pipeline(answer, response);
}

interface SessionCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly baseUrl: string | undefined;
  readonly hosts: readonly string[];
}

/** Gives a session to the console's own page and to nobody else, whatever name it has reached us by. */
async function answerSession(
  { request, response, baseUrl, hosts }: SessionCall,
  redeem: StorageReaderOptions['redeem'],
): Promise<void> {
  const { origin = '', host = '' } = request.headers;
  if (baseUrl === undefined || !consoleOrigins(baseUrl).includes(origin) || !hosts.includes(host)) {
    response.writeHead(403).end();
    return;
  }
  const headers = { 'access-control-allow-origin': origin, vary: 'Origin', 'cache-control': 'no-store' };
  const code = request.method === 'POST' ? await readCode(request) : undefined;
  const session = code === undefined ? undefined : await redeem(code, baseUrl);
  if (session === undefined) {
    response.writeHead(request.method === 'POST' ? 410 : 405, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(session));
}

async function readCode(request: IncomingMessage): Promise<string | undefined> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (text.length > MAX_CODE_BYTES) return undefined;
  }
  return text;
}
