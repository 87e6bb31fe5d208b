import { beforeEach, describe, expect, test } from '@jest/globals';
import type { FieldDate } from '../../../shared/enrollments/fields/fieldDate.js';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import { itemsIn } from '../../../shared/imagery/documents/itemCollection.js';
import { settled } from '../../../shared/imagery/records/judgement.js';
import type { LayerName } from '../../../shared/scenes/layers/layers.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { aScene, boxPolygon, TILE_BOX } from '../builders.js';
import { ImageryUnderTest, type ToEnrol } from '../imageryUnderTest.js';
import { clearFields, type Paint } from '../paintedReader.js';

const CUSTOMER = 'contoso';
const BOX = [13.14, 48.29, 13.1436, 48.2925] as const;
const DAY = '2026-06-17';
const ROOT = `${CUSTOMER}/field-imagery/sentinel-2`;
const ALL: readonly LayerName[] = ['ndvi', 'vegetation', 'scouting', 'true-color'];

let service: ImageryUnderTest;
beforeEach(() => {
  service = new ImageryUnderTest('2026-06-20T12:00:00Z');
});

const enrol = (more: Partial<ToEnrol> = {}): Promise<void> =>
  service.enrol({
    customer: CUSTOMER,
    enrollmentId: 'e1',
    fields: [{ fieldId: 'north', box: BOX }],
    ...more,
    request: { startDate: '2026-06-10', endDate: '2026-06-30', layers: ALL, ...more.request },
  });

/** Does everything that is due now. */
async function work(): Promise<void> {
  await service.sweep();
  await service.drain();
}

const recordOf = async (fieldId = 'north', date = DAY): Promise<FieldDate> =>
  (await service.fieldDates.list(CUSTOMER, fieldId, { from: date, to: date }))[0]!;

