import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { dirname, join } from 'node:path';

/** What the service has sent to a receiver, and what that answered. */
export interface Arrived {
  readonly method: string;
  /** Path of its address: the name of the receiver. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly status: number;
}

export interface ReceiverFront {
  readonly baseUrl: string;
  readonly arrived: readonly Arrived[];
  readonly close: () => Promise<void>;
}

/**
 * What ends TLS before receivers, at the address that WEBHOOK_LOCAL_HOSTS names: `/name` is the receiver of that name. It
 * answers 502 while that one is not there, as gateways do.
 *
 * @param ports of the receivers, by name
 */
export async function startReceiverFront(ports: Readonly<Record<string, number>>): Promise<ReceiverFront> {
  const host = process.env['WEBHOOK_LOCAL_HOSTS'] ?? '';
  const folder = join(dirname(process.env['SERVICE_FILE'] ?? ''), 'certificates');
  const [cert, key] = ['local.crt', 'local.key'].map((name) => readFileSync(join(folder, name)));
  const arrived: Arrived[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const { method = '', url = '', headers } = request;
    const path = url.slice(1);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      void passedOn({ method, headers, bytes }, ports[path]).then((answer) => {
        arrived.push({ method, path, headers, body: bytes.toString(), status: answer.status });
        response.writeHead(answer.status, answer.headers).end();
      });
    });
  });
  server.listen(Number(host.split(':')[1]), '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `https://${host}`,
    arrived,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Passed {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

async function passedOn({ method, headers, bytes }: Passed, port: number | undefined) {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(?:webhook-|content-type$|traceparent$)/.test(name) ? [[name, value]] : [],
  );
  const body = method === 'POST' ? { body: new Uint8Array(bytes) } : {};
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method, headers: sent, ...body });
    const consent = answer.headers.get('webhook-allowed-origin');
    return { status: answer.status, headers: consent === null ? {} : { 'webhook-allowed-origin': consent } };
  } catch {
    return { status: 502, headers: {} };
  }
}
