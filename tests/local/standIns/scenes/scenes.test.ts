import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type DataManagerStandIn, startDataManager } from '../../../../infra/local/standIns/dataManager.js';
import { coverOfPass } from '../../../../infra/local/standIns/dataManager/scenes/syntheticScenes.js';
import { toMapPoint } from '../../../../shared/geo/grid/grid.js';
import { memorySource } from '../../../../shared/raster/read/memorySource.js';
import { openRaster, type Raster } from '../../../../shared/raster/read/rasterReader.js';
import { projectionOf } from '../../../../shared/geo/grid/utm.js';
import { readWindows } from '../../../../shared/raster/read/windowReader.js';
import { addDays, dayOf } from '../../../../shared/kit/validation/calendar.js';
import { ManualClock } from '../../../support/manualClock.js';

const VERSION = 'api-version=2023-11-01-preview';
type Json = Record<string, unknown>;
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
}

const clock = new ManualClock('2026-06-20T15:00:00Z');
let standIn: DataManagerStandIn;
beforeAll(async () => {
  standIn = await startDataManager({ clock, licenceIsGood: ({ clientId }) => clientId === 'good' });
});
afterAll(() => standIn.close());
afterEach(() => {
  standIn.script.reset();
});

async function call(path: string, method = 'GET', body?: unknown): Promise<Answer> {
  const response = await fetch(`${standIn.url}${path}${path.includes('?') ? '&' : '?'}${VERSION}`, {
    method,
    headers: { authorization: 'Bearer x', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json };
}

const credentials = {
  kind: 'OAuthClientCredentials',
  clientId: 'good',
  clientSecret: { keyVaultUri: 'https://vault', keyName: 'secret', keyVersion: '1' },
};
const anIngest = (changes: Json = {}): Json => ({
  partyId: standIn.seed.partyId,
  associatedResource: { type: 'Field', id: standIn.seed.fieldIds[0] },
  collection: 'sentinel-2-l2a',
  provider: 'SentinelHub',
  startDateTime: '2026-06-01T00:00:00Z',
  endDateTime: '2026-06-12T23:59:59Z',
  data: { imageNames: ['B02', 'B03', 'B04', 'B08', 'SCL'], imageFormats: ['TIF'], imageResolutions: [10] },
  credentials,
  ...changes,
});
const put = (id: string, changes: Json = {}): Promise<Answer> =>
  call(`/scenes/satellite/ingest-data/${id}`, 'PUT', anIngest(changes));
const statusOf = async (id: string): Promise<Json> => (await call(`/scenes/satellite/ingest-data/${id}`)).json;
const query = (more = ''): string =>
  `/scenes?provider=SentinelHub&partyId=${standIn.seed.partyId}&associatedResourceType=Field` +
  `&associatedResourceId=${standIn.seed.fieldIds[0]}&collection=sentinel-2-l2a${more}`;

interface Scene extends Json {
  readonly sceneDateTime: string;
  readonly cloudCoverPercentage: number;
  readonly imageFiles: readonly { readonly name: string; readonly fileLink: string }[];
}
const scenesIn = ({ json }: Answer): readonly Scene[] => json['value'] as Scene[];

async function ingested(id: string, changes: Json = {}): Promise<readonly Scene[]> {
  expect((await put(id, changes)).status).toBe(202);
  await clock.advance(3_000);
  return scenesIn(await call(query()));
}
async function fileOf(scene: Scene, name: string): Promise<Raster> {
  const { fileLink } = scene.imageFiles.find((file) => file.name === name)!;
  const response = await fetch(fileLink, { headers: { authorization: 'Bearer x' } });
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  return openRaster(memorySource(new Uint8Array(await response.arrayBuffer()), name));
}

describe('an ingest of scenes', () => {
  test('advances with the clock: Waiting, Running, Succeeded', async () => {
    const created = await put('one');
    expect(created.status).toBe(202);
    const link = created.headers.get('location');
    expect(link).toBe(created.headers.get('operation-location'));
    expect(new URL(link!).pathname).toBe('/scenes/satellite/ingest-data/one');
    expect(created.json).toMatchObject({ id: 'one', status: 'Waiting' });
    await clock.advance(1_000);
    expect(await statusOf('one')).toMatchObject({ status: 'Running' });
    await clock.advance(2_000);
    expect(await statusOf('one')).toMatchObject({
      status: 'Succeeded',
      message: expect.stringContaining('for 2 days'),
      durationInSeconds: 3,
    });
  });

  test('of an id that is taken is 409', async () => {
    await put('one');
    expect((await put('one')).status).toBe(409);
  });

  test('beside five that run is refused, until one has ended', async () => {
    for (const id of ['1', '2', '3', '4', '5']) expect((await put(id)).status).toBe(202);
    const sixth = await put('6');
    expect(sixth.status).toBe(429);
    expect(sixth.headers.get('retry-after')).toBe('2');
    await clock.advance(3_000);
    expect((await put('6')).status).toBe(202);
  });

  test.each<[string, Json]>([
    ['an unknown collection', { collection: 'landsat' }],
    ['more than a year', { startDateTime: '2024-01-01T00:00:00Z' }],
    ['a form other than TIF', { data: { imageNames: ['B02'], imageFormats: ['PNG'], imageResolutions: [10] } }],
    ['an unknown image', { data: { imageNames: ['B99'], imageFormats: ['TIF'], imageResolutions: [10] } }],
    ['an unknown member', { extra: 1 }],
    ['a secret by value', { credentials: { ...credentials, clientSecret: 'plain' } }],
  ])('with %s is 400', async (_what, changes) => {
    expect((await put('bad', changes)).status).toBe(400);
  });

  test('of a field that does not exist is 404', async () => {
    expect((await put('none', { associatedResource: { type: 'Field', id: 'nowhere' } })).status).toBe(404);
  });

  test.each<[string, Json, string]>([
    ['credentials the provider refuses', { credentials: { ...credentials, clientId: 'bad' } }, 'InvalidCredentials'],
    ['no credentials', { credentials: undefined }, 'NoConnector'],
  ])('with %s ends Failed', async (_what, changes, errorCode) => {
    expect(await ingested('refused', changes)).toEqual([]);
    expect(await statusOf('refused')).toMatchObject({ status: 'Failed', errorCode });
  });
});

describe('the scenes of a field', () => {
  test('are listed newest first at midnight, with a clear one among them', async () => {
    const scenes = await ingested('list');
    const dates = scenes.map(({ sceneDateTime }) => sceneDateTime);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(dates.every((at) => at.endsWith('T00:00:00Z'))).toBe(true);
    expect(scenes.some(({ cloudCoverPercentage }) => cloudCoverPercentage === 0)).toBe(true);
    expect(scenes[0]!.imageFiles[0]!.fileLink).toMatch(/%2f/);
  });

  test('are not there before the ingest has succeeded, nor those of the future', async () => {
    await put('early', { endDateTime: '2026-07-31T00:00:00Z' });
    expect(scenesIn(await call(query()))).toEqual([]);
    await clock.advance(3_000);
    const latest = scenesIn(await call(query()))[0]!.sceneDateTime;
    expect(latest < '2026-06-21').toBe(true);
  });

  test('come in pages of at least ten that follow one another', async () => {
    await ingested('year', { startDateTime: '2025-07-01T00:00:00Z' });
    const all = scenesIn(await call(query('&maxPageSize=1000'))).map(({ id }) => id);
    expect(all.length).toBeGreaterThan(60);
    const paged: unknown[] = [];
    let next: string | undefined = query('&maxPageSize=25');
    while (next !== undefined) {
      const { json }: Answer = await call(next);
      paged.push(...(json['value'] as Json[]).map(({ id }) => id));
      next =
        json['skipToken'] === undefined ? undefined : query(`&maxPageSize=25&skipToken=${json['skipToken'] as string}`);
    }
    expect(paged).toEqual(all);
    expect((await call(query('&maxPageSize=9'))).status).toBe(400);
  });

  test('want the whole query', async () => {
    expect((await call('/scenes?provider=SentinelHub')).status).toBe(400);
    expect((await call(query('&unknown=1'))).status).toBe(400);
  });

  test('have GeoTIFFs of 10 m in UTM that cover the field, and say that they are synthetic', async () => {
    const [scene] = await ingested('files');
    for (const [name, type] of [
      ['B04', 'uint16'],
      ['SCL', 'uint8'],
    ] as const) {
      const raster = await fileOf(scene!, name);
      expect(raster.image.sampleType).toBe(type);
      expect(raster.metadataXml).toContain('Synthetic farmland');
      const grid = raster.grid!;
      expect([grid.epsg, grid.pixelWidth, raster.nodata]).toEqual([32615, 10, 0]);
      const { toPosition } = projectionOf(grid.epsg);
      const [west, north] = toPosition(toMapPoint(grid, [0, 0]));
      const [east, south] = toPosition(toMapPoint(grid, [grid.width, grid.height]));
      const { longitude, latitude } = standIn.seed.pointOnSurface;
      expect(west < longitude && longitude < east && south < latitude && latitude < north).toBe(true);
    }
  });
});

describe('the calendar of passes', () => {
  test('has a clear one in any twelve days', () => {
    for (let first = 19_000; first < 19_400; first += 1) {
      const covers = Array.from({ length: 12 }, (_, k) => coverOfPass(dayOf(first + k)));
      expect(covers).toContain(0);
    }
  });

  test('comes round every five days, some above 80 % cloud, none before the collection begins', () => {
    const year = Array.from({ length: 365 }, (_, k) => coverOfPass(addDays('2025-01-01', k)));
    const passes = year.filter((cover) => cover !== undefined);
    expect(passes).toHaveLength(73);
    expect(Math.max(...passes)).toBeGreaterThan(80);
    expect(coverOfPass('2016-10-30')).toBeUndefined();
  });
});

describe('scripted oddities', () => {
  const pixelsOf = async (raster: Raster): Promise<ArrayLike<number>> =>
    (await readWindows(raster, [{ column: 0, row: 0, width: raster.image.width, height: raster.image.height }]))[0]!
      .data;

  test('are told over HTTP, one an ingest', async () => {
    const control = (body: unknown): Promise<Response> =>
      fetch(`${standIn.url}/.control/scenes`, { method: 'POST', body: JSON.stringify(body) });
    expect((await control(['licenceRefused'])).status).toBe(204);
    expect((await control(['nonsense'])).status).toBe(400);
    await ingested('refused');
    expect(await statusOf('refused')).toMatchObject({ status: 'Failed', errorCode: 'InvalidCredentials' });
    await ingested('fine');
    expect(await statusOf('fine')).toMatchObject({ status: 'Succeeded' });
  });

  test.each([
    ['ingestFailed', { status: 'Failed', errorCode: 'ProviderUnavailable' }],
    ['cancelled', { status: 'Cancelled' }],
    ['slow', { status: 'Running' }],
    ['noScenes', { status: 'Succeeded', message: 'Scenes were ingested for 0 days.' }],
  ] as const)('%s shows in the status', async (oddity, expected) => {
    standIn.scenes.add(oddity);
    expect(await ingested('odd')).toEqual([]);
    expect(await statusOf('odd')).toMatchObject(expected);
  });

  test('overcast: every pixel is cloud', async () => {
    standIn.scenes.add('overcast');
    const [scene] = await ingested('overcast');
    expect(new Set(Array.from(await pixelsOf(await fileOf(scene!, 'SCL'))))).toEqual(new Set([9]));
  });

  test('brokenFiles: no file can be read; oneBrokenFile: B04 of the newest scene', async () => {
    standIn.scenes.add('brokenFiles');
    const [scene] = await ingested('broken');
    await expect(fileOf(scene!, 'B02').then(pixelsOf)).rejects.toThrow();
    standIn.script.reset();
    standIn.scenes.add('oneBrokenFile');
    const [newest, older] = await ingested('one-broken');
    await expect(fileOf(newest!, 'B04').then(pixelsOf)).rejects.toThrow();
    await expect(fileOf(newest!, 'B03').then(pixelsOf)).resolves.toBeDefined();
    await expect(fileOf(older!, 'B04').then(pixelsOf)).resolves.toBeDefined();
  });

  test('foreignLinks: files and pages are said to lie elsewhere', async () => {
    standIn.scenes.add('foreignLinks');
    const [scene] = await ingested('foreign', { startDateTime: '2025-07-01T00:00:00Z' });
    expect(new URL(scene!.imageFiles[0]!.fileLink).origin).toBe('https://scenes.foreign.example');
    const { json } = await call(query());
    expect(new URL(String(json['nextLink'])).origin).toBe('https://scenes.foreign.example');
  });

  test('geographic: reflectance 0–1 on a grid in degrees', async () => {
    standIn.scenes.add('geographic');
    const [scene] = await ingested('geographic');
    const raster = await fileOf(scene!, 'B08');
    expect(raster.grid!.epsg).toBe(4326);
    expect(raster.image.sampleType).toBe('float32');
    expect(Math.max(...Array.from(await pixelsOf(raster)))).toBeLessThan(1.5);
  });
});
