import { boxPolygon } from '../../imagery/builders.js';

/** A made item or page, as JSON. */
export type MadeAnswer = Readonly<Record<string, unknown>>;

const COG = 'image/tiff; application=geotiff; profile=cloud-optimized';
const BOX = boxPolygon([1.1, 2.2, 3.3, 4.4]);

/** Files of a catalogue: their keys, STAC names and pixel sizes. */
const FILES = [
  { key: 'red', band: 'B04', metres: 10 },
  { key: 'green', band: 'B03', metres: 10 },
  { key: 'blue', band: 'B02', metres: 10 },
  { key: 'nir', band: 'B08', metres: 10 },
  { key: 'scl', band: 'SCL', metres: 20 },
] as const;

const assetOf = (href: string, metres: number, more: object = {}): object => ({
  href,
  type: COG,
  'proj:shape': [109_800 / metres, 109_800 / metres],
  'proj:transform': [metres, 0, 600_000, 0, -metres, 4_800_000],
  ...more,
});

const bands = (name: string, common: string): object => ({
  'eo:bands': [{ name, common_name: common, center_wavelength: 0.5, full_width_half_max: 0.05 }],
});

const raster = (metres: number): object => ({
  'raster:bands': [
    metres === 20
      ? { nodata: 0, data_type: 'uint8', spatial_resolution: metres }
      : { nodata: 0, data_type: 'uint16', spatial_resolution: metres, scale: 0.0001, offset: -0.1 },
  ],
});

const link = (rel: string, href: string, more: object = {}): object => ({
  rel,
  type: 'application/json',
  href,
  ...more,
});

interface Changes {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly assets?: Readonly<Record<string, unknown>>;
}

/** JSON has no undefined: a member that is undefined is absent. */
const asJson = (value: object): MadeAnswer => JSON.parse(JSON.stringify(value)) as MadeAnswer;

/** An item as Earth Search v1 writes them. */
function earthSearch(collection: string, id: string, { properties = {}, assets = {} }: Changes = {}): MadeAnswer {
  const own = FILES.map(({ key, band, metres }): [string, object] => [
    key,
    assetOf(`https://files.example/${id}/${band}.tif`, metres, {
      ...(key === 'scl' ? {} : bands(band, key)),
      ...raster(metres),
    }),
  ]);
  return asJson({
    type: 'Feature',
    stac_version: '1.0.0',
    id,
    collection,
    geometry: BOX,
    links: [
      link('self', `https://catalogue.example/v1/collections/${collection}/items/${id}`),
      { rel: 'thumbnail', href: `https://catalogue.example/v1/collections/${collection}/items/${id}/thumbnail` },
    ],
    properties: {
      datetime: '2031-03-04T10:11:12.345000Z',
      platform: 'sentinel-2b',
      'eo:cloud_cover': 12.345,
      'proj:epsg': 32745,
      'grid:code': 'MGRS-45HXX',
      's2:nodata_pixel_percentage': 1.5,
      's2:processing_baseline': '05.99',
      's2:generation_time': '2031-03-04T12:13:14.000000Z',
      's2:datatake_id': 'GS2B_20310304T101112_099999_N05.99',
      's2:datastrip_id': 'S2B_OPER_MSI_L2A_DS_2BPS_20310304T121314_S20310304T101015_N05.99',
      updated: '2031-03-04T13:14:15.161Z',
      'earthsearch:boa_offset_applied': true,
      ...properties,
    },
    assets: { ...Object.fromEntries(own), ...assets },
  });
}

