import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POINT_ON_SURFACE } from '../../../infra/local/demo/farms.js';
import { startStac, type StacOptions, type StacStandIn } from '../../../infra/local/standIns/stac.js';
import { systemClock } from '../../../shared/kit/clock.js';
import { catalogueHttpClient } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { CogSceneReader } from '../../../shared/scenes/pixels/cogSceneReader.js';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import type { GeoBox } from '../../../shared/scenes/place/footprint.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { isUsable } from '../../../shared/scenes/item/sceneOfItem.js';
import { StacClient } from '../../../shared/scenes/stac/stacClient.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { toPixel, windowAround } from '../../../shared/geo/grid/grid.js';
import type { Pixels } from '../../../shared/raster/tiff/pixels.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { testInFull } from '../../support/fullRun.js';
import { scenesFound } from '../../support/scenesFound.js';
import { boxPolygon } from '../../imagery/builders.js';

const NOW = '2026-06-20T12:00:00Z';
const { longitude, latitude } = POINT_ON_SURFACE;
/** A field of 3 ha at the demo point. */
const box = [longitude, latitude, longitude + 0.002, latitude + 0.0015] as const;

let stac: StacStandIn | undefined;
const started = async (options: StacOptions = {}): Promise<StacStandIn> =>
  (stac = await startStac({ clock: { now: () => new Date(NOW) }, ...options }));
afterEach(() => stac?.close());

/** The service's own client and reader on the stand-in. */
function serviceOn({ apiUrl, host }: StacStandIn) {
  const egress = egressGuard([host], { clock: systemClock });
  const getJson = catalogueHttpClient({ fetch, clock: systemClock, egress, random: Math.random });
  return {
    catalogue: new StacClient({ catalogue: 'earth-search', url: apiUrl, getJson }),
    reader: new CogSceneReader({ clock: systemClock, egress, random: Math.random }),
  };
}

async function scenesFrom(
  standIn: StacStandIn,
  days: number,
  area: GeoBox = box,
  now = NOW,
): Promise<readonly Scene[]> {
  const from = `${addDays(now.slice(0, 10), 1 - days)}T00:00:00Z`;
  const found = await scenesFound(serviceOn(standIn).catalogue, { area: boxPolygon(area), from, to: now });
  expect(found.every(isUsable)).toBe(true);
  return found.filter(isUsable);
}

const post = async (standIn: StacStandIn, body: object): Promise<Page> =>
  (await (await fetch(`${standIn.apiUrl}/search`, { method: 'POST', body: JSON.stringify(body) })).json()) as Page;

interface Page {
  readonly features: readonly { readonly id: string }[];
  readonly links: readonly { readonly rel: string; readonly body: object }[];
  readonly numberReturned: number;
}

async function windowOf(standIn: StacStandIn, scene: Scene, file: 'red' | 'nir' | 'scl'): Promise<Pixels> {
  const [x, y] = utmProjection(scene.grid.epsg).toMap([longitude, latitude]);
  const grid = file === 'scl' ? { ...scene.grid, pixelWidth: 20, pixelHeight: 20 } : scene.grid;
  const window = windowAround(grid, [x, y, x + 200, y + 200]);
  const [pixels] = await serviceOn(standIn).reader.read(scene, file, {
    windows: [window],
    signal: new AbortController().signal,
  });
  if (pixels === undefined || pixels instanceof Error) throw new Error('The window could not be read.');
  return pixels;
}

const meanOf = ({ data }: Pixels): number => [...data].reduce((sum, value) => sum + value, 0) / data.length;

