import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Catalogue } from '../../../shared/scenes/imagerySettings.js';
import { isUsable, sceneOfItem } from '../../../shared/scenes/item/sceneOfItem.js';
import { StacItem } from '../../../shared/scenes/item/stacSchemas.js';
import { isValid } from '../../../shared/kit/validation/validator.js';
import { anItem } from '../../imagery/builders.js';

type Assets = Record<string, Record<string, unknown>>;
const assetsOf = (item: StacItem): Assets => structuredClone(item.assets) as Assets;

/** The item with one of its assets changed. */
function withAsset(name: string, changes: Record<string, unknown>): StacItem {
  const assets = assetsOf(anItem());
  assets[name] = { ...assets[name], ...changes };
  return anItem({ assets });
}

describe('a scene as Earth Search describes it', () => {
  test('is read with everything that the choice and the layers depend on', () => {
    expect(sceneOfItem('earth-search', anItem())).toEqual({
      id: 'S2B_33UUP_20260617_0_L2A',
      collection: 'sentinel-2-l2a',
      platform: 'sentinel-2b',
      takenAt: '2026-06-17T10:05:59.024Z',
      datatake: 'GS2B_20260617T100559_043001',
      datastripStart: '20260617T100612',
      tile: '33UUP',
      baseline: '05.11',
      generatedAt: '2026-06-17T13:39:55.000000Z',
      cloudPercent: 4.03,
      nodataPercent: 0.5,
      footprint: anItem().geometry,
      grid: {
        epsg: 32633,
        originX: 300_000,
        originY: 5_400_000,
        pixelWidth: 10,
        pixelHeight: 10,
        width: 10_980,
        height: 10_980,
      },
      offset: { offsetDn: 0, basis: 'catalogue' },
      files: {
        red: 'https://sentinel-cogs.s3.us-west-2.amazonaws.com/33/U/UP/B04.tif',
        green: 'https://sentinel-cogs.s3.us-west-2.amazonaws.com/33/U/UP/B03.tif',
        blue: 'https://sentinel-cogs.s3.us-west-2.amazonaws.com/33/U/UP/B02.tif',
        nir: 'https://sentinel-cogs.s3.us-west-2.amazonaws.com/33/U/UP/B08.tif',
        scl: 'https://sentinel-cogs.s3.us-west-2.amazonaws.com/33/U/UP/SCL.tif',
      },
      page: 'https://earth-search.aws.element84.com/v1/collections/x/items/y',
    });
  });

  test.each([
    { why: 'proj:code of STAC 1.1', properties: { 'proj:epsg': undefined, 'proj:code': 'EPSG:32633' } },
    { why: 'the tile in its id only', properties: { 'grid:code': undefined } },
    {
      why: 'the tile as the Planetary Computer names it',
      properties: { 'grid:code': undefined, 's2:mgrs_tile': '33UUP' },
    },
  ])('is the same with $why', ({ properties }) => {
    const item = structuredClone(anItem({}, properties));
    for (const [name, value] of Object.entries(properties)) {
      if (value === undefined) Reflect.deleteProperty(item.properties, name);
    }
    expect(sceneOfItem('earth-search', item)).toMatchObject({ tile: '33UUP', grid: { epsg: 32633 } });
  });

  test.each([
    { why: 'one digit in its code', item: anItem({}, { 'proj:epsg': 32609, 'grid:code': 'MGRS-9VWK' }) },
    { why: 'two digits in its code', item: anItem({}, { 'proj:epsg': 32609, 'grid:code': 'MGRS-09VWK' }) },
    {
      why: 'its name alone',
      item: anItem({}, { 'proj:epsg': 32609, 'grid:code': undefined, 's2:mgrs_tile': '9VWK' }),
    },
    { why: 'one digit in its id', item: anItem({ id: 'S2B_9VWK_20260617_0_L2A' }, { 'grid:code': undefined }) },
    { why: 'two digits in its id', item: anItem({ id: 'S2B_T09VWK_20260617T100559_L2A' }, { 'grid:code': undefined }) },
  ])('has a tile with a zone of two digits, be it written with $why', ({ item }) => {
    const plain = JSON.parse(JSON.stringify(item)) as StacItem;
    expect(sceneOfItem('earth-search', plain)).toMatchObject({ tile: '09VWK' });
  });

  test.each([
    { why: 'the zone of the code is that of the projection', code: 'MGRS-33UVP', epsg: 32633, expected: '33UVP' },
    { why: 'the code is of another zone: the id tells', code: 'MGRS-32UVP', epsg: 32633, expected: '33UUP' },
    { why: 'the code is of the other hemisphere: the id tells', code: 'MGRS-33HUP', epsg: 32633, expected: '33UUP' },
    { why: 'the code is empty: the id tells', code: '', epsg: 32633, expected: '33UUP' },
    { why: 'the code is null: the id tells', code: null, epsg: 32633, expected: '33UUP' },
    { why: 'the code is of another grid: the id tells', code: 'WRS2-033031', epsg: 32633, expected: '33UUP' },
    { why: 'neither fits: the id tells', code: 'MGRS-32UVP', epsg: 32634, expected: '33UUP' },
  ])('has the tile $expected where $why', ({ code, epsg, expected }) => {
    const item = anItem({}, { 'grid:code': code, 'proj:epsg': epsg });
    expect(sceneOfItem('earth-search', item)).toMatchObject({ tile: expected });
  });

  test.each([
    { why: 'the id of its datastrip', item: anItem(), expected: '20260617T100612' },
    {
      why: 'its own id in collection 1',
      item: anItem({ id: 'S2B_T33UUP_20260617T100613_L2A' }, { 's2:datastrip_id': undefined }),
      expected: '20260617T100613',
    },
    { why: 'nothing, when nobody says', item: anItem({}, { 's2:datastrip_id': undefined }), expected: '' },
  ])('knows when its datastrip began by $why', ({ item, expected }) => {
    const plain = JSON.parse(JSON.stringify(item)) as StacItem;
    expect(sceneOfItem('earth-search', plain)).toMatchObject({ datastripStart: expected });
  });

  test('of assets keyed by band is found all the same, and the JPEG 2000 twins are not', () => {
    const { red, green, blue, nir, scl, ...others } = assetsOf(anItem());
    const keyed = anItem({ assets: { B04: red, B03: green, B02: blue, B08: nir, SCL: scl, ...others } });
    expect(sceneOfItem('planetary-computer', keyed)).toMatchObject({ files: { red: red!['href'], scl: scl!['href'] } });
  });

  test.each([
    { why: 'a null for its satellite', item: anItem({}, { platform: null }), expected: { platform: '' } },
    {
      why: 'a null for its datastrip',
      item: anItem({}, { 's2:datastrip_id': null }),
      expected: { datastripStart: '', datatake: 'GS2B_20260617T100559_043001' },
    },
    { why: 'a null for its datatake', item: anItem({}, { 's2:datatake_id': null }), expected: { datatake: '' } },
    {
      why: 'a null for its baseline',
      item: anItem({}, { 's2:processing_baseline': null }),
      expected: { baseline: '' },
    },
    {
      why: 'a null for the flag of its offset',
      item: anItem({}, { 'earthsearch:boa_offset_applied': null }),
      expected: { offset: 'measure' },
    },
    {
      why: 'a null for a file that nobody needs',
      item: anItem({ assets: { ...assetsOf(anItem()), thumbnail: null } }),
      expected: { tile: '33UUP' },
    },
    { why: 'a link to nowhere', item: anItem({ links: [{ rel: 'via', href: null }] }), expected: { tile: '33UUP' } },
  ])('with $why is whole otherwise', ({ item, expected }) => {
    expect(isValid(StacItem, item)).toBe(true);
    expect(sceneOfItem('earth-search', item)).toMatchObject(expected);
  });

  test.each([
    {
      href: './B08.tif',
      links: anItem().links,
      expected: 'https://earth-search.aws.element84.com/v1/collections/x/items/B08.tif',
    },
    { href: '/files/B08.tif', links: anItem().links, expected: 'https://earth-search.aws.element84.com/files/B08.tif' },
    { href: 'http://127.0.0.1:5100/B08.tif', links: [], expected: 'http://127.0.0.1:5100/B08.tif' },
  ])('has a file at $expected for the address $href', ({ href, links, expected }) => {
    const item = { ...withAsset('nir', { href }), links: links ?? [] };
    expect(sceneOfItem('earth-search', item)).toMatchObject({ files: { nir: expected } });
  });

  test.each([
    {
      fault: 'file nir is relative, and the item has no address of its own',
      item: { ...withAsset('nir', { href: './B08.tif' }), links: [] },
    },
    {
      fault: 'file nir is relative, and the item has no address of its own',
      item: { ...withAsset('nir', { href: 'B08.tif' }), links: [{ rel: 'self', href: '../item.json' }] },
    },
    { fault: 'file nir lies at s3:', item: withAsset('nir', { href: 's3://sentinel-s2-l2a/tiles/5/B08.jp2' }) },
    {
      fault: 'file nir is relative, and the item has no address of its own',
      item: { ...withAsset('nir', { href: 'B08.tif' }), links: [{ rel: 'self', href: 'https:broken' }] },
    },
    {
      fault: 'file nir is not fetched: an address of files.example is not https',
      item: withAsset('nir', { href: 'http://files.example/B08.tif' }),
    },
    {
      fault: 'file nir is not fetched: an address of files.example names a port',
      item: withAsset('nir', { href: 'https://files.example:99/B08.tif' }),
    },
    {
      fault: 'file nir is not fetched: an address holds a user or password',
      item: withAsset('nir', { href: 'https://u:p@files.example/B08.tif' }),
    },
    {
      fault: `file nir lies at ${'a'.repeat(100)} and`,
      item: withAsset('nir', { href: `${'a'.repeat(1_000)}:B08.tif` }),
    },
    { fault: 'file nir lies at file:', item: withAsset('nir', { href: 'file:///etc/passwd' }) },
    { fault: 'file nir is a JPEG 2000 file', item: withAsset('nir', { href: 'https://files.example/B08.jp2?a=b' }) },
    { fault: 'file nir is a JPEG 2000 file', item: withAsset('nir', { href: 'https://files.example/B08.j2k' }) },
    { fault: 'file nir is a JPEG 2000 file', item: withAsset('nir', { type: 'image/jp2' }) },
    { fault: 'file nir is a JPEG 2000 file', item: withAsset('nir', { type: 'image/jpx' }) },
    { fault: 'asset nir is malformed', item: withAsset('nir', { href: '' }) },
    { fault: 'no asset nir', item: anItem({ assets: { ...assetsOf(anItem()), nir: undefined } }) },
    { fault: 'asset red is malformed', item: withAsset('red', { href: 7 }) },
    { fault: 'no proj:shape', item: withAsset('red', { 'proj:shape': undefined }) },
    {
      fault: 'no north-up raster of 10 m',
      item: withAsset('red', { 'proj:transform': [20, 0, 300_000, 0, -20, 5_400_000] }),
    },
    {
      fault: 'no north-up raster of 10 m',
      item: withAsset('nir', { 'proj:transform': [10, 1, 300_000, 0, -10, 5_400_000] }),
    },
    {
      fault: 'no north-up raster of 20 m',
      item: withAsset('scl', { 'proj:transform': [10, 0, 300_000, 0, -10, 5_400_000] }),
    },
    { fault: 'different grids', item: withAsset('nir', { 'proj:transform': [10, 0, 300_010, 0, -10, 5_400_000] }) },
    { fault: 'different grids', item: withAsset('scl', { 'proj:shape': [5489, 5490] }) },
    { fault: 'no UTM zone', item: anItem({}, { 'proj:epsg': 3857 }) },
    { fault: 'properties are malformed', item: anItem({}, { 's2:processing_baseline': 5 }) },
  ])('with $fault is unusable, and its place and time are known', ({ fault, item }) => {
    const scene = sceneOfItem('earth-search', JSON.parse(JSON.stringify(item)) as StacItem)!;
    expect(isUsable(scene)).toBe(false);
    expect(scene).toMatchObject({ id: item.id, takenAt: '2026-06-17T10:05:59.024Z', footprint: item.geometry });
    expect('fault' in scene && scene.fault).toContain(fault);
  });
});

