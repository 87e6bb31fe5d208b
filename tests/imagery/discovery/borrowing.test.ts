import { beforeEach, describe, expect, test } from '@jest/globals';
import { namedCases } from '../../../infra/local/standIns/stac/namedCases.js';
import { startStac } from '../../../infra/local/standIns/stac.js';
import { systemClock } from '../../../shared/kit/clock.js';
import { catalogueHttpClient } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import { StacClient } from '../../../shared/scenes/stac/stacClient.js';
import type { GeoBox } from '../../../shared/scenes/place/footprint.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { isOwn } from '../../../shared/imagery/products/product.js';
import { reconcileTiles } from '../../../shared/imagery/discovery/reconcile.js';
import { gridAround } from '../../../shared/imagery/interest/interest.js';
import { boxOfTile, gridOfTile, nameOfTile, squareOfTile, tilesOfField } from '../../../shared/scenes/place/tiles.js';
import { ManualClock } from '../../support/manualClock.js';
import { ScenesInMemory } from '../../support/imageryInMemory.js';
import { aScene, boxPolygon } from '../builders.js';
import { FeedUnderTest } from './feedUnderTest.js';

const DAY_MS = 86_400_000;
const HOME = '33UUP';
/** Fields of 33UUP in what it has in common with another tile. */
const EASTERN: GeoBox = [13.68, 48.29, 13.684, 48.292];
const WESTERN: GeoBox = [12.6, 48.29, 12.604, 48.292];
/** In 33UUP alone. */
const INNER: GeoBox = [13.4, 48.29, 13.404, 48.292];

let service: FeedUnderTest;
beforeEach(() => {
  service = new FeedUnderTest('2026-06-11T05:30:00Z');
  // Before anybody monitors: the catalogue has the tile.
  publish(taken(HOME, '2026-06-07'));
});

/** What the satellite took over a tile on a day, of all that it has unless told otherwise. */
function taken(tile: string, day: string, changes: Partial<Scene> = {}): Scene {
  const square = squareOfTile(tile)!;
  const stamp = day.replaceAll('-', '');
  return aScene({
    id: `S2B_${tile}_${stamp}_0_L2A`,
    tile,
    takenAt: `${day}T10:05:59.000Z`,
    datatake: `GS2B_${stamp}T100559_043001`,
    datastripStart: `${stamp}T100612`,
    generatedAt: `${day}T13:00:00Z`,
    grid: gridOfTile(square),
    footprint: boxPolygon(boxOfTile(square)),
    ...changes,
  });
}

const publish = (scene: Scene, at = `${scene.takenAt.slice(0, 10)}T16:00:00Z`): void => {
  service.catalogue.add(scene, Date.parse(at));
};