interface Item {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
const itemOf = (fieldId = 'north', date = DAY): Item =>
  service.imagery.documents.get(`${ROOT}/${fieldId}/${date}/metadata.json`)!.document as Item;

async function layerPixels(layer: LayerName, fieldId = 'north') {
  const raster = await openRaster(
    memorySource(service.imagery.files.get(`${ROOT}/${fieldId}/${DAY}/${layer}.tiff`)!, layer),
  );
  const { width, height } = raster.image;
  const [pixels] = await readWindows(raster, [{ column: 0, row: 0, width, height }]);
  return { raster, values: [...pixels!.data] };
}

const { toPosition } = utmProjection(32633);
const longitudeAt = ([x, y]: readonly [number, number]): number => toPosition([x, y])[0];

/** A rule of paint that differs west and east of a longitude. */
const split =
  (at: number, west: Paint, east: Paint): Paint =>
  (scene, file, place) =>
    (longitudeAt(place) < at ? west : east)(scene, file, place);

/** The colours of `clearFields` in the file: 1 + 254 · (ρ ÷ 0.30)^(1 ÷ 1.4). */
const TRUE_COLORS = [0.05, 0.07, 0.04].map((rho) => 1 + Math.round(254 * (rho / 0.3) ** (1 / 1.4)));
const clouds: Paint = (scene, file, place) => (file === 'scl' ? 9 : clearFields(scene, file, place));
const nothing: Paint = () => 0;

describe('a clear field', () => {
  test('gets its layers, then the document that names them, then the items, then the index', async () => {
    service.catalogue.add(aScene());
    await enrol();
    await work();
    const day = `${ROOT}/north/${DAY}`;
    const files = ALL.map((layer) => `${day}/${layer}.tiff`);
    expect(service.imagery.writes.slice(0, 4).sort()).toEqual([...files].sort());
    expect(service.imagery.writes.slice(4)).toEqual([
      `${day}/metadata.json`,
      `${ROOT}/north/items.json`,
      `${ROOT}/north/statistics.csv`,
      `${ROOT}/north/index.json`,
    ]);
    expect(await recordOf()).toMatchObject({
      outcome: 'done',
      reason: null,
      clearPercent: 100,
      coveragePercent: 100,
      layers: ALL,
      skipped: {},
      scenes: [aScene().id],
    });
  });

  test('has the values of the formulas: NDVI (3000 − 500) ÷ (3000 + 500)', async () => {
    service.catalogue.add(aScene());
    await enrol();
    await work();
    const { raster, values } = await layerPixels('ndvi');
    expect(raster.grid?.epsg).toBe(32633);
    expect(new Set(values)).toEqual(new Set([-9999, Math.fround(2500 / 3500)]));
    expect(itemOf().assets['ndvi']).toMatchObject({ nodata: -9999, 'proj:code': 'EPSG:32633' });
  });

  test('with the offset in its pixels has the same values as without', async () => {
    service.catalogue.add(aScene({ offset: { offsetDn: -1000, basis: 'asset' } }));
    service.reader.paint = (scene, file, place) => clearFields(scene, file, place) + (file === 'scl' ? 0 : 1000);
    await enrol();
    await work();
    expect(new Set((await layerPixels('ndvi')).values)).toEqual(new Set([-9999, Math.fround(2500 / 3500)]));
    expect(itemOf().properties).toMatchObject({
      'fieldimagery:boa_offset_dn': -1000,
      'fieldimagery:boa_offset_basis': 'asset',
    });
  });

  test('is read together with its neighbours: one read per file, bands only those that layers need', async () => {
    service.catalogue.add(aScene());
    const fields = Array.from({ length: 20 }, (_, index) => ({
      fieldId: `f${index}`,
      box: [13.14 + index * 0.004, 48.29, 13.143 + index * 0.004, 48.2925] as const,
    }));
    await enrol({ fields, request: { layers: ['ndvi'] } });
    await work();
    expect(service.reader.reads).toEqual(
      expect.arrayContaining(['scl', 'red', 'nir'].map((file) => ({ scene: aScene().id, file, windows: 20 }))),
    );
    expect(service.reader.reads).toHaveLength(3);
  });

  test('gives the same bytes when everything is made anew', async () => {
    service.catalogue.add(aScene());
    await enrol();
    await work();
    const first = new Map(service.imagery.files);
    service.fieldDates.rows.clear();
    service.imagery.documents.clear();
    await service.clock.advance(86_400_000);
    await service.searchAgain(CUSTOMER, 'e1', DAY);
    expect(new Map(service.imagery.files)).toEqual(first);
  });
});

describe('a field that clouds hide', () => {
  test.each<{ why: string; share: number; expected: Partial<FieldDate> }>([
    {
      why: 'wholly: nothing is made and no band is read',
      share: 1,
      expected: {
        outcome: 'cloud',
        layers: [],
        clearPercent: 0,
        reason:
          'The field is 0 % clear; ndvi needs 60 %, vegetation needs 60 %, scouting needs 80 %, true-color needs 60 %.',
      },
    },
    {
      why: 'in part: scouting alone is left out',
      share: 0.2,
      expected: { outcome: 'done', layers: ['ndvi', 'vegetation', 'true-color'], skipped: { scouting: 'cloud' } },
    },
  ])('$why', async ({ share, expected }) => {
    service.catalogue.add(aScene());
    service.reader.paint = split(BOX[0] + (BOX[2] - BOX[0]) * share, clouds, clearFields);
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject(expected);
    const bands = service.reader.reads.filter(({ file }) => file !== 'scl');
    expect(bands.length > 0).toBe(expected.outcome === 'done');
  });

  test('in a scene that is nothing but cloud is not looked at', async () => {
    service.catalogue.add(aScene({ cloudPercent: 97 }));
    await enrol();
    await work();
    expect(service.reader.reads).toEqual([]);
    expect(await recordOf()).toMatchObject({
      outcome: 'cloud',
      clearPercent: null,
      reason: 'Clouds cover more than 95 % of the scene, so the field was not looked at.',
    });
  });

  test('is taken from the clearer of two overpasses of the day', async () => {
    const morning = aScene({ id: 'morning' });
    service.catalogue.add(morning);
    service.catalogue.add(aScene({ id: 'noon', takenAt: '2026-06-17T11:50:00.000Z', datatake: 'other' }));
    service.reader.paint = (scene, file, place) => (scene.id === 'morning' ? clouds : clearFields)(scene, file, place);
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'done', scenes: ['noon'] });
  });
});

