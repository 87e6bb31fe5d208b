import { describe, expect, test } from '@jest/globals';
import type { MultiPolygon, Polygon } from '../../../shared/geo/shapes/geoJson.js';
import type { GeoBox } from '../../../shared/scenes/place/footprint.js';
import { itemsIn } from '../../../shared/imagery/documents/itemCollection.js';
import { itemDocument, type ItemFacts } from '../../../shared/imagery/documents/itemDocument.js';
import { seriesCsv } from '../../../shared/imagery/documents/timeSeries.js';
import { updateIndex } from '../../../shared/imagery/documents/updateIndex.js';
import { aScene, boxPolygon, TILE_BOX } from '../builders.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';
import { collectionFaults, itemFaults } from './stacDocuments.js';

const BOX: GeoBox = [13.14, 48.29, 13.1436, 48.2925];
const ROOT = 'contoso/field-imagery/sentinel-2/north';

/** The document of a field on a day with one layer. */
function itemOf(changes: Partial<ItemFacts>) {
  const scene = aScene();
  const figures = { scales: [], statistics: [] };
  const facts: ItemFacts = {
    fieldId: 'north',
    date: '2026-06-17',
    geometry: { type: 'MultiPolygon', coordinates: [boxPolygon(BOX).coordinates] },
    bbox: BOX,
    grounds: { basis: '0011223344556677', standing: '0011' },
    scenes: [scene],
    offset: { offsetDn: 0, basis: 'catalogue' },
    shown: { ndvi: { coverageFraction: 1, clearFraction: 0.9 } },
    areaHa: 7.0123456,
    fieldPixels: 702,
    grid: scene.grid,
    files: [{ layer: 'ndvi', bytes: new Uint8Array(), sha256: '', dataType: 'float32', nodata: -9999, ...figures }],
  };
  return itemDocument({ ...facts, ...changes }, {}) as {
    readonly geometry: Polygon | MultiPolygon;
    readonly properties: Readonly<Record<string, unknown>>;
  };
}

/** A field with a clear, a clouded and a broken day, all layers. */
async function threeDays(): Promise<ImageryUnderTest> {
  const service = new ImageryUnderTest('2026-06-20T12:00:00Z');
  ['2026-06-17', '2026-06-12', '2026-06-07'].forEach((date, index) => {
    const takenAt = `${date}T10:05:59.000Z`;
    const cloudPercent = index === 1 ? 99 : 5;
    service.catalogue.add(
      aScene({ id: date, takenAt, datatake: date, cloudPercent, page: `https://catalogue.example/${date}` }),
    );
  });
  const odd = aScene({ id: 'odd', takenAt: '2026-06-02T10:05:59.000Z' });
  service.catalogue.add({ ...odd, fault: 'it has no asset nir' });
  await service.enrol({
    customer: 'contoso',
    enrollmentId: 'e1',
    fields: [{ fieldId: 'north', box: BOX }],
    request: {
      startDate: '2026-06-01',
      endDate: '2026-06-30',
      layers: ['ndvi', 'vegetation', 'scouting', 'true-color'],
    },
  });
  await service.drain();
  return service;
}

const documentAt = (service: ImageryUnderTest, path: string) =>
  service.imagery.documents.get(`${ROOT}/${path}`)!.document as Record<string, unknown>;

