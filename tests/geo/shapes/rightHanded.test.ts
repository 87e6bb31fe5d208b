import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { geoJsonOf } from '../../../console/views/boundary/fieldGeoJson.js';
import { fieldsAnswer } from '../../../shared/enrollments/lists/fieldSchemas.js';
import type { FieldEntry } from '../../../shared/enrollments/lists/listFields.js';
import { fieldCollection, type FieldCollectionPorts } from '../../../shared/farm/operations/fieldCollection.js';
import { partyKeyOf } from '../../../shared/farm/land/land.js';
import { partsOf, type MultiPolygon, type Polygon } from '../../../shared/geo/shapes/geoJson.js';
import { rightHanded } from '../../../shared/geo/shapes/rightHanded.js';
import { isSameLand } from '../../../shared/geo/shapes/sameLand.js';
import { signedArea } from '../../../shared/geo/shapes/rings.js';
import { collectionDocument } from '../../../shared/imagery/documents/collectionDocument.js';
import { indexedItem } from '../../../shared/imagery/documents/itemCollection.js';
import { itemDocument, type ItemFacts } from '../../../shared/imagery/documents/itemDocument.js';
import { noDays } from '../../../shared/enrollments/fields/newestDays.js';
import { tries } from '../../support/fullRun.js';
import { aScene } from '../../imagery/builders.js';
import { anyLand, writingOf } from '../writings.js';

type Area = Polygon | MultiPolygon;

const isRightHanded = (geometry: Area): boolean =>
  partsOf(geometry).every((rings) => rings.every((ring, index) => signedArea(ring) > 0 === (index === 0)));

/** A field with a hole, every ring the wrong way round. */
const wrong: Polygon = {
  type: 'Polygon',
  coordinates: [
    [[9, 55], [9, 55.01], [9.01, 55.01], [9.01, 55], [9, 55]],
    [[9.002, 55.002], [9.004, 55.002], [9.004, 55.004], [9.002, 55.004], [9.002, 55.002]],
  ],
}; // prettier-ignore
const parts: MultiPolygon = { type: 'MultiPolygon', coordinates: [wrong.coordinates] };
const box = [9, 55, 9.01, 55.01] as const;

test('rings run by the right hand in every writing, from where they began, around the same land', () => {
  fc.assert(
    fc.property(anyLand.chain(writingOf), (land) => {
      const turned = rightHanded(land);
      expect(isRightHanded(turned)).toBe(true);
      expect(isSameLand(turned, land)).toBe(true);
      const firsts = (geometry: Area) =>
        partsOf(geometry)
          .flat()
          .map(([first]) => first);
      expect(firsts(turned)).toEqual(firsts(land));
      expect(rightHanded(turned)).toEqual(turned);
    }),
    { numRuns: tries(500) },
  );
});

describe('GeoJSON that goes out runs by the right hand, whatever way it came', () => {
  const facts = {
    ...{
      fieldId: 'north',
      date: '2026-06-17',
      geometry: parts,
      bbox: box,
      grid: aScene().grid,
      files: [],
      scenes: [aScene()],
    },
    ...{
      grounds: { basis: '0', standing: '0' },
      offset: { offsetDn: 0, basis: 'catalogue' },
      areaHa: 1,
      fieldPixels: 1,
    },
    visibility: { coverageFraction: 1, clearFraction: 1 },
  } as unknown as ItemFacts;
  const field = { fieldId: 'north', bbox: box, geometryHash: 'a' };
  const land = {
    find: () => Promise.resolve({ land: { kind: 'party', id: 'party', partyId: 'party' } }),
    page: () => Promise.resolve([{ item: { kind: 'field', id: 'north', partyId: 'party', extent: {} }, at: {} }]),
    packedOf: () => Promise.resolve(gzipSync(JSON.stringify(wrong))),
  } as unknown as FieldCollectionPorts['land'];
  const party = partyKeyOf('tenant', 'party');
  const listed = {
    fieldId: 'north',
    outline: { geometry: wrong, bbox: box, areaHa: 1 },
    enrollments: [],
    holders: [],
    ...noDays,
  };

  test.each<{ readonly what: string; readonly write: () => unknown }>([
    {
      what: 'GET /v1/fields',
      write: () => (fieldsAnswer([listed as unknown as FieldEntry], null).json as { items: unknown[] }).items[0],
    },
    { what: 'metadata.json', write: () => itemDocument(facts, {}) },
    {
      what: 'index.json',
      write: () => {
        const outline = { geometry: wrong, geometryHash: 'a' };
        return { geometry: collectionDocument({ ...field, outline }, [], () => undefined)['fieldimagery:geometry'] };
      },
    },
    { what: 'items.json', write: () => indexedItem('2026-06-17', { ...itemDocument(facts, {}), bbox: box }) },
    {
      what: 'items.json of a field across the antimeridian',
      write: () => indexedItem('2026-06-17', { ...itemDocument(facts, {}), bbox: [179.9, 55, -179.9, 55.1] }),
    },
    {
      what: 'fields.geojson of farm data',
      write: async () => {
        const { features } = await fieldCollection({ land })(party, { ids: ['north'], limit: 1, hasPrefix: false });
        return { geometry: JSON.parse(Buffer.from(features[0]?.geometry ?? []).toString('utf8')) as unknown };
      },
    },
    {
      what: 'a download of the console',
      write: () => (JSON.parse(geoJsonOf('north', wrong)) as { features: unknown[] }).features[0],
    },
  ])('$what', async ({ write }) => {
    const { geometry } = (await write()) as { readonly geometry: Area };
    expect(isRightHanded(geometry)).toBe(true);
    expect(partsOf(geometry).flat(2).length).toBeGreaterThan(4);
  });
});
