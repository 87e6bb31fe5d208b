import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DataManagerStandIn, startDataManager } from '../../../infra/local/standIns/dataManager.js';
import type { DataManagerError } from '../../../shared/jobs/dataManager/dataManager.js';
import { DataManagerClient } from '../../../shared/jobs/dataManager/dataManagerClient.js';
import type { DataManagerSceneQuery, SceneRequest } from '../../../shared/jobs/dataManager/scenes.js';
import { interiorPointOf } from '../../../shared/geo/shapes/interiorPoint.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { ManualClock } from '../../support/manualClock.js';

const TOKEN = 'canary.token-that.must-not-leak';
const clock = new ManualClock('2026-06-20T15:00:00Z');
/** Waits take no time. */
const impatient = { now: () => clock.now(), sleep: () => Promise.resolve(), every: clock.every.bind(clock) };

let standIn: DataManagerStandIn;
let foreign: Server;
const foreignRequests: string[] = [];
beforeAll(async () => {
  standIn = await startDataManager({ clock, tokenIsValid: (token) => token === TOKEN });
  foreign = createServer((request, response) => {
    foreignRequests.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`);
    response.end('{}');
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  foreign.close();
  await standIn.close();
});
afterEach(() => {
  standIn.script.reset();
  foreignRequests.length = 0;
});

const clientOf = (baseUrl: string): DataManagerClient =>
  new DataManagerClient({
    baseUrl,
    apiVersion: '2023-11-01-preview',
    getToken: () => Promise.resolve(TOKEN),
    clock: impatient,
    random: () => 0,
  });
const client = (): DataManagerClient => clientOf(standIn.url);

const query = (changes: Partial<DataManagerSceneQuery> = {}): DataManagerSceneQuery => ({
  partyId: standIn.seed.partyId,
  fieldId: standIn.seed.fieldIds[0]!,
  from: '2026-06-01',
  to: '2026-06-12',
  collection: 'sentinel-2-l2a',
  ...changes,
});
const request = (changes: Partial<DataManagerSceneQuery> = {}): SceneRequest => ({
  ...query(changes),
  images: ['B02', 'B03', 'B04', 'B08', 'SCL'],
  resolution: 10,
  credentials: {
    clientId: 'client',
    clientSecret: { keyVaultUri: 'https://vault', keyName: 'secret', keyVersion: '1' },
  },
});
const failureOf = (call: Promise<unknown>): Promise<DataManagerError> =>
  call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (cause: unknown) => cause as DataManagerError,
  );

describe('a field of ours', () => {
  test('is created and merged under the id we choose', async () => {
    const { partyId, farmId } = standIn.seed;
    const ring = [
      [-93, 41.5],
      [-92.9, 41.5],
      [-92.9, 41.6],
      [-93, 41.6],
      [-93, 41.5],
    ] as const;
    const field = {
      farmId,
      name: 'Search',
      description: '.',
      geometry: { type: 'Polygon', coordinates: [ring] },
    } as const;
    await client().putField(partyId, 'search-1', field);
    await client().putField(partyId, 'search-1', { ...field, name: 'Search again' });
    expect(await client().getField(partyId, 'search-1')).toMatchObject({
      id: 'search-1',
      farmId,
      name: 'Search again',
      point: interiorPointOf(field.geometry),
    });
  });
});

describe('an ingest', () => {
  test('is started and read until it has succeeded', async () => {
    expect(await client().startSceneIngest('job', request())).toEqual({ id: 'job', status: 'running' });
    await clock.advance(3_000);
    expect(await client().getSceneIngest('job')).toMatchObject({ id: 'job', status: 'succeeded' });
  });

  test('that exists already is read instead', async () => {
    await client().startSceneIngest('job', request());
    await clock.advance(3_000);
    expect(await client().startSceneIngest('job', request())).toMatchObject({ id: 'job', status: 'succeeded' });
  });

  test('whose answer is lost is started once', async () => {
    standIn.script.add({ kind: 'lose', method: 'PUT' });
    expect(await client().startSceneIngest('job', request())).toMatchObject({ id: 'job', status: 'running' });
  });

  test('beside five others is throttled', async () => {
    for (const id of ['1', '2', '3', '4', '5']) await client().startSceneIngest(id, request());
    expect(await failureOf(client().startSceneIngest('6', request()))).toMatchObject({ kind: 'throttled' });
  });

  test('that failed says why', async () => {
    standIn.scenes.add('licenceRefused');
    await client().startSceneIngest('job', request());
    await clock.advance(3_000);
    expect(await client().getSceneIngest('job')).toMatchObject({ status: 'failed', errorCode: 'InvalidCredentials' });
  });

  test('in a status we do not know goes on', async () => {
    const body = JSON.stringify({ id: 'job', status: 'Created' });
    standIn.script.add({ kind: 'status', status: 200, body });
    expect(await client().getSceneIngest('job')).toEqual({ id: 'job', status: 'running' });
  });
});

describe('scenes', () => {
  const ingest = async (changes: Partial<DataManagerSceneQuery> = {}): Promise<void> => {
    await client().startSceneIngest('job', request(changes));
    await clock.advance(3_000);
  };

  test('come with day, cloud cover and the names of their files', async () => {
    await ingest();
    const scenes = await client().listScenes(query());
    expect(scenes.map(({ date }) => date)).toEqual(['2026-06-08', '2026-06-03']);
    expect(scenes[0]).toMatchObject({
      itemId: expect.stringContaining('SYNTHETIC'),
      cloudCoverPercent: expect.any(Number),
      files: expect.arrayContaining([{ name: 'SCL', resolution: 10, filePath: expect.stringMatching(/SCL_10\.tif$/) }]),
    });
  });

  test('are read page by page', async () => {
    await ingest({ from: '2025-07-01' });
    expect(await client().listScenes(query({ from: '2025-07-01' }))).toHaveLength(69);
    expect(standIn.script.requests().filter(({ path }) => path.startsWith('/scenes?'))).toHaveLength(2);
  });

  test('come as the bytes of their files', async () => {
    await ingest();
    const [scene] = await client().listScenes(query());
    const bytes = await client().readSceneFile(scene!.files[0]!.filePath, 1_000_000);
    expect((await openRaster(memorySource(bytes))).grid?.epsg).toBe(32615);
  });

  test('whose file breaks off in transit are read again', async () => {
    await ingest();
    const [scene] = await client().listScenes(query());
    standIn.script.add({ kind: 'truncate', path: 'downloadFiles' });
    const bytes = await client().readSceneFile(scene!.files[0]!.filePath, 1_000_000);
    expect((await openRaster(memorySource(bytes))).grid?.epsg).toBe(32615);
  });

  test('with a file larger than we take are unavailable', async () => {
    await ingest();
    const [scene] = await client().listScenes(query());
    const failure = await failureOf(client().readSceneFile(scene!.files[0]!.filePath, 100));
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('larger than 100 bytes') });
  });

  test('that are said to lie elsewhere are asked of our data manager all the same', async () => {
    standIn.scenes.add('foreignLinks');
    await ingest({ from: '2025-07-01' });
    const scenes = await client().listScenes(query({ from: '2025-07-01' }));
    expect(scenes).toHaveLength(69);
    const bytes = await client().readSceneFile(scenes[0]!.files[0]!.filePath, 1_000_000);
    expect(bytes.length).toBeGreaterThan(1000);
  });

  test('send the token nowhere else, whatever an answer names', async () => {
    const elsewhere = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
    const scene = {
      id: 's',
      sceneDateTime: '2026-06-10T00:00:00Z',
      imageFiles: [{ name: 'B02', resolution: 10, fileLink: `${elsewhere}/scenes/downloadFiles?filePath=a%2fb` }],
    };
    const page = (body: object): void => {
      standIn.script.add({ kind: 'status', status: 200, path: '/scenes?', body: JSON.stringify(body) });
    };
    page({ value: [scene], nextLink: `${elsewhere}/scenes?skipToken=2` });
    page({ value: [] });
    const [found] = await client().listScenes(query());
    await failureOf(client().readSceneFile(found!.files[0]!.filePath, 1000));
    standIn.script.add({ kind: 'status', status: 302, headers: { location: `${elsewhere}/` } });
    await failureOf(client().listScenes(query()));
    expect(foreignRequests).toEqual([]);
    const paths = standIn.script.requests().map(({ path }) => path);
    expect(paths[1]).toContain('skipToken=2');
    expect(paths[2]).toContain('/scenes/downloadFiles?filePath=a%2Fb');
  });

  test('lose an odd file and nothing else of the page', async () => {
    standIn.scenes.add('oddFiles');
    await ingest();
    const [newest, older] = await client().listScenes(query());
    expect(newest?.files.map(({ name }) => name).sort()).toEqual(['B02', 'B03', 'B04', 'SCL']);
    expect(older?.files.map(({ name }) => name).sort()).toEqual(['B02', 'B03', 'B04', 'B08', 'SCL']);
  });

  test.each<[string, unknown]>([
    ['no object', null],
    ['without a name', { fileLink: 'http://x/y?filePath=b' }],
    ['with a name that is no text', { name: 2, fileLink: 'http://x/y?filePath=b' }],
    ['without a link', { name: 'B03' }],
    ['with a link that is no address', { name: 'B03', fileLink: 'http://[' }],
    ['without filePath', { name: 'B03', fileLink: 'http://x/y' }],
    ['with an empty filePath', { name: 'B03', fileLink: 'http://x/y?filePath=' }],
  ])('lose a file that is described %s', async (_what, file) => {
    const good = { name: 'B02', resolution: null, fileLink: 'http://x/y?filePath=a' };
    const scene = { id: 's', sceneDateTime: '2026-06-10T00:00:00Z', imageFiles: [file, good] };
    standIn.script.add({ kind: 'status', status: 200, body: JSON.stringify({ value: [scene] }) });
    const [found] = await client().listScenes(query());
    expect(found?.files).toEqual([{ name: 'B02', resolution: 10, filePath: 'a' }]);
  });

  test.each([{ id: 'odd', sceneDateTime: null }, { id: 'odd' }, { sceneDateTime: '2026-06-11T00:00:00Z' }])(
    'lose one that is described as %j, and no other of the page',
    async (odd) => {
      const good = { id: 's', sceneDateTime: '2026-06-10T00:00:00Z' };
      standIn.script.add({ kind: 'status', status: 200, body: JSON.stringify({ value: [odd, good] }) });
      expect((await client().listScenes(query())).map(({ id }) => id)).toEqual(['s']);
    },
  );

  test('have files whose links name their parameters with spaces around', async () => {
    standIn.scenes.add('spacedNames');
    await ingest();
    const [scene] = await client().listScenes(query());
    expect(scene?.files).toHaveLength(5);
    const bytes = await client().readSceneFile(scene!.files[0]!.filePath, 1_000_000);
    expect((await openRaster(memorySource(bytes))).grid?.epsg).toBe(32615);
  });

  test.each<[string, object]>([
    ['a list that is none', { value: 'x' }],
    ['a scene without a day', { value: [{ id: 's', sceneDateTime: 'soon', imageFiles: [] }] }],
    ['a next page without a token', { value: [], nextLink: 'https://elsewhere/scenes' }],
  ])('in an answer with %s are unavailable', async (_what, body) => {
    standIn.script.add({ kind: 'status', status: 200, body: JSON.stringify(body) });
    expect(await failureOf(client().listScenes(query()))).toMatchObject({ kind: 'unavailable' });
  });

  test('in a list that goes round in circles end it', async () => {
    const body = JSON.stringify({ value: [], skipToken: 'again' });
    standIn.script.add({ kind: 'status', status: 200, body, times: 50 });
    expect(await failureOf(client().listScenes(query()))).toMatchObject({ kind: 'unavailable' });
    expect(standIn.script.requests()).toHaveLength(20);
  });
});
