import { describe, expect, test } from '@jest/globals';
import type { MultiPolygon, Polygon } from '../../shared/geo/geoJson.js';
import type { GeoBox } from '../../shared/imagery/footprint.js';
import { itemDocument, type ItemFacts } from '../../shared/imagery/itemDocument.js';
import { aScene, boxPolygon, TILE_BOX } from './builders.js';
import { ImageryUnderTest } from './imageryUnderTest.js';
import { collectionFaults, itemFaults } from './stacDocuments.js';

const BOX: GeoBox = [13.14, 48.29, 13.1436, 48.2925];
const ROOT = 'contoso/field-imagery/sentinel-2/north';

/** The document of a field on a day, before any layer is made. */
function itemOf(changes: Partial<ItemFacts>) {
  const scene = aScene();
  const facts: ItemFacts = {
    fieldId: 'north',
    date: '2026-06-17',
    geometry: { type: 'MultiPolygon', coordinates: [boxPolygon(BOX).coordinates] },
    bbox: BOX,
    grounds: { basis: '0011223344556677', standing: '0011' },
    scenes: [scene],
    offset: { offsetDn: 0, basis: 'catalogue' },
    visibility: { coverageFraction: 1, clearFraction: 0.9 },
    areaHa: 7.0123456,
    fieldPixels: 702,
    grid: scene.grid,
    files: [],
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
  const { takenAt, footprint } = aScene({ takenAt: '2026-06-02T10:05:59.000Z' });
  service.catalogue.add({ id: 'odd', takenAt, footprint, fault: 'it has no asset nir' });
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
  await service.plan('contoso');
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
    await service.plan('contoso');
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
