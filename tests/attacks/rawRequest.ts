import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { service } from '../contract/service.js';

export interface RawRequest {
  readonly method: string;
  /** Sent as it is written: no client folds dots or encodes characters. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16, timeout: 30_000 });

/** Closes the connections that are kept open between requests. */
export const closeConnections = (): void => {
  agent.destroy();
};

/** Sends what `fetch` would refuse to send or would tidy up first. */
export const sendRaw = ({ method, path, headers = {}, body }: RawRequest): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.baseUrl);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const call = request({ hostname, port, method, path, agent, headers: { ...length, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('error', reject);
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = decoded(Buffer.concat(chunks), answer.headers['content-encoding']).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    call.on('error', reject);
    call.setTimeout(180_000, () => call.destroy(new Error('no answer within three minutes')));
    call.end(body);
  });

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined || bytes.length === 0) return bytes;
  if (encoding === 'gzip') return gunzipSync(bytes);
  if (encoding === 'br') return brotliDecompressSync(bytes);
  throw new Error(`An answer came as ${encoding}.`);
}
