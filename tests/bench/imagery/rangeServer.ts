import { openSync, readSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** What was asked since the last time somebody looked. */
interface Tally {
  requests: number;
  bytes: number;
}

const files = new Map<string, { readonly file: number; readonly size: number }>();

function opened(path: string): { readonly file: number; readonly size: number } {
  const known = files.get(path) ?? { file: openSync(path, 'r'), size: statSync(path).size };
  files.set(path, known);
  return known;
}

/** Answers a range as blob storage does: HEAD for the size, 206 with an ETag. */
function answer(path: string, request: IncomingMessage, response: ServerResponse): number {
  const { file, size } = opened(path);
  const headers = { etag: `"${size}"`, 'accept-ranges': 'bytes', 'content-type': 'image/tiff' };
  const match = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  if (request.method === 'HEAD' || match === null) {
    response.writeHead(200, { ...headers, 'content-length': size }).end();
    return 0;
  }
  const first = Number(match[1]);
  const last = Math.min(size - 1, match[2] === '' ? size - 1 : Number(match[2]));
  const bytes = Buffer.allocUnsafe(last - first + 1);
  readSync(file, bytes, 0, bytes.length, first);
  const contentRange = `bytes ${first}-${last}/${size}`;
  response.writeHead(206, { ...headers, 'content-range': contentRange, 'content-length': bytes.length }).end(bytes);
  return bytes.length;
}

/**
 * Serves a folder by range requests, each answered `latencyMs` late; `/tally` tells what was asked since it was asked
 * last. Prints its port.
 */
export function serve(folder: string, latencyMs: number): void {
  let tally: Tally = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    if (request.url === '/tally') {
      // Whoever asks is blocked while a reader runs and would find a kept connection closed.
      response.writeHead(200, { connection: 'close' }).end(JSON.stringify(tally));
      tally = { requests: 0, bytes: 0 };
      return;
    }
    tally.requests += 1;
    const reply = (): void => {
      tally.bytes += answer(join(folder, (request.url ?? '').replace(/^\/+/, '')), request, response);
    };
    if (latencyMs > 0) setTimeout(reply, latencyMs);
    else reply();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  });
}
