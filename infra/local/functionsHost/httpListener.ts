import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface HttpListener {
  readonly url: string;
  /** Closes the listening socket at once, lets running requests finish for the given time, then cuts them. */
  stop(graceMs: number): Promise<void>;
}

/** The address is taken by another process. */
export class PortInUse extends Error {}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves requests on 127.0.0.1; `port` 0 takes a free one. */
export async function listenHttp(port: number, handle: Handler): Promise<HttpListener> {
  const running = new Set<Promise<void>>();
  let isStopping = false;
  // Node counts the request line among the headers; both limits are checked again, each for itself.
  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 120_000 }, (request, response) => {
    if (isStopping) response.shouldKeepAlive = false;
    const finished = new Promise<void>((resolve) => response.once('close', resolve));
    const work = Promise.all([handle(request, response), finished]).then(() => undefined);
    running.add(work);
    void work.finally(() => {
      running.delete(work);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(cause.code === 'EADDRINUSE' ? new PortInUse(`Port ${port} is in use.`, { cause }) : cause);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${actualPort}`,
    stop: async (graceMs) => {
      isStopping = true;
      server.close();
      server.closeIdleConnections();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(running), late]);
      clearTimeout(timer);
      server.closeAllConnections();
    },
  };
}