describe('metadata.json', () => {
  test('is a STAC Item with the projection, raster and file extensions', async () => {
    const item = documentAt(await threeDays(), '2026-06-17/metadata.json');
    expect(itemFaults(item)).toEqual([]);
    // The schema can fail: an Item without its link to the collection is none.
    expect(itemFaults({ ...item, links: [] })).not.toEqual([]);
    expect(itemFaults({ ...item, properties: { ...(item['properties'] as object), clear: 1 } })).not.toEqual([]);
  });

  test('shows the field as a Polygon when it is one, and as a MultiPolygon when it has parts', () => {
    const { coordinates } = boxPolygon(BOX);
    expect(itemOf({}).geometry).toEqual({ type: 'Polygon', coordinates });
    const parts: MultiPolygon = { type: 'MultiPolygon', coordinates: [coordinates, boxPolygon(TILE_BOX).coordinates] };
    expect(itemOf({ geometry: parts }).geometry).toEqual(parts);
  });

  test('tells the area of the field on the ellipsoid, and its pixels as such', () => {
    expect(itemOf({}).properties).toMatchObject({
      'fieldimagery:field_area_ha': 7.012346,
      'fieldimagery:clear_area_ha': 6.311111,
      'fieldimagery:field_pixels': 702,
      'fieldimagery:clear_pixels': 632,
    });
  });

  test('of a field that a few pixels touch gives its own area, not theirs', async () => {
    const service = new ImageryUnderTest('2026-06-20T12:00:00Z');
    service.catalogue.add(aScene());
    // 0.0004° of longitude at 48.29° N is 29.66 m, 0.0001° of latitude 11.12 m (WGS 84).
    const box: GeoBox = [13.1402, 48.29, 13.1406, 48.2901];
    const period = { startDate: '2026-06-17', endDate: '2026-06-17' };
    await service.enrol({
      customer: 'contoso',
      enrollmentId: 'e1',
      fields: [{ fieldId: 'north', box }],
      request: { ...period, layers: ['ndvi'] },
    });
    await service.drain();
    const { properties } = documentAt(service, '2026-06-17/metadata.json') as {
      properties: Record<string, number>;
    };
    expect(properties['fieldimagery:field_area_ha']).toBeCloseTo(0.033, 4);
    expect(properties['fieldimagery:field_pixels']).toBeGreaterThan(3);
  });

  test('names no satellite and no observation where the scene is synthetic', () => {
    const { properties } = itemOf({ scenes: [aScene({ isSynthetic: true })] });
    expect(properties).toMatchObject({
      platform: 'synthetic',
      description: expect.stringContaining('synthetic scene'),
      'fieldimagery:attribution': expect.stringContaining('synthetic scene'),
    });
    const said = Object.entries(properties).filter(([name]) => name !== 'fieldimagery:scenes');
    expect(JSON.stringify(said)).not.toMatch(/sentinel|copernicus|msi/i);
    expect(itemOf({}).properties).toMatchObject({
      platform: 'sentinel-2b',
      constellation: 'sentinel-2',
      instruments: ['msi'],
      'proj:code': 'EPSG:32633',
      'proj:epsg': 32633,
      providers: [expect.objectContaining({ name: 'European Union, Copernicus programme' })],
      'fieldimagery:attribution': 'Contains modified Copernicus Sentinel data 2026',
    });
  });

  test('names the scenes that it is derived from, and links the index', async () => {
    const item = documentAt(await threeDays(), '2026-06-17/metadata.json') as unknown as { links: readonly object[] };
    expect(item.links).toEqual(
      expect.arrayContaining([
        {
          rel: 'derived_from',
          href: 'https://catalogue.example/2026-06-17',
          type: 'application/geo+json',
          title: '2026-06-17',
        },
        { rel: 'collection', href: '../index.json', type: 'application/json' },
      ]),
    );
  });

  test('is the same bytes when it is made anew: it holds no time of writing', async () => {
    const [first, second] = [await threeDays(), await threeDays()];
    await second.clock.advance(5_000);
    expect(documentAt(second, '2026-06-17/metadata.json')).toEqual(documentAt(first, '2026-06-17/metadata.json'));
    expect(JSON.stringify(documentAt(first, '2026-06-17/metadata.json'))).not.toContain('2026-06-20');
  });
});

/** The field, with the geometry that its index names. */
const northOf = (service: ImageryUnderTest) => ({
  fieldId: 'north',
  geometryHash: String(documentAt(service, 'index.json')['fieldimagery:geometry_hash']),
  bbox: BOX,
});