describe('synthetic scenes', () => {
  test('come every five days in the form of Earth Search, on all tiles that overlap at the place', async () => {
    const scenes = await scenesFrom(await started(), 40);
    expect(scenes.every(({ id, isSynthetic }) => id.endsWith('_SYNTHETIC') && isSynthetic === true)).toBe(true);
    const days = [...new Set(scenes.map(({ takenAt }) => takenAt.slice(0, 10)))].sort();
    expect(days.length).toBe(8);
    days.slice(1).forEach((day, index) => {
      expect(addDays(days[index]!, 5)).toBe(day);
    });
    expect(new Set(scenes.map(({ tile }) => tile))).toEqual(new Set(['15TVF', '15TVG', '15TWF', '15TWG']));
  });

  test('lie on one tile alone elsewhere, and on the grid of the real one', async () => {
    const scenes = await scenesFrom(await started(), 10, [-101.946, 33.72, -101.944, 33.722]);
    expect(new Set(scenes.map(({ tile }) => tile))).toEqual(new Set(['14SKC']));
    expect(scenes[0]?.grid).toMatchObject({ epsg: 32614, originX: 199_980, originY: 3_800_040, width: 10_980 });
  });

  test.each(Array.from({ length: 20 }, (_, index) => addDays('2026-06-01', index)))(
    'hold at least two clear ones in the 20 days before %s, whatever the hour',
    async (day) => {
      for (const now of [`${day}T00:10:00Z`, `${day}T23:50:00Z`]) {
        const standIn = await started({ clock: { now: () => new Date(now) } });
        const scenes = await scenesFrom(standIn, 20, box, now);
        const clear = new Set(scenes.filter(({ cloudPercent }) => cloudPercent === 0).map(({ takenAt }) => takenAt));
        expect(clear.size).toBeGreaterThanOrEqual(2);
        await standIn.close();
      }
    },
  );

  test('are of both kinds: with the offset in their pixels, and with it removed', async () => {
    const standIn = await started();
    const scenes = await scenesFrom(standIn, 60);
    const inOne = scenes.find(
      ({ collection, cloudPercent }) => collection === 'sentinel-2-c1-l2a' && cloudPercent === 0,
    )!;
    const twin = scenes.find(
      ({ collection, tile, takenAt }) =>
        collection === 'sentinel-2-l2a' && tile === inOne.tile && takenAt === inOne.takenAt,
    )!;
    expect([inOne.offset, twin.offset]).toEqual([
      { offsetDn: -1000, basis: 'asset' },
      { offsetDn: 0, basis: 'catalogue' },
    ]);
    const [withOffset, without] = [await windowOf(standIn, inOne, 'red'), await windowOf(standIn, twin, 'red')];
    expect([...withOffset.data]).toEqual([...without.data].map((dn) => dn + 1000));
  });

  test('are processed by a baseline before 04.00 where they were taken before 2022', async () => {
    const standIn = await started();
    const found = await scenesFound(serviceOn(standIn).catalogue, {
      area: boxPolygon(box),
      from: '2020-06-01T00:00:00Z',
      to: '2020-06-30T00:00:00Z',
    });
    const old = found.filter(isUsable).filter(({ collection }) => collection === 'sentinel-2-l2a');
    expect(old.length).toBeGreaterThan(0);
    old.forEach(({ baseline, offset }) => {
      expect({ baseline, offset }).toEqual({ baseline: '03.01', offset: { offsetDn: 0, basis: 'baseline' } });
    });
  });

  testInFull('show the same ground from overlapping tiles, and cloud where they say so', async () => {
    const standIn = await started();
    const scenes = await scenesFrom(standIn, 60);
    const clear = scenes.filter(
      ({ cloudPercent, collection }) => cloudPercent === 0 && collection === 'sentinel-2-l2a',
    );
    const [first, other] = ['15TVF', '15TWF'].map((name) => clear.find(({ tile }) => tile === name)!);
    const corner = (scene: Scene): readonly number[] =>
      [...toPixel(scene.grid, utmProjection(32615).toMap([longitude, latitude]))].map(Math.floor);
    expect(corner(first!)).not.toEqual(corner(other!));
    expect((await windowOf(standIn, first!, 'red')).data).toEqual((await windowOf(standIn, other!, 'red')).data);
    expect([...(await windowOf(standIn, first!, 'scl')).data].some((value) => value >= 8)).toBe(false);
    const overcast = scenes.find(({ cloudPercent }) => cloudPercent === 100)!;
    expect(meanOf(await windowOf(standIn, overcast, 'scl'))).toBeGreaterThanOrEqual(8);
  });

  test('of the future are not shown, and today’s only some hours after it was taken', async () => {
    const standIn = await started();
    const latest = (await scenesFrom(standIn, 30)).map(({ takenAt }) => Date.parse(takenAt));
    expect(Math.max(...latest)).toBeLessThanOrEqual(Date.parse(NOW) - 4 * 3_600_000);
  });
});

