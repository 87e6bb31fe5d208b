import { describe, expect, test } from '@jest/globals';
import { SceneLibrary, type SceneCuts } from '../../../shared/scenes/library/sceneLibrary.js';
import { sceneRegionOf, tilesOfRegion } from '../../../shared/scenes/library/sceneRegion.js';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import { dayOfScene, type Scene, type SceneFile, type UnusableScene } from '../../../shared/scenes/item/scene.js';
import type { SceneCatalogue } from '../../../shared/scenes/stac/sceneCatalogue.js';
import { gridOfTile, squareOfTile } from '../../../shared/scenes/place/tiles.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import type { Facts } from '../../../shared/kit/telemetry/telemetry.js';
import { aScene, boxPolygon, FIELD_BOX } from '../../imagery/builders.js';
import { clearFields, PaintedReader, type Paint } from '../../imagery/paintedReader.js';

const region = sceneRegionOf(FIELD_BOX);
const days = { from: '2026-06-01', to: '2026-06-30' };
const { signal } = new AbortController();

/** A catalogue in memory; what it was asked is noted. */
class KnownScenes implements Pick<SceneCatalogue, 'list' | 'items'> {
  readonly asked: string[] = [];
  scenes: readonly (Scene | UnusableScene)[];
  /** Tiles for which the catalogue fails. */
  silent: readonly string[] = [];

  constructor(scenes: readonly (Scene | UnusableScene)[]) {
    this.scenes = scenes;
  }

  list: SceneCatalogue['list'] = (tiles, { from, to }) => {
    this.asked.push(`list ${tiles.length}`);
    const items = this.scenes
      .filter((scene) => tiles.includes(scene.tile) && dayOfScene(scene) >= from && dayOfScene(scene) <= to)
      .map((scene) => ({ ...scene, day: dayOfScene(scene), version: '', granule: scene }));
    return Promise.resolve({ items, unreadableIds: tiles.filter((tile) => this.silent.includes(tile)), pages: 1 });
  };

  items: SceneCatalogue['items'] = (ids, given) => {
    given?.throwIfAborted();
    this.asked.push(`items ${ids.join()}`);
    const items = this.scenes.filter(({ id }) => ids.includes(id)).map((scene) => ({ scene }));
    return Promise.resolve({ items, pages: 1 });
  };
}

function aLibrary(scenes: readonly (Scene | UnusableScene)[], paint: Paint = clearFields) {
  const [catalogue, reader] = [new KnownScenes(scenes), new PaintedReader(paint)];
  const logged: { readonly event: string; readonly facts: Facts }[] = [];
  const log = (event: string, facts: Facts) => void logged.push({ event, facts });
  const library = new SceneLibrary({ catalogue, reader, log });
  const list = () => library.scenesOf(region, days, signal);
  /** What a file of the first scene that is listed shows. */
  const read = async (file: SceneFile) => {
    const [{ scene } = { scene: aScene() }] = await list();
    return shownIn(await library.cutsOf(scene, [file], region, signal), file);
  };
  return { catalogue, reader, logged, library, list, read, ids: async () => idsOf(await list()) };
}

const idsOf = (listed: readonly { readonly scene: Scene }[]): string[] => listed.map(({ scene }) => scene.id);

const shownIn = (cuts: SceneCuts, file: SceneFile) => {
  const cut = cuts[file];
  return cut && { grid: cut.grid, values: [...new Set(cut.pixels.data)] };
};

const onDay = (day: string, changes: Partial<Scene> = {}): Scene =>
  aScene({
    id: `S2B_33UUP_${day.replaceAll('-', '')}_0_L2A`,
    takenAt: `${day}T10:05:59.000Z`,
    datatake: `GS2B_${day.replaceAll('-', '')}T100559_043001`,
    datastripStart: `${day.replaceAll('-', '')}T100612`,
    ...changes,
  });
/** A tile of zone 32 that shows the same ground. */
const ofZone32 = (changes: Partial<Scene> = {}): Scene =>
  aScene({
    id: 'S2B_32UQV_20260617_0_L2A',
    tile: '32UQV',
    grid: { ...aScene().grid, epsg: 32632, originX: 799_980, originY: 5_400_000 },
    ...changes,
  });
const fault = 'its files have no grid';