describe('index.json', () => {
  test('is a STAC Collection that links the days with files, and lists every day that was looked at', async () => {
    const index = documentAt(await threeDays(), 'index.json') as unknown as {
      links: readonly { rel: string; href: string }[];
      'fieldimagery:dates': readonly { date: string; outcome: string; reason: string | null }[];
    };
    expect(collectionFaults(index)).toEqual([]);
    expect(collectionFaults({ ...index, license: undefined })).not.toEqual([]);
    expect(index.links.filter(({ rel }) => rel === 'item').map(({ href }) => href)).toEqual([
      './2026-06-07/metadata.json',
      './2026-06-17/metadata.json',
    ]);
    expect(index['fieldimagery:dates'].map(({ date, outcome }) => `${date} ${outcome}`)).toEqual([
      '2026-06-02 failed',
      '2026-06-07 done',
      '2026-06-12 cloud',
      '2026-06-17 done',
    ]);
    expect(index['fieldimagery:dates'].every(({ outcome, reason }) => (outcome === 'done') === (reason === null))).toBe(
      true,
    );
  });
});

describe('the statistics of a field by date', () => {
  interface Day {
    readonly date: string;
    readonly statistics?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  }
  const daysOf = (service: ImageryUnderTest): readonly Day[] =>
    (documentAt(service, 'index.json') as { 'fieldimagery:dates': readonly Day[] })['fieldimagery:dates'];
  const csvOf = (service: ImageryUnderTest): unknown =>
    service.imagery.documents.get(`${ROOT}/statistics.csv`)?.document;
  const update = (service: ImageryUnderTest) => updateIndex(service.ports)('contoso', northOf(service));

  test('stand in the index as in the documents of the days, for the layers that can be compared', async () => {
    const service = await threeDays();
    const { assets } = documentAt(service, '2026-06-17/metadata.json') as {
      assets: Record<string, { bands: Record<string, Record<string, number>>[] }>;
    };
    const of = (layer: string) => {
      const [band] = assets[layer]?.bands ?? [];
      const { p2, p50, p98 } = band?.['fieldimagery:percentiles'] ?? {};
      return { mean: band?.['statistics']?.['mean'], p2, p50, p98, clear_percent: 100 };
    };
    const told = daysOf(service).map(({ date, statistics }) => [date, statistics]);
    expect(told).toEqual([
      ['2026-06-02', undefined],
      ['2026-06-07', { ndvi: expect.anything(), vegetation: expect.anything() }],
      ['2026-06-12', undefined],
      ['2026-06-17', { ndvi: of('ndvi'), vegetation: of('vegetation') }],
    ]);
  });

  test('are lines of statistics.csv, with the share that is clear and the scene', async () => {
    const service = await threeDays();
    const [, , , { statistics = {} } = {}] = daysOf(service);
    const lines = String(csvOf(service)).split('\r\n');
    expect(lines[0]).toBe('date,layer,mean,p2,p50,p98,clear_percent,scene');
    const { mean, p2, p50, p98 } = statistics['vegetation'] ?? {};
    expect(lines.slice(4)).toEqual([`2026-06-17,vegetation,${[mean, p2, p50, p98].join()},100,2026-06-17`, '']);
    expect(lines.map((line) => line.split(',', 2).join())).toEqual([
      'date,layer',
      '2026-06-07,ndvi',
      '2026-06-07,vegetation',
      '2026-06-17,ndvi',
      '2026-06-17,vegetation',
      '',
    ]);
  });

  test('are those of the records, whoever writes an older file in between', async () => {
    const service = await threeDays();
    const { imagery } = service;
    const whole = csvOf(service);
    imagery.documents.delete(`${ROOT}/statistics.csv`);
    const put = imagery.putStatistics.bind(imagery);
    let isDisturbed = false;
    imagery.putStatistics = async (field, csv, etag) => {
      if (!isDisturbed) await put(field, 'older', etag);
      isDisturbed = true;
      return put(field, csv, etag);
    };
    await update(service);
    expect(csvOf(service)).toBe(whole);
  });

  test('are of no use to a spreadsheet as a formula', () => {
    const day = { date: '2026-06-17', clearPercent: 100, scenes: ['=cmd|x', 'S2,"B"'] };
    const statistics = { ndvi: { mean: -0.1, p2: -0.2, p50: -0.1, p98: 0 } };
    expect(seriesCsv([{ ...day, statistics }]).split('\r\n')[1]).toBe(
      '2026-06-17,ndvi,-0.1,-0.2,-0.1,0,100,"\'=cmd|x S2,""B"""',
    );
  });
});