describe('a field at the edge of the data', () => {
  test.each<{ why: string; share: number; expected: Partial<FieldDate> }>([
    {
      why: 'without any',
      share: 2,
      expected: { outcome: 'no_data', coveragePercent: 0, reason: 'The scene has no data of the field.' },
    },
    { why: 'with too little', share: 0.5, expected: { outcome: 'coverage', layers: [] } },
    { why: 'with nearly all', share: 0.03, expected: { outcome: 'done' } },
  ])('$why is $expected.outcome', async ({ share, expected }) => {
    service.catalogue.add(aScene());
    service.reader.paint = split(BOX[0] + (BOX[2] - BOX[0]) * share, nothing, clearFields);
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject(expected);
  });

  /** Clear fields, a band empty west of a longitude. */
  const without = (band: 'nir' | 'blue', at: number): Paint =>
    split(at, (scene, file, place) => (file === band ? 0 : clearFields(scene, file, place)), clearFields);

  test('has only the layers whose bands show enough of it, and each layer tells its own share', async () => {
    service.catalogue.add(aScene());
    service.reader.paint = without('nir', (BOX[0] + BOX[2]) / 2);
    await enrol();
    await work();
    const record = await recordOf();
    expect(record).toMatchObject({
      outcome: 'done',
      layers: ['true-color'],
      skipped: { ndvi: 'coverage', vegetation: 'coverage', scouting: 'coverage' },
    });
    expect(record.reason).toBe(
      `The scene shows ${record.coveragePercent} % of the field for ndvi, vegetation, scouting; 95 % are needed.`,
    );
    expect(record.coveragePercent).toBeGreaterThan(40);
    expect(record.coveragePercent).toBeLessThan(60);
    expect(record.clearPercent).toBe(record.coveragePercent);
    // What was made is whole.
    const whole = { 'fieldimagery:clear_percent': 100, 'fieldimagery:coverage_percent': 100 };
    expect(itemOf()).toMatchObject({ properties: whole, assets: { 'true-color': whole } });
  });

  test('has all layers though a band lacks a little, and files, document and series tell of which how much', async () => {
    service.catalogue.add(aScene());
    service.reader.paint = without('blue', BOX[0] + (BOX[2] - BOX[0]) * 0.04);
    await enrol();
    await work();
    const { coveragePercent, clearPercent, layers } = await recordOf();
    expect(layers).toEqual(ALL);
    expect(coveragePercent).toBeLessThan(100);
    const { properties, assets } = itemOf();
    const share = (percent: number | null) => ({
      'fieldimagery:clear_percent': percent,
      'fieldimagery:coverage_percent': percent,
      'fieldimagery:clear_pixels': Math.round(((properties['fieldimagery:field_pixels'] as number) * percent!) / 100),
      'fieldimagery:clear_area_ha': expect.closeTo(
        ((properties['fieldimagery:field_area_ha'] as number) * percent!) / 100,
        3,
      ) as unknown,
    });
    expect(clearPercent).toBe(coveragePercent);
    expect(properties).toMatchObject(share(coveragePercent));
    expect(assets).toMatchObject({ ndvi: share(100), 'true-color': share(coveragePercent) });
    const toldIn = async (layer: LayerName): Promise<string | undefined> =>
      /COVERAGE_PERCENT">([\d.]+)</.exec((await layerPixels(layer)).raster.metadataXml!)?.[1];
    expect([await toldIn('ndvi'), await toldIn('true-color')]).toEqual(['100', String(coveragePercent)]);
    const csv = String(service.imagery.documents.get(`${ROOT}/north/statistics.csv`)!.document);
    const lines = csv.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[6])).toEqual(['100', '100']);
  });

  test('of which a band has nothing is told so, and the other layers are made', async () => {
    service.catalogue.add(aScene());
    service.reader.paint = without('nir', BOX[2] + 1);
    await enrol({ request: { layers: ['ndvi', 'true-color'] } });
    await work();
    expect(await recordOf()).toMatchObject({
      outcome: 'done',
      layers: ['true-color'],
      skipped: { ndvi: 'no_data' },
      reason: 'The scene has no data of the field for ndvi.',
    });
    service.fieldDates.rows.clear();
    const withoutBlue = without('blue', (BOX[0] + BOX[2]) / 2);
    service.reader.paint = (scene, file, place) => (file === 'nir' ? 0 : withoutBlue(scene, file, place));
    await service.searchAgain(CUSTOMER, 'e1', DAY);
    // Not wholly without data: true-color would have had a half.
    expect(await recordOf()).toMatchObject({
      outcome: 'coverage',
      skipped: { ndvi: 'no_data', 'true-color': 'coverage' },
    });
  });

  test.each([
    ['ndvi', 'true-color'],
    ['true-color', 'ndvi'],
  ] as const)(
    'tells the smallest share of the layers asked for, in whichever order: %s, then %s',
    async (first, second) => {
      service.catalogue.add(aScene());
      service.reader.paint = without('nir', (BOX[0] + BOX[2]) / 2);
      await enrol({ request: { layers: [first] } });
      await work();
      await enrol({ enrollmentId: 'e2', request: { layers: [second] } });
      await work();
      const record = await recordOf();
      expect(record).toMatchObject({ outcome: 'done', layers: ['true-color'], skipped: { ndvi: 'coverage' } });
      expect(record.coveragePercent).toBeLessThan(60);
    },
  );

  /** The two tiles of one overpass share the field; each has data on one side of its middle only. */
  const middle = (BOX[0] + BOX[2]) / 2;
  const westTile = aScene({
    id: 'west',
    tile: '33UTP',
    // Its home lacks this strip of the overpass.
    datastripStart: '20260617T100553',
    footprint: boxPolygon([TILE_BOX[0], TILE_BOX[1], middle, TILE_BOX[3]]),
  });

  test('is put together from two tiles of one overpass, their offsets made equal', async () => {
    const eastTile = aScene({
      id: 'east',
      collection: 'sentinel-2-c1-l2a',
      offset: { offsetDn: -1000, basis: 'asset' },
      footprint: boxPolygon([middle, TILE_BOX[1], TILE_BOX[2], TILE_BOX[3]]),
    });
    service.catalogue.add(westTile);
    service.catalogue.add(eastTile);
    service.reader.paint = (scene, file, place) => {
      const isWest = longitudeAt(place) < middle;
      if (isWest !== (scene.id === 'west')) return 0;
      return clearFields(scene, file, place) + (scene.id === 'east' && file !== 'scl' ? 1000 : 0);
    };
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'done', coveragePercent: 100, scenes: ['west', 'east'] });
    expect(new Set((await layerPixels('ndvi')).values)).toEqual(new Set([-9999, Math.fround(2500 / 3500)]));
  });

  const south = (BOX[1] + BOX[3]) / 2;
  const latitudeAt = ([x, y]: readonly [number, number]): number => toPosition([x, y])[1];

  test('is put together from the two granules of a tile that a datastrip ends in', async () => {
    service.catalogue.add(aScene({ id: 'S2B_33UUP_20260617_0_L2A', nodataPercent: 40 }));
    service.catalogue.add(
      aScene({
        id: 'S2B_33UUP_20260617_1_L2A',
        nodataPercent: 60,
        takenAt: '2026-06-17T10:06:04.000Z',
        datastripStart: '20260617T100617',
        generatedAt: '2026-06-17T14:00:00Z',
      }),
    );
    service.reader.paint = (scene, file, place) =>
      latitudeAt(place) > south === scene.id.includes('_0_') ? clearFields(scene, file, place) : 0;
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({
      outcome: 'done',
      coveragePercent: 100,
      scenes: ['S2B_33UUP_20260617_0_L2A', 'S2B_33UUP_20260617_1_L2A'],
    });
    expect(new Set((await layerPixels('ndvi')).values)).toEqual(new Set([-9999, Math.fround(2500 / 3500)]));
  });

  test('takes no number of a granule that its classification does not know: the other granule has the good pixel', async () => {
    service.catalogue.add(aScene({ id: 'S2B_33UUP_20260617_0_L2A', datastripStart: '20260617T100612' }));
    service.catalogue.add(aScene({ id: 'S2B_33UUP_20260617_1_L2A', datastripStart: '20260617T100617' }));
    // Beyond its datastrip a granule holds numbers that look like bright ground.
    service.reader.paint = (scene, file, place) => {
      if (latitudeAt(place) > south === scene.id.includes('_0_')) return clearFields(scene, file, place);
      return file === 'scl' ? 0 : 2_000;
    };
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'done', coveragePercent: 100, clearPercent: 100 });
    expect(new Set((await layerPixels('ndvi')).values)).toEqual(new Set([-9999, Math.fround(2500 / 3500)]));
    expect(new Set((await layerPixels('true-color')).values)).toEqual(new Set([0, ...TRUE_COLORS]));
  });

  test('at the edge of a granule, where classes of 20 m and bands of 10 m do not end together, has every pixel', async () => {
    service.catalogue.add(aScene({ id: 'S2B_33UUP_20260617_0_L2A', datastripStart: '20260617T100612' }));
    service.catalogue.add(aScene({ id: 'S2B_33UUP_20260617_1_L2A', datastripStart: '20260617T100617' }));
    // The datastrip ends 10 m into a pixel of 20 m, of which only the northern granule has the class.
    service.reader.paint = (scene, file, [x, y]) => {
      const end = file === 'scl' ? 5_350_340 : 5_350_350;
      return scene.id.includes('_0_') === y > end ? clearFields(scene, file, [x, y]) : 0;
    };
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'done', coveragePercent: 100, clearPercent: 100 });
    expect(itemOf().assets['true-color']).toMatchObject({ 'fieldimagery:coverage_percent': 100 });
  });

  test.each([
    { why: 'the newer version, though it shows less elsewhere', newest: clearFields, expected: ['new'] },
    { why: 'the older version where the newer shows less of the field', newest: nothing, expected: ['old'] },
    {
      why: 'the older version alone where the newer shows a half of the field',
      newest: split(middle, nothing, clearFields),
      expected: ['old'],
    },
  ])('is taken from $why', async ({ newest, expected }) => {
    service.catalogue.add(aScene({ id: 'old', nodataPercent: 10 }));
    service.catalogue.add(aScene({ id: 'new', baseline: '05.12', nodataPercent: 60 }));
    service.reader.paint = (scene, file, place) => (scene.id === 'new' ? newest : clearFields)(scene, file, place);
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'done', coveragePercent: 100, scenes: expected });
  });
});

