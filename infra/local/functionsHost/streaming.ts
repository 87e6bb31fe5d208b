import { Agent, createServer, request } from 'node:http';
import type { ClientRequest, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { HostLog } from './logging.js';
import type { ProgrammingModel } from './rpc.js';

/** A request as the host forwards it to the worker. */
export interface ForwardedRequest {
  readonly invocationId: string;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ForwardedBody;
}

/** The body of a request. */
export interface ForwardedBody {
  /** It is read once, and let go of as it is sent. */
  readonly stream: Readable;
  /** Bytes, when the caller announced them. */
  readonly length?: number;
}

/** A request that is on its way to the worker, or its answer on its way back. */
export interface Forwarding {
  /** Resolves when the caller has its answer or is gone; rejects when no answer will come. */
  readonly done: Promise<void>;
  /** Whether the worker has begun to answer. */
  isAnswered(): boolean;
  /** Ends it, in the middle when the function has failed. */
  end(): Promise<void>;
}

/** Forwards a request to the worker, and the worker's answer to the caller. */
export type Forward = (sent: ForwardedRequest, response: ServerResponse) => Forwarding;

/** What lies between the host and the worker. */
export interface Channel {
  readonly forward: Forward;
  close(): void;
}

/** The worker has ended the connection on which it was to get a request; the caller gets an empty 500. */
export class WorkerUnreachable extends Error {}

const MAX_ATTEMPTS = 10;
/** Shorter than the five seconds for which the worker keeps a connection that rests. */
const REST_MS = 4_000;
/** They belong to the connection to the worker. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding'];

/** The worker's side: its server, and its answers by the id of the run. */
interface Worker {
  readonly port: number;
  readonly agent: Agent;
  readonly answers: Map<string, ServerResponse>;
  readonly log: HostLog;
}

/** Waits for each piece: no `drain` is told any more once an answer has come. */
async function sendBody(outgoing: ClientRequest, { stream, length }: ForwardedBody): Promise<void> {
  if (length !== 0) await untilEndsAreSeen(outgoing);
  const pieces = length === 0 ? [] : (stream as AsyncIterable<Buffer>);
  const write = promisify(
    outgoing.write.bind(outgoing) as (piece: Buffer, done: (cause?: Error | null) => void) => void,
  );
  for await (const piece of pieces) await write(piece);
  await new Promise<void>((resolve) => outgoing.end(resolve));
}

/**
 * The worker may have ended a kept connection a moment ago. Two turns of the loop show it, before anything is sent of a
 * body that could not be sent twice; the real host's client looks too.
 */
async function untilEndsAreSeen({ reusedSocket }: ClientRequest): Promise<void> {
  for (let turn = 0; reusedSocket && turn < 2; turn += 1) await nextTurn();
}

/** A request on its way to the worker. */
interface Passage {
  outgoing?: ClientRequest;
  /** Set when caller or function have given it up. */
  isEnded: boolean;
}

function end(passage: Passage): void {
  passage.isEnded = true;
  passage.outgoing?.destroy();
}

/** Sends a request once; the answer is looked at when all of the body is sent, not before, as the real host's client does. */
async function answerTo(sent: ForwardedRequest, { port, agent }: Worker, passage: Passage): Promise<IncomingMessage> {
  const { method, path, headers } = sent;
  const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers });
  passage.outgoing = outgoing;
  let isAnswered = false;
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    // Those who listen above hear the first one only.
    outgoing.on('error', reject);
  });
  const closed = new Promise<never>((_resolve, reject) => {
    outgoing.once('close', () => {
      // Where an answer has come, the end of the connection is no error of the request.
      if (!isAnswered) reject(new WorkerUnreachable('The connection ended.'));
    });
  });
  try {
    const [answer] = await Promise.race([Promise.all([answered, sendBody(outgoing, sent.body)]), closed]);
    isAnswered = true;
    return answer;
  } catch (cause) {
    outgoing.destroy();
    throw cause;
  }
}

const isEndOfConnection = (cause: unknown): boolean =>
  cause instanceof WorkerUnreachable || ['ECONNRESET', 'EPIPE'].includes((cause as NodeJS.ErrnoException).code ?? '');

/** As above; what has no body, or one of which nothing is sent, is sent again when the worker has ended the connection. */
async function surelyAnswered(sent: ForwardedRequest, worker: Worker, passage: Passage): Promise<IncomingMessage> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await answerTo(sent, worker, passage);
    } catch (cause) {
      if (passage.isEnded || !isEndOfConnection(cause)) throw cause;
      const text = `The worker ended the connection of ${sent.method} ${sent.path} before it had answered.`;
      if (sent.body.stream.readableDidRead || attempt === MAX_ATTEMPTS) throw new WorkerUnreachable(text, { cause });
      worker.log.system('warning', `${text} It is sent again.`);
    }
  }
}

function forwardTo(worker: Worker, sent: ForwardedRequest, response: ServerResponse): Forwarding {
  const passage: Passage = { isEnded: false };
  response.once('close', () => {
    if (!response.writableFinished) end(passage);
  });
  const pass = async (): Promise<void> => {
    const answer = await surelyAnswered(sent, worker, passage);
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !connectionHeaders.includes(name)) response.setHeader(name, value);
    }
    response.setHeader('server', 'Kestrel');
    response.writeHead(answer.statusCode ?? 500);
    await pipeline(answer, response);
  };
  const done = pass().catch((cause: unknown) => {
    if (!passage.isEnded) throw cause;
  });
  const answerOf = (): ServerResponse | undefined => worker.answers.get(sent.invocationId);
  return {
    done,
    isAnswered: () => answerOf()?.headersSent === true,
    end: async () => {
      const answer = answerOf();
      // What has been sent of an answer still reaches the caller.
      if (answer?.headersSent !== true) end(passage);
      else if (!answer.writableEnded) answer.destroy();
      await done.catch(() => undefined);
      worker.answers.delete(sent.invocationId);
    },
  };
}

/** The library's own server, on this machine's loopback alone; the library would open it on every interface. */
function loopbackServer(): Server {
  const server = createServer();
  const listen = server.listen.bind(server);
  server.listen = ((onListening: () => void) => listen(0, '127.0.0.1', onListening)) as Server['listen'];
  return server;
}

/**
 * Asks the library for its capabilities, which ends its set-up. In streaming mode the library opens an HTTP server to
 * which the host forwards requests, over connections that are kept: on the platform those lie between two processes,
 * here between two ends of this one. What a function leaves unread of a body holds its connection, as there: the next
 * request on it waits until the worker ends it, and fails if it has a body.
 *
 * @returns undefined when the app does not stream
 */
export async function openChannel(model: ProgrammingModel, log: HostLog): Promise<Channel | undefined> {
  // The library holds the CommonJS module object; an ES namespace could not be changed.
  const http = createRequire(import.meta.url)('node:http') as { createServer: unknown };
  const original = http.createServer;
  const server = loopbackServer();
  http.createServer = () => server;
  try {
    const capabilities = await model.getCapabilities({});
    if (capabilities['HttpUri'] === undefined) return undefined;
  } finally {
    http.createServer = original;
  }
  const answers = new Map<string, ServerResponse>();
  server.prependListener('request', ({ headers }, answer) => {
    answers.set(String(headers['x-ms-invocation-id']), answer);
  });
  const agent = new Agent({ keepAlive: true, timeout: REST_MS });
  const worker = { port: (server.address() as AddressInfo).port, agent, answers, log };
  return {
    forward: (sent, response) => forwardTo(worker, sent, response),
    close: () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
