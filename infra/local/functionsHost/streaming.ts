import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import type { ProgrammingModel } from './rpc.js';

/** What the library reads of a request that the host forwards to it. */
export type ForwardedRequest = Readable & {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly url: string;
};

/** Hands a request to the library's own server, as the real host's forwarder does over a socket. */
export type Forward = (request: ForwardedRequest, response: ServerResponse) => void;

interface HttpModule {
  createServer: unknown;
}

/** Stands for the server that the library would open on every interface; nothing listens. */
class DetachedServer extends EventEmitter {
  listen(onListening: () => void): this {
    setImmediate(onListening);
    return this;
  }

  address(): { port: number } {
    return { port: 1 };
  }

  close(): this {
    return this;
  }
}

/**
 * Asks the library for its capabilities, which ends its set-up. In streaming mode the library opens an HTTP server to
 * which the host forwards requests; here that server is detached, and requests are emitted on it in this process.
 *
 * @returns how to forward a request, or undefined when the app does not stream
 */
export async function openChannel(model: ProgrammingModel): Promise<Forward | undefined> {
  // The library holds the CommonJS module object; an ES namespace could not be changed.
  const http = createRequire(import.meta.url)('node:http') as HttpModule;
  const { createServer } = http;
  const server = new DetachedServer();
  http.createServer = () => server;
  try {
    const capabilities = await model.getCapabilities({});
    if (capabilities['HttpUri'] === undefined) return undefined;
  } finally {
    http.createServer = createServer;
  }
  return (request, response) => {
    server.emit('request', request, response);
  };
}