describe('a field near the edge of its zone', () => {
  const middle = (BOX[0] + BOX[2]) / 2;
  const positionIn32 = utmProjection(32632).toPosition;
  const inZone32 = (more: Partial<Scene> = {}): Scene =>
    aScene({
      id: 'zone32',
      tile: '32UQU',
      grid: { ...aScene().grid, epsg: 32632, originX: 699_960, originY: 5_400_000 },
      ...more,
    });
  const OWN_GRID = { epsg: 32633, originX: 362_020, originY: 5_350_500, width: 30, height: 32 };
  /** Numbers that rise to the east and north, 1 a metre, so that a shift shows. */
  const slope: Paint = (scene, file, [x, y]) => {
    if (file === 'scl') return clearFields(scene, file, [x, y]);
    const [east, north] = utmProjection(32633).toMap(utmProjection(scene.grid.epsg).toPosition([x, y]));
    return 3_000 + (file === 'nir' ? 2_000 : 0) + (east - OWN_GRID.originX) + (OWN_GRID.originY - north);
  };
  const gridOf = async (): Promise<object> => (await layerPixels('ndvi')).raster.grid!;

  test('is drawn on its own grid from the scenes of its zone, though a neighbour shows it better', async () => {
    service.catalogue.add(aScene({ footprint: boxPolygon([TILE_BOX[0], TILE_BOX[1], BOX[2] - 1e-5, TILE_BOX[3]]) }));
    service.catalogue.add(inZone32());
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'done', scenes: [aScene().id] });
    expect(await gridOf()).toMatchObject(OWN_GRID);
  });

  test('is never mixed from two zones: what its own shows of it counts', async () => {
    service.catalogue.add(aScene());
    service.catalogue.add(inZone32());
    service.reader.paint = (scene, file, place) => {
      const longitude = scene.id === 'zone32' ? positionIn32([...place])[0] : longitudeAt(place);
      return scene.id === 'zone32' || longitude < middle ? clearFields(scene, file, place) : 0;
    };
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'coverage', scenes: [aScene().id] });
    expect(service.reader.reads.map(({ scene }) => scene)).not.toContain('zone32');
  });

  test.each([
    { why: 'has no scene', own: undefined },
    { why: 'shows nothing of the field', own: nothing },
  ])('is warped onto its own grid from the neighbour where its zone $why', async ({ own }) => {
    // Its zone has another strip of the overpass, of which the outline says that it shows some of the field.
    const before = {
      datastripStart: '20260617T100553',
      footprint: boxPolygon([TILE_BOX[0], TILE_BOX[1], TILE_BOX[2], (BOX[1] + BOX[3]) / 2]),
    };
    if (own !== undefined) service.catalogue.add(aScene(before));
    service.catalogue.add(inZone32());
    service.reader.paint = (scene, file, place) =>
      scene.id !== 'zone32' && own !== undefined ? own(scene, file, place) : slope(scene, file, place);
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'done', coveragePercent: 100, scenes: ['zone32'] });
    const { raster, values } = await layerPixels('ndvi');
    expect(raster.grid).toMatchObject(OWN_GRID);
    // Bilinear values of a slope are those of the slope itself, rounded to whole numbers.
    const [column, row] = [13, 14];
    const red = 3_000 + (column + 0.5) * 10 + (row + 0.5) * 10;
    expect(values[row * OWN_GRID.width + column]).toBeCloseTo(2_000 / (2 * red + 2_000), 3);
  });

  test('has one zone, origin and size on all dates, whichever tiles show it, and its index tells them', async () => {
    const days = ['2026-06-11', '2026-06-13', '2026-06-15', '2026-06-17'];
    const tiles: readonly Partial<Scene>[] = [
      {},
      { tile: '33UTP', grid: { ...aScene().grid, originX: 264_000 } },
      { tile: '33UUQ', grid: { ...aScene().grid, originY: 5_449_980 } },
      inZone32(),
    ];
    days.forEach((date, index) => {
      const takenAt = `${date}T10:05:59.000Z`;
      service.catalogue.add(aScene({ ...tiles[index], id: date, takenAt, datatake: date }));
    });
    await enrol({ request: { layers: ['ndvi'] } });
    await work();
    const places = days.map((date) => {
      const entries = Object.entries(itemOf('north', date).assets['ndvi']!);
      return Object.fromEntries(entries.filter(([name]) => name.startsWith('proj:')));
    });
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(1);
    const index = service.imagery.documents.get(`${ROOT}/north/index.json`)!.document as Record<string, unknown>;
    expect(index['fieldimagery:grid']).toEqual(places[0]);
    expect(places[0]).toEqual({
      'proj:code': 'EPSG:32633',
      'proj:epsg': 32_633,
      'proj:shape': [OWN_GRID.height, OWN_GRID.width],
      'proj:transform': [10, 0, OWN_GRID.originX, 0, -10, OWN_GRID.originY],
    });
  });
});