describe('the search', () => {
  const body = {
    collections: ['sentinel-2-l2a'],
    intersects: boxPolygon(box),
    datetime: '2026-01-01T00:00:00Z/2026-06-20T00:00:00Z',
  };

  test('pages by a POST link, newest first, each item once', async () => {
    const standIn = await started();
    const whole = await post(standIn, { ...body, limit: 1000 });
    const ids: string[] = [];
    let call: object | undefined = { ...body, limit: 7 };
    while (call !== undefined) {
      const page = await post(standIn, call);
      expect(page.numberReturned).toBe(page.features.length);
      ids.push(...page.features.map(({ id }) => id));
      call = page.links.find(({ rel }) => rel === 'next')?.body;
    }
    expect(ids).toEqual(whole.features.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(100);
  });

  test.each([
    { why: 'a box', changes: { intersects: undefined, bbox: [...box] }, isFound: true },
    {
      why: 'a box elsewhere on earth',
      changes: { intersects: undefined, bbox: [10, 50, 10.1, 50.1], datetime: '2010-01-01/2010-02-01' },
      isFound: false,
    },
    { why: 'cloud cover', changes: { query: { 'eo:cloud_cover': { lt: 0 } } }, isFound: false },
    { why: 'another collection', changes: { collections: ['landsat'] }, isFound: false },
  ])('filters by $why', async ({ changes, isFound }) => {
    const { features } = await post(await started(), { ...body, ...changes });
    expect(features.length > 0).toBe(isFound);
  });

  test.each([{ intersects: 'x' }, { datetime: 'yesterday' }, { limit: 0 }])('refuses %j', async (changes) => {
    const standIn = await started();
    const answer = await fetch(`${standIn.apiUrl}/search`, {
      method: 'POST',
      body: JSON.stringify({ ...body, ...changes }),
    });
    expect(answer.status).toBe(400);
  });

  test('gives an item by its own link', async () => {
    const standIn = await started();
    const [scene] = await scenesFrom(standIn, 10);
    expect(await (await fetch(scene!.page!)).json()).toMatchObject({ id: scene!.id, collection: scene!.collection });
    expect((await fetch(`${scene!.page!}x`)).status).toBe(404);
  });
});

describe('a folder of real scenes', () => {
  const folders: string[] = [];
  afterEach(() => {
    folders.splice(0).forEach((folder) => {
      rmSync(folder, { recursive: true, force: true });
    });
  });

  const grid = {
    epsg: 32633,
    originX: 359_140,
    originY: 5_352_340,
    pixelWidth: 10,
    pixelHeight: 10,
    width: 64,
    height: 64,
  };

  async function folder(): Promise<string> {
    const path = mkdtempSync(join(tmpdir(), 'stac-'));
    folders.push(path);
    mkdirSync(join(path, 'scene'));
    const pixels = { width: 64, height: 64, bands: 1, data: new Uint16Array(4096).map((_, index) => index + 1) };
    writeFileSync(join(path, 'scene', 'red.tif'), await encodeCog({ pixels, grid, nodata: 0 }));
    const asset = (metres: number) => ({
      href: './red.tif',
      'proj:shape': [640 / metres, 640 / metres],
      'proj:transform': [metres, 0, grid.originX, 0, -metres, grid.originY],
    });
    const item = {
      type: 'Feature',
      id: 'S2B_33UUP_20210617',
      geometry: boxPolygon([13, 48.2, 13.3, 48.4]),
      properties: { datetime: '2021-06-17T10:05:59Z', 'proj:epsg': 32633, 's2:processing_baseline': '03.00' },
      assets: { red: asset(10), green: asset(10), blue: asset(10), nir: asset(10), scl: asset(20) },
    };
    writeFileSync(join(path, 'scene', 'item.json'), JSON.stringify(item));
    writeFileSync(join(path, 'notes.json'), '{"type":"something else"}');
    return path;
  }

  test('is searched and read as it is, its relative hrefs resolved beside the item', async () => {
    const standIn = await started({ folder: await folder() });
    const { catalogue, reader } = serviceOn(standIn);
    const [scene] = (
      await scenesFound(catalogue, {
        area: boxPolygon([13.1, 48.28, 13.11, 48.29]),
        from: '2021-06-01T00:00:00Z',
        to: '2021-06-30T00:00:00Z',
      })
    ).filter(isUsable);
    expect(scene).toMatchObject({ id: 'S2B_33UUP_20210617', collection: 'sentinel-2-l2a', baseline: '03.00' });
    const signal = new AbortController().signal;
    const [pixels] = await reader.read(scene!, 'red', {
      windows: [{ column: 1, row: 2, width: 2, height: 1 }],
      signal,
    });
    expect(pixels).toMatchObject({ data: Uint16Array.of(130, 131) });
  });

  test('shows a scene that is put there later', async () => {
    const path = await folder();
    const standIn = await started({ folder: path });
    const search = async (): Promise<number> =>
      (await post(standIn, { bbox: [13, 48, 14, 49], limit: 10 })).features.length;
    expect(await search()).toBe(1);
    const late = {
      type: 'Feature',
      id: 'late',
      geometry: boxPolygon([13, 48.2, 13.3, 48.4]),
      properties: { datetime: '2021-06-22T10:05:59Z' },
      assets: {},
    };
    writeFileSync(join(path, 'late.json'), JSON.stringify(late));
    expect(await search()).toBe(2);
  });

  test('takes items out when it is told to, and shows them again', async () => {
    const standIn = await started({ folder: await folder() });
    const search = async () => (await post(standIn, { bbox: [13, 48, 14, 49], limit: 10 })).features;
    const [item] = await search();
    const tell = (ids: unknown): Promise<Response> =>
      fetch(`${standIn.url}/.control/withdrawn`, { method: 'POST', body: JSON.stringify(ids) });
    expect((await tell([item?.id])).status).toBe(204);
    expect(await search()).toEqual([]);
    expect((await tell('all')).status).toBe(400);
    standIn.script.reset();
    expect(await search()).toEqual([item]);
  });

  test('gives away no file beside it', async () => {
    const standIn = await started({ folder: await folder() });
    for (const path of ['%2e%2e%2fetc%2fpasswd', '..%2f..%2fetc%2fpasswd', 'scene%2f..%2f..%2f..%2fetc%2fpasswd', '']) {
      expect((await fetch(`${standIn.url}/files/${path}`)).status).toBe(404);
    }
  });

  test.each([
    { range: 'bytes=0-7', status: 206, length: 8 },
    { range: 'bytes=-4', status: 206, length: 4 },
    { range: 'bytes=999999-', status: 416, length: 0 },
    { range: 'bytes=5-2', status: 416, length: 0 },
    { range: 'lines=1-2', status: 416, length: 0 },
  ])('answers the range $range with $status', async ({ range, status, length }) => {
    const standIn = await started({ folder: await folder() });
    const answer = await fetch(`${standIn.url}/files/scene/red.tif`, { headers: { range } });
    expect(answer.status).toBe(status);
    expect((await answer.arrayBuffer()).byteLength).toBe(length);
    const etag = answer.headers.get('etag')!;
    const changed = await fetch(`${standIn.url}/files/scene/red.tif`, { headers: { range, 'if-match': `${etag}x` } });
    expect(changed.status).toBe(412);
  });

  test('that is not there stops the start', async () => {
    await expect(startStac({ folder: '/nowhere/at/all' })).rejects.toThrow(/ENOENT/);
  });
});
