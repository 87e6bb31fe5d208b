import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { contentPolicy } from '../../../shared/http/pages/consolePolicy.js';
import type { ListedFile } from '../../../shared/http/pages/consoleFiles.js';
import { allPictures, indexOf, listing } from './manyFields.js';

const files = JSON.parse(readFileSync('dist/console/listing.json', 'utf8')) as Readonly<Record<string, ListedFile>>;
const index = JSON.stringify(indexOf());

function sendPage(name: string, origin: string, response: ServerResponse): void {
  const file = files[name];
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  const policy = contentPolicy({
    blobEndpoint: `${origin}/blob`,
    tiles: null,
    tilesFault: null,
    login: null,
    notices: false,
    version: '',
  });
  const headers = { 'content-type': file.type, 'content-encoding': 'gzip', 'content-security-policy': policy };
  response.writeHead(200, headers).end(readFileSync(`dist/console/${name}.gz`));
}

function sendPicture(bytes: Uint8Array, request: IncomingMessage, response: ServerResponse): void {
  const [, first = '0', last = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
  const piece = bytes.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + piece.length - 1}/${bytes.length}`;
  response.writeHead(206, { 'content-range': range, etag: '"1"' }).end(piece);
}

/** A service that answers without work of its own. */
interface BenchPages {
  readonly origin: string;
  /** Pictures that were asked for until now. */
  readonly served: () => number;
  readonly close: () => void;
}

/** Everything that a page of the console asks for, from memory: what is measured is the page. */
export async function startPages(fields: number): Promise<BenchPages> {
  const [list, pictures] = [JSON.stringify(listing(fields)), await allPictures(fields)];
  let served = 0;
  const json = (response: ServerResponse, body: string): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
  const answer = (request: IncomingMessage, response: ServerResponse, origin: string): void => {
    const path = decodeURIComponent(new URL(request.url ?? '/', origin).pathname);
    const settings = { blobEndpoint: `${origin}/blob`, tiles: null, tilesFault: null, login: null, version: 'bench' };
    const access = {
      account_name: 'bench',
      file_system: 'imagery',
      sas_token: 'se=2099-01-01T00:00:00Z',
      path: 'bench',
    };
    const picture = pictures.get(path.split('/').slice(-3, -1).join(' '));
    if (picture !== undefined && path.endsWith('.tiff')) {
      served += 1;
      sendPicture(picture, request, response);
      return;
    }
    if (path.endsWith('index.json')) {
      json(response, index);
      return;
    }
    if (path === '/v1/fields') {
      json(response, list);
      return;
    }
    if (path === '/v1/auth/sas-token') {
      json(response, JSON.stringify(access));
      return;
    }
    if (path === '/console/settings.json') {
      json(response, JSON.stringify(settings));
      return;
    }
    sendPage(path.replace('/console/', '') || 'index.html', origin, response);
  };
  const server = createServer((request, response) => {
    answer(request, response, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    served: () => served,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