/** An item as the Planetary Computer writes them. */
function planetaryComputer(id: string, { properties = {}, assets = {} }: Changes = {}): MadeAnswer {
  const own = FILES.map(({ key, band, metres }): [string, object] => [
    band,
    assetOf(`https://files.example/${id}/${band}.tif`, metres, key === 'scl' ? {} : bands(band, key)),
  ]);
  const { 'proj:epsg': epsg, ...plain } = {
    datetime: '2031-03-04T10:11:12.024000Z',
    platform: 'Sentinel-2A',
    'proj:epsg': 32645,
    'eo:cloud_cover': 0.5,
    's2:mgrs_tile': '45SXX',
    's2:nodata_pixel_percentage': 3e-6,
    's2:processing_baseline': '02.99',
    's2:generation_time': '2031-10-07T21:22:23.456Z',
    's2:datatake_id': 'GS2A_20310304T101112_099998_N02.99',
    's2:datastrip_id': 'S2A_OPER_MSI_L2A_DS_ESRI_20311007T212223_S20310304T101015_N02.99',
    ...properties,
  };
  return asJson({
    id,
    type: 'Feature',
    stac_version: '1.0.0',
    collection: 'sentinel-2-l2a',
    geometry: BOX,
    links: [
      link('self', `https://planetary.example/api/stac/v1/collections/sentinel-2-l2a/items/${id}`),
      { rel: 'license', href: 'https://planetary.example/licence' },
    ],
    properties: { ...plain, 'proj:epsg': epsg },
    assets: { ...Object.fromEntries(own), ...assets },
  });
}

const noGrid = { href: 'https://files.example/cut-down/B04.tif', type: COG };
const jp2 = (band: string, metres = 10): object => assetOf(`s3://made-up/${band}.jp2`, metres, { type: 'image/jp2' });