describe('two enrollments of one field', () => {
  test('complete each other: what is missing is made, what is there stays', async () => {
    service.catalogue.add(aScene());
    await enrol({ request: { layers: ['ndvi'] } });
    await work();
    expect(Object.keys(itemOf().assets)).toEqual(['ndvi']);
    await enrol({ enrollmentId: 'e2', request: { layers: ['true-color'] } });
    await work();
    expect(Object.keys(itemOf().assets)).toEqual(['ndvi', 'true-color']);
    expect(service.imagery.writes.filter((path) => path.endsWith('ndvi.tiff'))).toHaveLength(1);
    expect(await recordOf()).toMatchObject({ layers: ['ndvi', 'true-color'] });
  });

  test('that are there from the start are served by one look', async () => {
    service.catalogue.add(aScene());
    await enrol({ request: { layers: ['ndvi'] } });
    await enrol({ enrollmentId: 'e2', request: { layers: ['true-color'] } });
    await work();
    expect(Object.keys(itemOf().assets)).toEqual(['ndvi', 'true-color']);
    expect(service.reader.reads.filter(({ file }) => file === 'scl')).toHaveLength(1);
  });

  test('each count for their own days only', async () => {
    service.catalogue.add(aScene());
    await enrol({ request: { layers: ['ndvi'] } });
    await enrol({ enrollmentId: 'e2', request: { layers: ['true-color'], startDate: '2026-06-18' } });
    await work();
    expect(Object.keys(itemOf().assets)).toEqual(['ndvi']);
  });
});