test('an item that says that it is synthetic stays so', () => {
  const synthetic = sceneOfItem('earth-search', anItem({}, { 'fieldimagery:synthetic': true }));
  expect(synthetic).toMatchObject({ isSynthetic: true });
  expect(sceneOfItem('earth-search', anItem())).not.toHaveProperty('isSynthetic');
});

const SAMPLES = '../shared/data/imagery/stac';

/** The item as a catalogue publishes it that has turned its files into COGs. */
function withCogs(item: StacItem): StacItem {
  const cogs = Object.entries(item.assets as Assets).map(([name, asset]) => {
    const href = String(asset['href']).replace(/^\.\/(.*)\.jp2$/, 'https://files.example/$1.tif');
    return [name, href === asset['href'] ? asset : { ...asset, href, type: 'image/tiff' }];
  });
  return { ...item, assets: Object.fromEntries(cogs) as StacItem['assets'] };
}

(existsSync(SAMPLES) ? describe : describe.skip)('real items', () => {
  const read = (name: string): unknown => {
    const file = readdirSync(SAMPLES).find((candidate) => candidate.includes(name))!;
    return JSON.parse(readFileSync(`${SAMPLES}/${file}`, 'utf8'));
  };

  test.each<{ name: string; catalogue: Catalogue; expected: object }>([
    {
      name: 'earthsearch_v1_item_S2A_39QTA_20230628',
      catalogue: 'earth-search',
      expected: {
        tile: '39QTA',
        datatake: 'GS2A_20230628T070631_041859',
        // The trap: the item shows an offset of −0.1 that was removed.
        offset: { offsetDn: 0, basis: 'catalogue' },
        grid: { epsg: 32639, originX: 199_980, originY: 2_100_000 },
      },
    },
    {
      name: 'earthsearch_v1_item_S2A_39QUA',
      catalogue: 'earth-search',
      expected: { tile: '39QUA', datatake: 'GS2A_20230628T070631_041859', grid: { originX: 300_000 } },
    },
    {
      name: 'pc_S2B',
      catalogue: 'planetary-computer',
      expected: { tile: '06VVN', baseline: '02.12', offset: { offsetDn: 0, basis: 'baseline' }, grid: { epsg: 32606 } },
    },
    {
      name: 'stactools_c1',
      catalogue: 'earth-search',
      expected: { tile: '60CWS', baseline: '05.10', grid: { epsg: 32760, originX: 499_980 } },
    },
  ])('$name is read', ({ name, catalogue, expected }) => {
    const item = read(name);
    expect(isValid(StacItem, item)).toBe(true);
    expect(sceneOfItem(catalogue, withCogs(item as StacItem))).toMatchObject(expected);
  });

  test('one whose files are JPEG 2000 beside it is unusable', () => {
    expect(sceneOfItem('earth-search', read('stactools_c1') as StacItem)).toMatchObject({
      fault: 'the address of its file scl is relative, and the item has no address of its own',
    });
  });
});