/** Items of Earth Search and why they look as they do; `fault` is the reason of those that can't be used. */
export const earthSearchItems: readonly { readonly why: string; readonly fault?: string; readonly item: MadeAnswer }[] =
  [
    {
      why: 'the offset was removed, and the bands still show it',
      item: earthSearch('sentinel-2-l2a', 'S2B_45HXX_20310304_0_L2A'),
    },
    {
      why: 'of an old baseline, with its offset not spoken of, and whole percents',
      item: earthSearch('sentinel-2-l2a', 'S2A_45HXX_20310305_0_L2A', {
        properties: {
          's2:processing_baseline': '02.99',
          'earthsearch:boa_offset_applied': false,
          's2:nodata_pixel_percentage': 0,
        },
      }),
    },
    {
      why: 'of the collection of 2024, whose members say what is',
      item: earthSearch('sentinel-2-c1-l2a', 'S2B_T45HXX_20310304T101015_L2A', {
        properties: { 'earthsearch:boa_offset_applied': undefined },
      }),
    },
    {
      why: 'without anything of Sentinel-2’s own',
      item: earthSearch('sentinel-2-l2a', 'S2B_45HXX_20310306_0_L2A', {
        properties: Object.fromEntries(
          [
            's2:nodata_pixel_percentage',
            's2:processing_baseline',
            's2:generation_time',
            's2:datatake_id',
            's2:datastrip_id',
            'earthsearch:boa_offset_applied',
          ].map((name) => [name, undefined]),
        ),
      }),
    },
    {
      why: 'with a projection by code, as newer extensions write it',
      item: earthSearch('sentinel-2-c1-l2a', 'S2C_T45HXX_20310307T101015_L2A', {
        properties: { 'proj:epsg': null, 'proj:code': 'EPSG:32745', 'eo:cloud_cover': null },
      }),
    },
    {
      why: 'cut down to three files without a grid',
      fault: 'it has no asset scl',
      item: asJson({
        ...earthSearch('sentinel-2-l2a', 'S2A_45HXX_20310308_0_L2A', {
          properties: { 'proj:epsg': undefined, 'grid:code': undefined, updated: undefined },
          assets: { red: noGrid, green: undefined, nir: undefined, scl: undefined, blue: noGrid },
        }),
        links: undefined,
        stac_version: undefined,
      }),
    },
    {
      why: 'of the product before correction, which has no classification',
      fault: 'it has no asset scl',
      item: earthSearch('sentinel-2-l1c', 'S2B_45HXX_20310304_0_L1C', {
        properties: { 'earthsearch:boa_offset_applied': undefined },
        assets: { red: jp2('B04'), green: jp2('B03'), blue: jp2('B02'), nir: jp2('B08'), scl: undefined },
      }),
    },
    {
      why: 'with nulls for what it doesn’t know',
      item: earthSearch('sentinel-2-c1-l2a', 'S2C_T45HXX_20310313T101015_L2A', {
        properties: { platform: null, 's2:datastrip_id': null, 's2:datatake_id': null },
      }),
    },
    {
      why: 'of another tile by its code, which is of another zone',
      item: earthSearch('sentinel-2-l2a', 'S2B_45HXX_20310314_0_L2A', { properties: { 'grid:code': 'MGRS-19QHA' } }),
    },
    {
      why: 'with its numbers told as STAC 1.1 has it',
      item: earthSearch('sentinel-2-c1-l2a', 'S2C_T45HXX_20310315T101015_L2A', {
        assets: Object.fromEntries(
          FILES.filter(({ key }) => key !== 'scl').map(({ key, band, metres }) => [
            key,
            assetOf(`https://files.example/1.1/${band}.tif`, metres, {
              nodata: 0,
              'raster:scale': 0.0001,
              'raster:offset': -0.1,
            }),
          ]),
        ),
      }),
    },
    {
      why: 'of an interval',
      item: earthSearch('sentinel-2-l2a', 'S2B_45HXX_20310316_0_L2A', {
        properties: { datetime: null, start_datetime: '2031-03-16T10:11:12Z', end_datetime: '2031-03-16T10:11:28Z' },
      }),
    },
    {
      why: 'of a static catalogue, with files beside it and a link to nowhere',
      fault: 'the address of its file scl is relative, and the item has no address of its own',
      item: {
        ...earthSearch('sentinel-2-l2a', 'S2B_45HXX_20310317_0_L2A', {
          assets: Object.fromEntries(
            FILES.map(({ key, band, metres }) => [key, assetOf(`${band}.tif`, metres, raster(metres))]),
          ),
        }),
        links: [link('canonical', 's3://made-up/item.json'), link('root', '../../catalog.json')],
      },
    },
    {
      why: 'of a pipeline, with JPEG 2000 in a bucket and properties under another prefix',
      fault: 'its file scl lies at s3: and not at https:',
      item: earthSearch('sentinel-2-l2a', 'S2B_45HXX_20310318_0_L2A', {
        properties: { 'sentinel2:processing_baseline': '04.99', 's2:processing_baseline': undefined },
        assets: Object.fromEntries(FILES.map(({ key, band, metres }) => [key, jp2(band, metres)])),
      }),
    },
    {
      why: 'whose bands name different offsets',
      fault: 'its bands have different offsets',
      item: earthSearch('sentinel-2-c1-l2a', 'S2C_T45HXX_20310319T101015_L2A', {
        assets: {
          nir: assetOf('https://files.example/other/B08.tif', 10, { 'raster:bands': [{ scale: 0.0001, offset: 0 }] }),
        },
      }),
    },
    {
      why: 'of no projection',
      fault: 'its projection is no UTM zone',
      item: earthSearch('sentinel-2-l2a', 'S2B_45HXX_20310309_0_L2A', { properties: { 'proj:epsg': undefined } }),
    },
    {
      why: 'turned, as no north-up raster is',
      fault: 'an asset is no north-up raster of 10 m',
      item: earthSearch('sentinel-2-l2a', 'S2B_45HXX_20310310_0_L2A', {
        assets: { nir: assetOf('https://files.example/turned.tif', 10, { 'proj:transform': [10, 1, 0, 0, -10, 0] }) },
      }),
    },
    {
      why: 'without an outline',
      fault: 'its outline or its list of files is malformed',
      // Of a tile that there is: what has no outline has that of its tile.
      item: {
        ...earthSearch('sentinel-2-l2a', 'S2B_45HWC_20310311_0_L2A', { properties: { 'grid:code': 'MGRS-45HWC' } }),
        geometry: null,
      },
    },
    {
      why: 'with a number for a text',
      fault: 'its properties are malformed',
      item: earthSearch('sentinel-2-l2a', 'S2B_45HXX_20310312_0_L2A', { properties: { platform: 2 } }),
    },
  ];