describe('a scene that comes in a new version', () => {
  const reprocessed = aScene({
    id: 'S2B_33UUP_20260617_1_L2A',
    baseline: '05.12',
    generatedAt: '2026-06-21T00:00:00Z',
  });

  /** The first version is worked on; a day later the catalogue has the second. */
  async function reprocess(): Promise<void> {
    service.catalogue.add(aScene());
    await enrol();
    await work();
    service.catalogue.add(reprocessed);
    await service.clock.advance(86_400_000);
    await service.searchAgain(CUSTOMER, 'e1', DAY);
  }

  test('replaces the layers of the old one, in files and document', async () => {
    await reprocess();
    expect(await recordOf()).toMatchObject({ outcome: 'done', scenes: [reprocessed.id] });
    expect(itemOf().properties['fieldimagery:scenes']).toEqual([reprocessed.id]);
    expect(service.imagery.writes.filter((path) => path.endsWith('ndvi.tiff'))).toHaveLength(2);
  });

  test('takes away a layer that the new one does not allow', async () => {
    service.reader.paint = (scene, file, place) =>
      scene.id === reprocessed.id
        ? split(BOX[0] + (BOX[2] - BOX[0]) * 0.2, clouds, clearFields)(scene, file, place)
        : clearFields(scene, file, place);
    await reprocess();
    expect(Object.keys(itemOf().assets)).toEqual(['ndvi', 'vegetation', 'true-color']);
    expect(service.paths()).not.toContain(`${ROOT}/north/${DAY}/scouting.tiff`);
    expect(await recordOf()).toMatchObject({
      layers: ['ndvi', 'vegetation', 'true-color'],
      skipped: { scouting: 'cloud' },
    });
  });

  test('that shows nothing leaves what the old one gave', async () => {
    service.reader.paint = (scene, file, place) =>
      (scene.id === reprocessed.id ? clouds : clearFields)(scene, file, place);
    await reprocess();
    expect(await recordOf()).toMatchObject({ outcome: 'done', layers: ALL, scenes: [aScene().id] });
    expect(service.paths()).toContain(`${ROOT}/north/${DAY}/scouting.tiff`);
  });
});

