import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { waitAtMost } from './waiting.js';

export interface HttpListener {
  readonly url: string;
  /** Closes the listening socket at once, lets running requests finish for the given time, then cuts them. */
  stop(graceMs: number): Promise<void>;
}

/** A second listener, for clients that send their tokens over TLS alone. */
export interface TlsListener {
  readonly port: number;
  /** PEM texts. */
  readonly key: string;
  readonly cert: string;
}

/** The address is taken by another process. */
export class PortInUse extends Error {}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens on 127.0.0.1 and gives the port. */
async function listen(server: Pick<Server, 'once' | 'listen' | 'address'>, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(cause.code === 'EADDRINUSE' ? new PortInUse(`Port ${port} is in use.`, { cause }) : cause);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Serves requests on 127.0.0.1; `port` 0 takes a free one. @param tls serves them over TLS too */
export async function listenHttp(port: number, handle: Handler, tls?: TlsListener): Promise<HttpListener> {
  const running = new Set<Promise<unknown>>();
  let isStopping = false;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (isStopping) response.shouldKeepAlive = false;
    const finished = new Promise<void>((resolve) => response.once('close', resolve));
    const work = Promise.all([handle(request, response), finished]);
    running.add(work);
    void work.finally(() => {
      running.delete(work);
    });
  };
  // Node counts the request line among the headers; both limits are checked again, each for itself.
  const limits = { maxHeaderSize: 64 * 1024, keepAliveTimeout: 120_000 };
  const plain = createServer(limits, answer);
  const servers: Pick<Server, 'close' | 'closeIdleConnections' | 'closeAllConnections'>[] = [plain];
  if (tls !== undefined) {
    const secure = createTlsServer({ ...limits, key: tls.key, cert: tls.cert }, answer);
    await listen(secure, tls.port);
    servers.push(secure);
  }
  return {
    url: `http://127.0.0.1:${await listen(plain, port)}`,
    stop: async (graceMs) => {
      isStopping = true;
      for (const server of servers) {
        server.close();
        server.closeIdleConnections();
      }
      await waitAtMost(graceMs, Promise.all(running));
      for (const server of servers) server.closeAllConnections();
    },
  };
}