describe('the scenes of a region', () => {
  test('are listed newest first, with their pass and the clouds of the region alone', async () => {
    const { list } = aLibrary([onDay('2026-06-02'), onDay('2026-06-17', { cloudPercent: 99 })]);
    expect(await list()).toMatchObject([
      { scene: { id: 'S2B_33UUP_20260617_0_L2A' }, pass: 'sentinel-2b 20260617T100559', cloudPercent: 0 },
      { scene: { id: 'S2B_33UUP_20260602_0_L2A' } },
    ]);
  });

  test('are those of the period', async () => {
    expect(await aLibrary([onDay('2026-05-31'), onDay('2026-07-01')]).list()).toEqual([]);
  });

  test('are looked for by the tiles of the region and their neighbours, in two questions', async () => {
    const { catalogue, ids } = aLibrary([aScene()]);
    await ids();
    expect(catalogue.asked).toEqual([expect.stringMatching(/^list \d+$/), 'items S2B_33UUP_20260617_0_L2A']);
  });

  test('of which there are none are one question', async () => {
    const { catalogue, ids } = aLibrary([]);
    expect(await ids()).toEqual([]);
    expect(catalogue.asked).toHaveLength(1);
  });

  test('are asked for no further where the outline of the item shows other ground', async () => {
    const elsewhere = boxPolygon([12.3, 47.8, 12.5, 47.9]);
    const { catalogue, ids } = aLibrary([aScene({ footprint: elsewhere })]);
    expect(await ids()).toEqual([]);
    expect(catalogue.asked).toHaveLength(1);
  });

  test('lack one whose outline claims ground of which its files have nothing', async () => {
    const { ids } = aLibrary([aScene()], () => 0);
    expect(await ids()).toEqual([]);
  });

  test('hold one version of two of a product, the later one, and the other is not read', async () => {
    const later = aScene({ id: 'later', baseline: '05.11', generatedAt: '2026-07-01T00:00:00Z' });
    const { ids, reader } = aLibrary([aScene({ id: 'earlier', baseline: '05.10' }), later]);
    expect(await ids()).toEqual(['later']);
    expect(reader.reads.map(({ scene }) => scene)).toEqual(['later']);
  });

  test('hold of two UTM zones the tile of the own zone when it shows all of the region', async () => {
    const { ids, reader } = aLibrary([ofZone32(), aScene()]);
    expect(await ids()).toEqual(['S2B_33UUP_20260617_0_L2A']);
    expect(reader.reads).toHaveLength(1);
  });

  test('have the better tile of a pass first, for a job takes from the other only what is missing', async () => {
    const middle = region.grid.originX + region.grid.width * 5;
    const { ids } = aLibrary([ofZone32(), aScene()], (scene, file, place) =>
      scene.grid.epsg === 32633 && place[0] > middle ? 0 : clearFields(scene, file, place),
    );
    expect(await ids()).toEqual(['S2B_33UUP_20260617_0_L2A', 'S2B_32UQV_20260617_0_L2A']);
  });

  test('on both sides of ±180° come from the zones of both', async () => {
    const halves = [boxPolygon([179.99, -16.8, 180, -16.79]), boxPolygon([-180, -16.8, -179.99, -16.79])];
    const area = { type: 'MultiPolygon', coordinates: halves.map(({ coordinates }) => coordinates) } as const;
    const place = sceneRegionOf([179.99, -16.8, -179.99, -16.79]);
    const scenesThere = tilesOfRegion(place).map((tile) =>
      aScene({ id: `S2B_${tile}`, tile, grid: gridOfTile(squareOfTile(tile)!), footprint: area }),
    );
    // Each zone shows the ground on its side of the line.
    const { library } = aLibrary(scenesThere, ({ grid: { epsg } }, _file, [x]) => {
      const [line] = utmProjection(epsg).toMap([180, -16.795]);
      return x >= line === (epsg === 32_701) ? 4 : 0;
    });
    const listed = await library.scenesOf(place, days, signal);
    expect(new Set(idsOf(listed).map((id) => id.slice(4, 6)))).toEqual(new Set(['01', '60']));
    expect(listed.every(({ cloudPercent }) => cloudPercent === 0)).toBe(true);
  });

  test('of two satellites on one day are two passes', async () => {
    const other = aScene({
      id: 'S2C',
      platform: 'sentinel-2c',
      datatake: 'GS2C_20260617T101559_001',
      takenAt: '2026-06-17T10:15:59.000Z',
    });
    const passes = (await aLibrary([aScene(), other]).list()).map(({ pass }) => pass);
    expect(new Set(passes)).toEqual(new Set(['sentinel-2b 20260617T100559', 'sentinel-2c 20260617T101559']));
  });

  test('lack what the catalogue describes unusably, and the log names it', async () => {
    const { grid: _grid, files: _files, offset: _offset, ...described } = onDay('2026-06-02', { id: 'odd' });
    const { ids, logged } = aLibrary([{ ...described, fault }, aScene()]);
    expect(await ids()).toEqual(['S2B_33UUP_20260617_0_L2A']);
    expect(logged).toMatchObject([{ event: 'Scenes:Listed', facts: { scenes: 1, unusable: 1, unusableIds: ['odd'] } }]);
  });

  test('can be had without those of a tile for which the catalogue fails, unless there are no others', async () => {
    const { catalogue, ids } = aLibrary([aScene()]);
    catalogue.silent = ['33UUQ'];
    expect(await ids()).toHaveLength(1);
    catalogue.scenes = [];
    await expect(ids()).rejects.toBeInstanceOf(CatalogueError);
  });

  test('hold one whose classification is broken or refused: the job then tells that it is lost', async () => {
    const { reader, list } = aLibrary([
      onDay('2026-06-02', { id: 'broken' }),
      onDay('2026-06-05', { id: 'refused' }),
      aScene(),
    ]);
    reader.faults.set('broken/scl', new RasterError('corrupt', 'a block'));
    reader.faults.set('refused/scl', new RasterError('refused', '404', { isTransient: true }));
    const listed = await list();
    expect(idsOf(listed)).toEqual(['S2B_33UUP_20260617_0_L2A', 'refused', 'broken']);
    expect(listed[1]).not.toHaveProperty('cloudPercent');
  });

  test('are not told when the host refuses the files of all, or is away', async () => {
    const { reader, list } = aLibrary([onDay('2026-06-02', { id: 'a' }), onDay('2026-06-05', { id: 'b' })]);
    for (const id of ['a', 'b']) reader.faults.set(id, new RasterError('refused', '403', { isTransient: true }));
    await expect(list()).rejects.toMatchObject({ name: 'CatalogueError', fault: 'refused' });
    reader.faults.delete('a');
    const away = new RasterError('unavailable', '503', { isTransient: true });
    reader.faults.set('b', away);
    await expect(list()).rejects.toBe(away);
  });
});

