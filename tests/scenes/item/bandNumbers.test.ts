import { describe, expect, test } from '@jest/globals';
import type { Catalogue } from '../../../shared/scenes/imagerySettings.js';
import { sceneOfItem } from '../../../shared/scenes/item/sceneOfItem.js';
import type { StacItem } from '../../../shared/scenes/item/stacSchemas.js';
import { anItem } from '../../imagery/builders.js';

type Members = Readonly<Record<string, unknown>>;
type Bands = Readonly<Partial<Record<'red' | 'green' | 'blue' | 'nir', Members>>>;

/** An item whose bands say this of their numbers, and nothing else. */
function itemOf(collection: string, bands: Bands, properties: Members = {}): StacItem {
  const assets = Object.fromEntries(
    Object.entries(anItem().assets).map(([name, asset]) => {
      const plain = { ...(asset as Members), 'raster:bands': undefined };
      return [name, { ...plain, ...bands[name as keyof Bands] }];
    }),
  );
  return JSON.parse(JSON.stringify(anItem({ collection, assets }, properties))) as StacItem;
}

const all = (told: Members): Bands => ({ red: told, green: told, blue: told, nir: told });
const before = (numbers: Members): Members => ({ 'raster:bands': [numbers] });
const offsetOf = (catalogue: Catalogue, item: StacItem): unknown => {
  const scene = sceneOfItem(catalogue, item);
  return scene !== undefined && 'fault' in scene ? scene.fault : scene?.offset;
};

const PRESENT = { offsetDn: -1000, basis: 'asset' };
const C1 = 'sentinel-2-c1-l2a';

describe('the offset that the bands of collection 1 name', () => {
  test.each([
    { where: 'in raster:bands, before STAC 1.1', bands: all(before({ nodata: 0, scale: 0.0001, offset: -0.1 })) },
    {
      where: 'beside the address, since STAC 1.1',
      bands: all({ nodata: 0, 'raster:scale': 0.0001, 'raster:offset': -0.1 }),
    },
    {
      where: 'in bands, since STAC 1.1',
      bands: all({ bands: [{ nodata: 0, 'raster:scale': 0.0001, 'raster:offset': -0.1 }] }),
    },
    {
      where: 'in both forms',
      bands: all({
        ...before({ offset: -0.1 }),
        'raster:offset': -0.1,
        bands: [{ name: 'B04', 'raster:offset': -0.1 }],
      }),
    },
    {
      where: 'by one band in one form and by another in the other',
      bands: { red: before({ offset: -0.1 }), nir: { 'raster:offset': -0.1 } },
    },
    { where: 'by near infrared alone', bands: { nir: before({ offset: -0.1 }) } },
    { where: 'in single precision', bands: all(before({ scale: Math.fround(0.0001), offset: Math.fround(-0.1) })) },
    { where: 'beside nulls', bands: all({ ...before({ nodata: null, scale: null, offset: -0.1 }), bands: null }) },
  ])('is read $where', ({ bands }) => {
    // A baseline without it: only the bands can have told.
    expect(offsetOf('earth-search', itemOf(C1, bands, { 's2:processing_baseline': '03.01' }))).toEqual(PRESENT);
  });

  test('of 0 is read as well', () => {
    expect(offsetOf('earth-search', itemOf(C1, all({ 'raster:offset': 0 })))).toEqual({ offsetDn: 0, basis: 'asset' });
  });

  test.each([{ bands: {} }, { bands: all({ 'raster:bands': [] }) }, { bands: all({ 'raster:bands': null }) }])(
    'is left to the baseline where they say nothing: $bands',
    ({ bands }) => {
      expect(offsetOf('earth-search', itemOf(C1, bands))).toEqual({ offsetDn: -1000, basis: 'baseline' });
    },
  );
});

describe.each<{ catalogue: Catalogue; collection: string }>([
  { catalogue: 'earth-search', collection: C1 },
  { catalogue: 'earth-search', collection: 'sentinel-2-l2a' },
  { catalogue: 'planetary-computer', collection: 'sentinel-2-l2a' },
])('a scene of $collection of $catalogue is unusable', ({ catalogue, collection }) => {
  test.each(
    (['red', 'green', 'blue', 'nir'] as const).flatMap((band) => [
      { band, told: before({ scale: 0.001 }), fault: `its band ${band} has the scale 0.001, and is read with 0.0001` },
      { band, told: { 'raster:scale': 1 }, fault: `its band ${band} has the scale 1, and is read with 0.0001` },
      { band, told: before({ nodata: -9999 }), fault: `its band ${band} has the nodata -9999, and is read with 0` },
      { band, told: { nodata: 'nan' }, fault: `its band ${band} has the nodata "nan", and is read with 0` },
      {
        band,
        told: { nodata: 'x'.repeat(2_000) },
        fault: `its band ${band} has the nodata "${'x'.repeat(99)}, and is read with 0`,
      },
      {
        band,
        told: { bands: [{ 'raster:offset': -0.2 }] },
        fault: `its band ${band} has the offset -0.2, and is read with 0 or -0.1`,
      },
      {
        band,
        told: before({ offset: -1000 }),
        fault: `its band ${band} has the offset -1000, and is read with 0 or -0.1`,
      },
    ]),
  )('when $fault', ({ band, told, fault }) => {
    expect(offsetOf(catalogue, itemOf(collection, { [band]: told }))).toBe(fault);
  });

  test('when its bands have different offsets', () => {
    const bands = { red: before({ offset: -0.1 }), blue: before({ offset: 0 }) };
    expect(offsetOf(catalogue, itemOf(collection, bands))).toBe('its bands have different offsets');
  });

  test('when one band says different things', () => {
    const bands = { red: { ...before({ offset: -0.1 }), 'raster:offset': 0 } };
    expect(offsetOf(catalogue, itemOf(collection, bands))).toBe('its bands have different offsets');
  });
});

describe('bands of the Planetary Computer, whose pixels are as the baseline made them,', () => {
  test.each([
    { baseline: '05.11', offset: -0.1, expected: { offsetDn: -1000, basis: 'baseline' } },
    { baseline: '03.01', offset: 0, expected: { offsetDn: 0, basis: 'baseline' } },
    { baseline: '05.11', offset: 0, expected: 'its bands name another offset than processing baseline 05.11 has' },
    { baseline: '03.01', offset: -0.1, expected: 'its bands name another offset than processing baseline 03.01 has' },
    { baseline: '', offset: -0.1, expected: 'measure' },
  ])('with an offset of $offset and baseline "$baseline": $expected', ({ baseline, offset, expected }) => {
    const item = itemOf('sentinel-2-l2a', all(before({ offset })), { 's2:processing_baseline': baseline });
    expect(offsetOf('planetary-computer', item)).toEqual(expected);
  });
});

test('in the older collection of Earth Search the flag counts, whichever offset the bands show', () => {
  for (const offset of [0, -0.1]) {
    const item = itemOf('sentinel-2-l2a', all(before({ offset })));
    expect(offsetOf('earth-search', item)).toEqual({ offsetDn: 0, basis: 'catalogue' });
  }
});
