import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { JwksClient } from '../../shared/access/auth/jwksClient.js';
import { systemClock } from '../../shared/kit/clock.js';
import { catalogueHttpClient } from '../../shared/scenes/stac/catalogueHttpClient.js';
import { CogSceneReader } from '../../shared/scenes/pixels/cogSceneReader.js';
import { egressGuard } from '../../shared/kit/outbound/egressClient.js';
import { StacClient } from '../../shared/scenes/stac/stacClient.js';
import { weatherHttpClient } from '../../shared/gdd/weather/providers/weatherHttpClient.js';
import { anItem, aScene, boxPolygon, FIELD_BOX } from '../imagery/builders.js';
import { addressesOf, Canary } from './canary.js';

/** Waits take no time. */
const clock = { ...systemClock, sleep: () => Promise.resolve() };
const canary = new Canary();
let server: Server;
let url: string;
let host: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked = 0;

beforeAll(async () => {
  await canary.start();
  server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  await new Promise((resolve) => server.once('listening', resolve).listen(0, '127.0.0.1'));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url = `http://${host}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await canary.stop();
});
afterEach(() => {
  asked = 0;
  canary.connections = 0;
});

const json = (value: unknown) => (_request: IncomingMessage, response: ServerResponse) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
};
const egress = () => egressGuard([host], { clock });
const getJson = () => catalogueHttpClient({ fetch, clock, egress: egress(), random: () => 0 });
const catalogue = () => new StacClient({ catalogue: 'earth-search', url, getJson: getJson() });
const reader = () => new CogSceneReader({ clock, egress: egress(), random: () => 0 });
const area = { area: boxPolygon(FIELD_BOX), from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z' };
const window = { windows: [{ column: 0, row: 0, width: 8, height: 8 }], signal: new AbortController().signal };
/** How it ended, in a word. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as Error).name,
  );

test('the canary hears who comes, or none of this proves anything', async () => {
  await new Promise((resolve) => connect(canary.port, '127.0.0.1').once('close', resolve));
  expect(canary.connections).toBe(1);
});

describe('an address that leads elsewhere is never called', () => {
  test("as a file of a catalogue's scene", async () => {
    for (const href of addressesOf(canary.port, host)) {
      const scene = aScene({ files: { scl: href, red: href, green: href, blue: href, nir: href } });
      const [read] = await reader().read(scene, 'red', window);
      expect([href, (read as Error).name]).toEqual([href, 'RasterError']);
    }
    expect({ canary: canary.connections, asked }).toEqual({ canary: 0, asked: 0 });
  });

  test('as the next page of a search', async () => {
    for (const href of addressesOf(canary.port, host)) {
      const next = [
        { rel: 'next', method: 'GET', href },
        { rel: 'next', method: 'POST', href, body: {} },
      ];
      for (const link of next) {
        answer = json({ type: 'FeatureCollection', features: [anItem()], links: [link] });
        expect([href, await outcomeOf(catalogue().search(area))]).toEqual([href, 'CatalogueError']);
      }
    }
    expect(canary.connections).toBe(0);
  });
});

describe('a redirect is not followed', () => {
  const clients: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['by the search of scenes', () => catalogue().search(area)],
    [
      'by the reading of a file',
      async () => {
        const href = `${url}/B04.tif`;
        const scene = aScene({ files: { scl: href, red: href, green: href, blue: href, nir: href } });
        const [read] = await reader().read(scene, 'red', window);
        throw read as Error;
      },
    ],
    ["by the client of the issuer's keys", () => new JwksClient({ uri: `${url}/keys`, clock }).find('a')],
    [
      'by the client of a weather source',
      () => weatherHttpClient('weather', { fetch, clock, random: () => 0 })(new URL(url)),
    ],
  ];
  test.each(clients)('%s, whatever its status', async (_what, ask) => {
    for (const status of [301, 302, 303, 307, 308]) {
      answer = (_request, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/x` }).end();
      };
      expect([status, await outcomeOf(ask())]).not.toEqual([status, 'done']);
    }
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(canary.connections).toBe(0);
  });
});