describe('the boundary in the index', () => {
  test('is that of the field, and stays when only its days change', async () => {
    const service = await threeDays();
    const geometryOfIndex = () => documentAt(service, 'index.json')['fieldimagery:geometry'];
    expect(geometryOfIndex()).toEqual(boxPolygon(BOX));
    await updateIndex(service.ports)('contoso', northOf(service));
    expect(geometryOfIndex()).toEqual(boxPolygon(BOX));
  });
});

describe('items.json', () => {
  const place = {
    'proj:code': 'EPSG:32633',
    'proj:epsg': 32633,
    'proj:shape': [32, 30],
    'proj:transform': [10, 0, 362_020, 0, -10, 5_350_500],
  };
  const [west, south, east, north] = BOX;

  test('lists the days with files, the earliest first, as small items with addresses from where it lies', async () => {
    const { features, ...collection } = documentAt(await threeDays(), 'items.json') as { features: readonly object[] };
    expect(collection).toEqual({
      type: 'FeatureCollection',
      stac_version: '1.1.0',
      links: [{ rel: 'collection', href: './index.json', type: 'application/json' }],
    });
    expect(features).toHaveLength(2);
    expect(features[1]).toEqual({
      type: 'Feature',
      stac_version: '1.1.0',
      stac_extensions: ['https://stac-extensions.github.io/projection/v1.2.0/schema.json'],
      id: 'north_2026-06-17',
      collection: 'north',
      geometry: boxPolygon(BOX),
      bbox: [west, south, east, north],
      properties: {
        title: 'Field north on 2026-06-17',
        datetime: '2026-06-17T10:05:59.000Z',
        platform: 'sentinel-2b',
        gsd: 10,
        'fieldimagery:field_id': 'north',
        'fieldimagery:clear_percent': 100,
        'fieldimagery:basis': expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
      },
      links: [
        { rel: 'collection', href: './index.json', type: 'application/json' },
        { rel: 'canonical', href: './2026-06-17/metadata.json', type: 'application/geo+json' },
      ],
      assets: {
        ndvi: expect.objectContaining({ href: './2026-06-17/ndvi.tiff', roles: ['data'], nodata: -9999, ...place }),
        vegetation: expect.objectContaining({ href: './2026-06-17/vegetation.tiff', nodata: 255, ...place }),
        scouting: expect.objectContaining({ href: './2026-06-17/scouting.tiff', nodata: 255, ...place }),
        'true-color': expect.objectContaining({ href: './2026-06-17/true-color.tiff', roles: ['visual'], ...place }),
      },
    });
  });

  test('is written only where a day with files comes, changes or goes, and reads the document of that day alone', async () => {
    const service = await threeDays();
    const { imagery, fieldDates, ports } = service;
    const update = () => updateIndex(ports)('contoso', northOf(service));
    const read: string[] = [];
    const findItem = imagery.findItem.bind(imagery);
    imagery.findItem = (wanted) => {
      read.push(wanted.date);
      return findItem(wanted);
    };
    const before = imagery.writes.length;
    await update();
    expect([read, imagery.writes.slice(before)]).toEqual([[], [`${ROOT}/index.json`]]);
    const records = await fieldDates.list('contoso', 'north');
    const changed = records.filter(({ date }) => date === '2026-06-07').map((day) => ({ ...day, basis: 'other' }));
    await fieldDates.merge('contoso', changed, (found) => found);
    await update();
    expect(read).toEqual(['2026-06-07']);
  });

  test('leaves out a day whose document is gone', async () => {
    const service = await threeDays();
    service.imagery.documents.delete(`${ROOT}/2026-06-07/metadata.json`);
    service.imagery.documents.delete(`${ROOT}/items.json`);
    await updateIndex(service.ports)('contoso', northOf(service));
    expect([...itemsIn(documentAt(service, 'items.json')).keys()]).toEqual(['2026-06-17']);
  });
});