describe('a file of a scene', () => {
  test.each([
    { why: 'without an offset as it is', offsetDn: 0, painted: 500, read: 500 },
    { why: 'of baseline 04.00 and later without its offset', offsetDn: -1000, painted: 1500, read: 500 },
    { why: 'darker than the offset as the darkest value, for 0 is no data', offsetDn: -1000, painted: 400, read: 1 },
    { why: 'without data as no data', offsetDn: -1000, painted: 0, read: 0 },
  ] as const)('is read $why', async ({ offsetDn, painted, read }) => {
    const scene = aScene({ offset: { offsetDn, basis: 'baseline' } });
    const library = aLibrary([scene], (_scene, file) => (file === 'scl' ? 4 : painted));
    expect(await library.read('red')).toMatchObject({ values: [read] });
  });

  test('holds classes as they are', async () => {
    const scene = aScene({ offset: { offsetDn: -1000, basis: 'baseline' } });
    const file = await aLibrary([scene]).read('scl');
    expect(file).toMatchObject({ values: [4], grid: { epsg: 32633, pixelWidth: 20 } });
  });

  test('is read once: classes when scenes are listed, bands when they are first asked for', async () => {
    const { reader, read } = aLibrary([aScene()]);
    await read('scl');
    expect(reader.reads.map(({ file }) => file)).toEqual(['scl']);
    await read('blue');
    await read('blue');
    expect(reader.reads.filter(({ file }) => file === 'blue')).toHaveLength(1);
  });

  test('is read anew when the scene was processed again under its id', async () => {
    const { catalogue, reader, read } = aLibrary([aScene()]);
    await read('blue');
    catalogue.scenes = [aScene({ generatedAt: '2026-07-01T00:00:00Z' })];
    await read('blue');
    expect(reader.reads.filter(({ file }) => file === 'blue')).toHaveLength(2);
  });

  test('is left out when its raster does not reach the region', async () => {
    const { library } = aLibrary([]);
    const elsewhere = aScene({ grid: { ...aScene().grid, originX: 600_000 } });
    expect(await library.cutsOf(elsewhere, ['blue', 'scl'], region, signal)).toEqual({});
  });

  test('that is broken is an error, whatever the others are', async () => {
    const { library, reader } = aLibrary([]);
    const broken = new RasterError('corrupt', 'a block');
    reader.faults.set(`${aScene().id}/blue`, broken);
    await expect(library.cutsOf(aScene(), ['red', 'blue'], region, signal)).rejects.toBe(broken);
  });
});