describe('a file that is broken for good', () => {
  const corrupt = new RasterError('corrupt', 'https://files.example/red.tif: block 7: bad data');

  test('fails the field and day with its reason, and is not tried again while nothing changes', async () => {
    service.catalogue.add(aScene());
    service.reader.faults.set(`${aScene().id}/red`, corrupt);
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({
      outcome: 'failed',
      reason: `The scene cannot be used: ${corrupt.message}.`,
    });
    const reads = service.reader.reads.length;
    await service.clock.advance(86_400_000);
    await service.searchAgain(CUSTOMER, 'e1', DAY);
    expect(service.reader.reads).toHaveLength(reads);
  });

  test('is made up for by another overpass that shows the field', async () => {
    service.catalogue.add(aScene({ id: 'broken', nodataPercent: 0 }));
    service.catalogue.add(
      aScene({ id: 'whole', takenAt: '2026-06-17T10:25:59.000Z', datatake: 'GS2B_20260617T102559_043002' }),
    );
    service.reader.faults.set('broken', corrupt);
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'done', scenes: ['whole'] });
  });

  test('that is only missing so far is tried again the next day', async () => {
    service.catalogue.add(aScene());
    service.reader.faults.set(aScene().id, new RasterError('unavailable', 'the server answered 404'));
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'failed', isToBeTriedAgain: true });
    service.reader.faults.clear();
    await service.clock.advance(86_400_000);
    await work();
    expect(await recordOf()).toMatchObject({ outcome: 'done', layers: ALL });
  });

  test('in a scene that the catalogue describes unusably is a recorded reason too', async () => {
    service.catalogue.add({ ...aScene(), fault: 'it has no asset nir' });
    await enrol();
    await work();
    expect(await recordOf()).toMatchObject({
      outcome: 'failed',
      reason: 'The catalogue describes the scene in a way that cannot be used: it has no asset nir.',
    });
    expect(service.paths()).toEqual([`${ROOT}/north/index.json`]);
  });
});

describe('an outage', () => {
  const away = new CatalogueError('unavailable', 'The catalogue is away.');

  test('of the catalogue for two hours loses no field and day, and none is recorded as without imagery', async () => {
    service.catalogue.add(aScene());
    service.catalogue.fault = away;
    await enrol();
    await work();
    for (let minutes = 0; minutes < 120; minutes += 1) {
      await service.clock.advance(60_000);
      await service.sweep();
      await service.drain();
    }
    expect(service.fieldDates.rows.size).toBe(0);
    expect(service.catalogue.searches.length).toBeGreaterThan(8);
    expect(service.catalogue.searches.length).toBeLessThan(30);
    service.catalogue.fault = undefined;
    for (let minutes = 0; minutes < 16; minutes += 1) {
      await service.clock.advance(60_000);
      await service.sweep();
      await service.drain();
    }
    expect(await recordOf()).toMatchObject({ outcome: 'done' });
  });

  test('of the files keeps what was done and goes on with the rest', async () => {
    const later = aScene({ id: 'later', takenAt: '2026-06-12T10:05:59.000Z', datatake: 'later' });
    service.catalogue.add(aScene());
    service.catalogue.add(later);
    service.reader.faults.set(
      'later',
      new RasterError('unavailable', 'the server answered 503', { isTransient: true }),
    );
    await enrol();
    await work();
    expect([...service.fieldDates.rows.values()].map(({ date }) => date)).toEqual([DAY]);
    service.reader.faults.clear();
    for (let minutes = 0; minutes < 16; minutes += 1) {
      await service.clock.advance(60_000);
      await service.sweep();
      await service.drain();
    }
    expect([...service.fieldDates.rows.values()].map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  });
});

describe('the order of work', () => {
  const scenesOf = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const takenAt = `2026-06-${String(19 - index).padStart(2, '0')}T10:05:59.000Z`;
      service.catalogue.add(aScene({ id: `s${index}`, takenAt, datatake: `d${index}` }));
    }
  };

  test('is newest day first', async () => {
    scenesOf(6);
    await enrol();
    await work();
    const items = service.imagery.writes
      .filter((path) => path.endsWith('metadata.json'))
      .map((path) => path.split('/')[4]);
    expect(items).toEqual([...items].sort().reverse());
  });
});

