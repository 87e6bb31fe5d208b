import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as requestOf, type IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { dirname, join } from 'node:path';
import { service } from '../contract/service.js';

/** What a worse service would do: with each of these a client of strangers must fail, or the tests prove nothing. */
export type Fault = 'noSplit' | 'noFractions' | 'plainLinks';

export interface TlsProxy {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

const isDateTimeWithFraction = /T\d\d(?::|%3A)\d\d(?::|%3A)\d\d\.\d/i;

/** A query as the service would understand it that takes a list joined by commas for one value. */
const unsplit = (url: string): string => url.replaceAll(/(?<==[^&]*)(?:,|%2C)/gi, '~');

/**
 * The service behind TLS, at the address that its setting PUBLIC_URL names: clients send no token over http.
 *
 * @param fault spoils requests or answers in that way
 */
export async function startTlsProxy(fault?: Fault): Promise<TlsProxy> {
  const baseUrl = process.env['PUBLIC_URL'] ?? '';
  const folder = join(dirname(process.env['SERVICE_FILE'] ?? ''), 'certificates');
  const [cert, key] = ['local.crt', 'local.key'].map((name) => readFileSync(join(folder, name)));
  const plain = (text: string): string =>
    fault === 'plainLinks' ? text.replaceAll(baseUrl, baseUrl.replace('https', 'http')) : text;
  const server = createServer({ cert, key }, (request, response) => {
    const { url = '/', method = 'GET', headers } = request;
    if (fault === 'noFractions' && isDateTimeWithFraction.test(url)) {
      const error = { code: 'InvalidRequest', message: 'Times have no fraction.' };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return;
    }
    const target = `${service.baseUrl}${fault === 'noSplit' ? unsplit(url) : url}`;
    // Whole answers are read only where they are spoiled.
    const sent = fault === 'plainLinks' ? { ...headers, 'accept-encoding': 'identity' } : headers;
    const asked = requestOf(target, { method, headers: sent }, (answer) => {
      const answered = Object.entries(answer.headers).map(([name, value]) => [
        name,
        typeof value === 'string' ? plain(value) : value,
      ]);
      const out = Object.fromEntries(answered) as IncomingHttpHeaders;
      if (fault !== 'plainLinks') {
        response.writeHead(answer.statusCode ?? 502, out);
        answer.pipe(response);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const body = plain(Buffer.concat(chunks).toString('latin1'));
        delete out['content-length'];
        response.writeHead(answer.statusCode ?? 502, out).end(body, 'latin1');
      });
    });
    asked.on('error', () => response.writeHead(502).end());
    request.pipe(asked);
  });
  server.listen(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
