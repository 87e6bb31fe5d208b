import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitAtMost } from './waiting.js';

export interface HttpListener {
  readonly url: string;
  /** Closes the listening socket at once, lets running requests finish for the given time, then cuts them. */
  stop(graceMs: number): Promise<void>;
}

/** The address is taken by another process. */
export class PortInUse extends Error {}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens on 127.0.0.1 and gives the port. */
async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(cause.code === 'EADDRINUSE' ? new PortInUse(`Port ${port} is in use.`, { cause }) : cause);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Serves requests on 127.0.0.1; `port` 0 takes a free one. */
export async function listenHttp(port: number, handle: Handler): Promise<HttpListener> {
  const running = new Set<Promise<unknown>>();
  let isStopping = false;
  // Node counts the request line among the headers; both limits are checked again, each for itself.
  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 120_000 }, (request, response) => {
    if (isStopping) response.shouldKeepAlive = false;
    const finished = new Promise<void>((resolve) => response.once('close', resolve));
    const work = Promise.all([handle(request, response), finished]);
    running.add(work);
    void work.finally(() => {
      running.delete(work);
    });
  });
  return {
    url: `http://127.0.0.1:${await listen(server, port)}`,
    stop: async (graceMs) => {
      isStopping = true;
      server.close();
      server.closeIdleConnections();
      await waitAtMost(graceMs, Promise.all(running));
      server.closeAllConnections();
    },
  };
}