describe('what others change meanwhile', () => {
  test('is no loss: a document written while the files were made is merged', async () => {
    service.catalogue.add(aScene());
    await enrol({ request: { layers: ['ndvi'] } });
    await work();
    const { properties, assets } = itemOf();
    const { imagery } = service;
    imagery.documents.clear();
    imagery.files.delete(`${ROOT}/north/${DAY}/ndvi.tiff`);
    service.fieldDates.rows.clear();
    // Another enrollment of the field makes its layer of the same scenes meanwhile.
    await enrol({ enrollmentId: 'e2', request: { layers: ['ndvi', 'true-color'] } });
    const putLayer = imagery.putLayer.bind(imagery);
    let isDisturbed = false;
    imagery.putLayer = async (place, file, standing) => {
      if (!isDisturbed) {
        isDisturbed = true;
        const vegetation = { layer: 'vegetation', bytes: Uint8Array.of(1), sha256: 'ab' } as const;
        await putLayer(place, vegetation, standing);
        const asset = { ...assets['ndvi'], 'file:checksum': '1220ab' };
        await imagery.putItem(place, { properties, assets: { vegetation: asset } }, undefined);
      }
      return putLayer(place, file, standing);
    };
    await work();
    expect(Object.keys(itemOf().assets)).toEqual(['ndvi', 'vegetation', 'true-color']);
  });

  test('keeps the index complete: a record that comes between makes it written anew', async () => {
    service.catalogue.add(aScene());
    await enrol();
    const { imagery, fieldDates } = service;
    const readIndex = imagery.readIndex.bind(imagery);
    const other = {
      fieldId: 'north',
      date: '2026-06-12',
      outcome: 'cloud',
      reason: 'x',
      clearPercent: 1,
      coveragePercent: 100,
    } as const;
    let isDisturbed = false;
    imagery.readIndex = async (customer, fieldId) => {
      const stored = await readIndex(customer, fieldId);
      if (!isDisturbed) {
        isDisturbed = true;
        const record = {
          ...other,
          layers: [],
          skipped: { ndvi: 'cloud' },
          scenes: [],
          basis: 'b',
          standing: 'b',
        } as const;
        await fieldDates.merge(CUSTOMER, [record], settled);
        await imagery.putIndex({ customer, fieldId }, {}, stored?.etag);
      }
      return stored;
    };
    await work();
    const index = imagery.documents.get(`${ROOT}/north/index.json`)!.document as {
      readonly 'fieldimagery:dates': { date: string }[];
    };
    expect(index['fieldimagery:dates'].map(({ date }) => date)).toEqual(['2026-06-12', DAY]);
  });

  test('keeps the items complete: who wrote them from older records begins anew', async () => {
    service.catalogue.add(aScene());
    await enrol();
    const { imagery } = service;
    const listed = (): readonly string[] => [
      ...itemsIn(imagery.documents.get(`${ROOT}/north/items.json`)?.document).keys(),
    ];
    const readIndex = imagery.readIndex.bind(imagery);
    let isDisturbed = false;
    imagery.readIndex = async (customer, fieldId) => {
      if (!isDisturbed) {
        isDisturbed = true;
        await imagery.putItems({ customer, fieldId }, { features: [] }, undefined);
      }
      return readIndex(customer, fieldId);
    };
    await work();
    expect(listed()).toEqual([DAY]);
  });
});