/** The same for the Planetary Computer. */
export const planetaryComputerItems: typeof earthSearchItems = [
  { why: 'of an old baseline', item: planetaryComputer('S2A_MSIL2A_20310304T101112_R001_T45SXX_20311007T212223') },
  {
    why: 'of a new baseline: its pixels carry the offset',
    item: planetaryComputer('S2B_MSIL2A_20310305T101112_R001_T45SXX_20310305T121314', {
      properties: { 's2:processing_baseline': '05.99' },
    }),
  },
  {
    why: 'edited as an example: bands by the raster extension, no tile, no baseline, no time of making',
    item: planetaryComputer('S2A_MSIL2A_20310306T101112_R001_T45SXX_20310306T121314', {
      properties: {
        's2:mgrs_tile': undefined,
        's2:processing_baseline': undefined,
        's2:generation_time': undefined,
      },
      assets: Object.fromEntries(
        FILES.map(({ key, band, metres }) => [
          band,
          assetOf(`https://files.example/edited/${band}.tif`, metres, {
            ...(key === 'scl' ? {} : bands(band, key)),
            'raster:bands': [{ nodata: 0, data_type: 'uint16' }],
          }),
        ]),
      ),
    }),
  },
  {
    why: 'without a file',
    fault: 'it has no asset nir',
    item: planetaryComputer('S2A_MSIL2A_20310307T101112_R001_T45SXX_20310307T121314', { assets: { B08: undefined } }),
  },
];

const featuresOf = (items: typeof earthSearchItems): readonly MadeAnswer[] => items.map(({ item }) => item);
const page = (features: readonly MadeAnswer[], links: readonly object[], more: object = {}): MadeAnswer =>
  asJson({ type: 'FeatureCollection', features, links, ...more });

const SEARCH = 'https://catalogue.example/v1/search';

/** Pages of a search: what leads on from them, and what they count. */
export const pages: readonly { readonly why: string; readonly catalogue: string; readonly page: MadeAnswer }[] = [
  {
    why: 'the next one is asked for by a body of its own',
    catalogue: 'earth-search',
    page: page(
      featuresOf(earthSearchItems).slice(0, 2),
      [
        link('next', SEARCH, { title: 'Next page', method: 'POST', merge: false, body: { next: 'made-up,mark' } }),
        link('root', 'https://catalogue.example/v1'),
      ],
      { stac_version: '1.0.0', context: { limit: 2, matched: 2, returned: 2 }, numberMatched: 2, numberReturned: 2 },
    ),
  },
  {
    why: 'it counts more scenes than come',
    catalogue: 'earth-search',
    page: page(featuresOf(earthSearchItems).slice(0, 2), [], { numberMatched: 7_000, numberReturned: 2 }),
  },
  {
    why: 'a collection of items, no more',
    catalogue: 'earth-search',
    page: page(featuresOf(earthSearchItems).slice(0, 3), [], { numberReturned: 3 }),
  },
  {
    why: 'the next one is asked for by its address',
    catalogue: 'planetary-computer',
    page: page(featuresOf(planetaryComputerItems).slice(0, 1), [
      link('self', SEARCH),
      link('next', 'https://catalogue.example/v1/items?token=next:made-up', { method: 'GET' }),
    ]),
  },
  {
    why: 'it knows the one before and the one after',
    catalogue: 'planetary-computer',
    page: page(featuresOf(planetaryComputerItems).slice(1, 2), [
      link('next', SEARCH, { method: 'POST', body: { collections: ['sentinel-2-l2a'], limit: 1, token: 'next:b' } }),
      link('previous', SEARCH, {
        method: 'POST',
        body: { collections: ['sentinel-2-l2a'], limit: 1, token: 'prev:a' },
      }),
    ]),
  },
  {
    why: 'the next one lies on another host',
    catalogue: 'planetary-computer',
    page: page(featuresOf(planetaryComputerItems).slice(0, 1), [link('next', 'https://elsewhere.example/v1/search')]),
  },
  {
    why: 'it is a document of faults',
    catalogue: 'planetary-computer',
    page: { code: 'RateLimited', detail: 'later' },
  },
];
