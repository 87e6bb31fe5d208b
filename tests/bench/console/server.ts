import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { contentPolicy } from '../../../shared/console/policy.js';
import type { ListedFile } from '../../../shared/console/consoleFiles.js';
import { indexOf, listing, pictureOf } from './manyFields.js';

const files = JSON.parse(readFileSync('dist/console/listing.json', 'utf8')) as Readonly<Record<string, ListedFile>>;
const pictures = new Map<string, Promise<Uint8Array>>();
const list = JSON.stringify(listing());
const index = JSON.stringify(indexOf());

function sendPage(name: string, origin: string, response: ServerResponse): void {
  const file = files[name];
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  const policy = contentPolicy({ blobEndpoint: `${origin}/blob`, tiles: null, login: null, version: '' });
  const headers = { 'content-type': file.type, 'content-encoding': 'gzip', 'content-security-policy': policy };
  response.writeHead(200, headers).end(readFileSync(`dist/console/${name}.gz`));
}

async function sendPicture(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [fieldId = '', date = ''] = path.split('/').slice(-3);
  const made = pictures.get(path) ?? pictureOf(fieldId, date);
  pictures.set(path, made);
  const bytes = await made;
  const [, first = '0', last = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
  const piece = bytes.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + piece.length - 1}/${bytes.length}`;
  response.writeHead(206, { 'content-range': range, etag: '"1"' }).end(piece);
}

/** Everything that a page of the console asks for, from memory: what is measured is the page. */
export async function startPages(): Promise<{ readonly origin: string; readonly close: () => void }> {
  const json = (response: ServerResponse, body: string): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
  const answer = (request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> | void => {
    const path = decodeURIComponent(new URL(request.url ?? '/', origin).pathname);
    const settings = { blobEndpoint: `${origin}/blob`, tiles: null, login: null, version: 'bench' };
    const access = {
      account_name: 'bench',
      file_system: 'imagery',
      sas_token: 'se=2099-01-01T00:00:00Z',
      path: 'bench',
    };
    if (path.endsWith('.tiff')) return sendPicture(path, request, response);
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
    void answer(request, response, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