const enrol = (box: GeoBox, customer = 'contoso'): Promise<void> =>
  service.enrol({
    customer,
    enrollmentId: 'e1',
    fields: [{ fieldId: 'north', box }],
    request: { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi'] },
  });

/** Nights, with a poll in every evening. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await service.night();
    await service.sweep();
    await service.drainAll();
    await service.clock.advance(DAY_MS / 2);
    await service.poll();
    await service.drainAll();
    await service.clock.advance(DAY_MS / 2);
  }
}

const madeDays = (customer = 'contoso'): readonly string[] =>
  service
    .paths()
    .filter((path) => path.startsWith(customer))
    .flatMap((path) => /(\d{4}-\d{2}-\d{2})\/ndvi\.tiff$/.exec(path)?.[1] ?? []);
const recordOf = async (date: string) =>
  (await service.fieldDates.list('contoso', 'north')).find((record) => record.date === date);
const borrowed = () => service.scenes.products.filter((product) => !isOwn(product));

/** Counts the calls of a method from now on. */
function callsOf<T extends object>(of: T, name: keyof T & string): () => number {
  const method = (of[name] as (...given: unknown[]) => unknown).bind(of);
  let calls = 0;
  Object.assign(of, { [name]: (...given: unknown[]) => [(calls += 1), method(...given)][1] });
  return () => calls;
}

describe('a day that the catalogue lacks in the home tile alone', () => {
  test.each([
    { of: 'an overlapping tile of the zone', box: EASTERN, other: '33UVP' },
    { of: 'a tile of the neighbouring zone', box: WESTERN, other: '32UQU' },
  ])('is made of $of, on the grid of the field, without a search', async ({ box, other }) => {
    await enrol(box);
    for (const day of ['2026-06-12', '2026-06-17']) publish(taken(other, day));
    publish(taken(HOME, '2026-06-12'));
    await pass(9);
    expect(madeDays()).toEqual(['2026-06-12', '2026-06-17']);
    expect((await recordOf('2026-06-17'))?.scenes).toEqual([taken(other, '2026-06-17').id]);
    expect(service.catalogue.searches).toHaveLength(1);
    const grids = ['2026-06-12', '2026-06-17'].map((day) => {
      const path = `contoso/field-imagery/sentinel-2/north/${day}/metadata.json`;
      const { assets } = service.imagery.documents.get(path)!.document as { assets: Record<string, object> };
      return Object.entries(assets['ndvi']!).filter(([name]) => name.startsWith('proj:'));
    });
    expect(grids[1]).toEqual(grids[0]);
  });

  test('is made once for all who want it, and asked about no more', async () => {
    for (const customer of ['contoso', 'fabrikam']) await enrol(EASTERN, customer);
    publish(taken(HOME, '2026-06-12'));
    publish(taken('33UVP', '2026-06-17'));
    await pass(9);
    expect([madeDays('contoso'), madeDays('fabrikam')]).toEqual(Array(2).fill(['2026-06-12', '2026-06-17']));
    const [puts, reads] = [callsOf(service.scenes, 'put'), callsOf(service.interest, 'summarizeTile')];
    const written = service.imagery.writes.length;
    await pass(3);
    expect([puts(), reads(), service.imagery.writes.length - written]).toEqual([0, 0, 0]);
  });

  test('waits two days for what the tile itself may still get', async () => {
    await enrol(EASTERN);
    publish(taken(HOME, '2026-06-12'));
    publish(taken('33UVP', '2026-06-17'));
    await pass(8);
    expect(service.clock.now().toISOString()).toBe('2026-06-19T05:30:00.000Z');
    expect(borrowed()).toEqual([]);
    await pass(1);
    expect(borrowed()).toMatchObject([{ tile: HOME, day: '2026-06-17' }]);
  });

  test('is made of the tile itself when that comes after all', async () => {
    await enrol(EASTERN);
    publish(taken(HOME, '2026-06-12'));
    publish(taken('33UVP', '2026-06-17'));
    publish(taken(HOME, '2026-06-17'), '2026-06-21T12:00:00Z');
    await pass(12);
    expect((await recordOf('2026-06-17'))?.scenes[0]).toBe(taken(HOME, '2026-06-17').id);
    expect(madeDays()).toEqual(['2026-06-12', '2026-06-17']);
  });

  test('is made anew when the neighbour is processed anew', async () => {
    await enrol(EASTERN);
    publish(taken(HOME, '2026-06-12'));
    publish(taken('33UVP', '2026-06-17'));
    const again = { id: 'again', baseline: '05.12', generatedAt: '2026-06-20T13:00:00Z' };
    publish(taken('33UVP', '2026-06-17', again), '2026-06-20T16:00:00Z');
    await pass(12);
    expect(borrowed()).toMatchObject([{ scenes: [{ id: 'again' }, { id: taken('33UVP', '2026-06-17').id }] }]);
    expect((await recordOf('2026-06-17'))?.scenes[0]).toBe('again');
  });

  test('in one of two datastrips is completed by the neighbour’s', async () => {
    await enrol(EASTERN);
    const [west, south, east, north] = boxOfTile(squareOfTile(HOME)!);
    const second = { id: 'second', datastripStart: '20260617T100659' };
    publish(taken(HOME, '2026-06-12'));
    publish(taken(HOME, '2026-06-17', { footprint: boxPolygon([west, 48.5, east, north]) }));
    publish(taken('33UVP', '2026-06-17', { ...second, footprint: boxPolygon([13.6, south, 15, 48.5]) }));
    await pass(10);
    expect(madeDays()).toEqual(['2026-06-12', '2026-06-17']);
    expect((await recordOf('2026-06-17'))?.scenes).toEqual(['second']);
    expect(west).toBeLessThan(12.3);
  });
});

describe('a day that is no hole', () => {
  const nothing = async (): Promise<void> => {
    await pass(10);
    expect(borrowed()).toEqual([]);
    expect(service.catalogue.searches).toHaveLength(1);
  };

  test('for the swath ends before the tile: nothing is asked about its fields', async () => {
    await enrol(EASTERN);
    publish(taken(HOME, '2026-06-12'));
    publish(taken('33UVP', '2026-06-17', { footprint: boxPolygon([13.85, 47.7, 15.1, 48.8]) }));
    const reads = callsOf(service.interest, 'summarizeTile');
    await nothing();
    const fannedOut = service.log.filter(({ event }) => event === 'Scene:FannedOut');
    expect(fannedOut.length).toBeGreaterThan(0);
    expect(reads()).toBe(fannedOut.length);
  });

  test('for the neighbour shows none of the fields', async () => {
    await enrol(INNER);
    publish(taken(HOME, '2026-06-12'));
    publish(taken('33UVP', '2026-06-17'));
    await nothing();
  });

  test('for the tile has its part of the overpass, of which the neighbour’s was taken before midnight', async () => {
    await enrol(EASTERN);
    const strip = { datatake: 'GS2B_20260616T235000_043001', datastripStart: '20260616T235100' };
    publish(taken(HOME, '2026-06-17', { ...strip, takenAt: '2026-06-17T00:00:04.000Z' }));
    publish(taken('33UVP', '2026-06-16', { ...strip, takenAt: '2026-06-16T23:59:58.000Z' }));
    await nothing();
  });

  test('for the tile’s own outline ends a little before the neighbour’s, of the same datastrip', async () => {
    await enrol(EASTERN);
    publish(taken(HOME, '2026-06-12'));
    publish(taken(HOME, '2026-06-17', { footprint: boxPolygon([12.2, 47.7, 13.679, 48.8]) }));
    publish(taken('33UVP', '2026-06-17', { footprint: boxPolygon([13.6, 47.7, 13.682, 48.8]) }));
    await nothing();
  });

  test('for the tile shows the fields whole, though its datastrips were cut elsewhere when it was processed', async () => {
    await enrol(EASTERN);
    publish(taken(HOME, '2026-06-12'));
    publish(taken(HOME, '2026-06-17'));
    publish(taken('33UVP', '2026-06-17', { datastripStart: '20260617T100301' }));
    await nothing();
  });

  test('for nobody monitors it', async () => {
    await enrol(EASTERN);
    publish(taken(HOME, '2026-06-12'));
    publish(taken('33UVP', '2026-06-09'));
    await nothing();
  });

  test('for the tile has both, in whichever collections', async () => {
    await enrol(EASTERN);
    for (const day of ['2026-06-12', '2026-06-17']) publish(taken(HOME, day));
    publish(taken('33UVP', '2026-06-17', { id: 'echo', collection: 'sentinel-2-c1-l2a' }));
    await nothing();
    expect(madeDays()).toEqual(['2026-06-12', '2026-06-17']);
  });
});

test('The local catalogue has such days with neighbour-zones: its feed tells them, and they are borrowed of the zone beside', async () => {
  const clock = new ManualClock('2026-06-20T05:30:00Z');
  const stac = await startStac({ clock, ...namedCases('neighbour-zones') });
  const egress = egressGuard([stac.host], { clock: systemClock });
  const getJson = catalogueHttpClient({ fetch, clock: systemClock, egress, random: Math.random });
  const scenes = new ScenesInMemory();
  const bbox: GeoBox = [-95.97, 41.6, -95.968, 41.602];
  const entry = { key: 'k', cell: 0, firstDate: '2026-06-01', lastDate: '2026-06-30', bbox, fields: 1, pixels: 1 };
  const home = nameOfTile(tilesOfField(gridAround(bbox, 32615))[0]);
  const reconcile = reconcileTiles({
    catalogue: new StacClient({ catalogue: 'earth-search', url: stac.apiUrl, getJson }),
    scenes,
    askProduct: () => Promise.resolve(),
    interest: { dropEmptyTile: () => Promise.resolve(false), summarizeTile: () => Promise.resolve([entry]) },
    enqueuer: { ask: () => Promise.resolve() },
    clock,
    log: () => undefined,
  });
  await reconcile({ tiles: [home], days: 11, borrows: true });
  await stac.close();
  const [own, others] = [true, false].map((isOwnOne) =>
    scenes.products.filter((product) => isOwn(product) === isOwnOne).map(({ day }) => day),
  );
  expect(others!.length).toBeGreaterThan(0);
  expect(others!.filter((day) => own!.includes(day))).toEqual([]);
  for (const {
    scenes: [best],
  } of scenes.products.filter((product) => !isOwn(product))) {
    expect(best?.grid.epsg).toBe(32614);
  }
});
