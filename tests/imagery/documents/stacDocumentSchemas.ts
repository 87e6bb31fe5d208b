/**
 * What a STAC 1.1 Item and Collection of ours must be: the rules of the specification and of the projection (1.2),
 * raster (2.0) and file (2.1) extensions as far as our documents go, written down again so that tests need no network.
 *
 * @see https://github.com/radiantearth/stac-spec/tree/v1.1.0
 */
const text = { type: 'string', minLength: 1 };
const provider = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: text,
    url: { type: 'string', pattern: '^https://' },
    roles: { type: 'array', items: { enum: ['licensor', 'producer', 'processor', 'host'] } },
  },
};
const instant = { type: 'string', format: 'date-time', pattern: '(Z|[+-]00:00)$' };
const numbers = (minItems: number, maxItems: number) => ({
  type: 'array',
  items: { type: 'number' },
  minItems,
  maxItems,
});

const link = {
  type: 'object',
  required: ['rel', 'href'],
  properties: { rel: text, href: { type: 'string', format: 'uri-reference' }, type: text, title: text },
};

const percentiles = {
  type: 'object',
  required: ['p2', 'p25', 'p50', 'p75', 'p98'],
  additionalProperties: { type: 'number' },
};

const band = {
  type: 'object',
  required: ['name', 'statistics', 'raster:histogram', 'fieldimagery:percentiles'],
  properties: {
    name: text,
    statistics: {
      type: 'object',
      required: ['minimum', 'maximum', 'mean', 'stddev', 'count'],
      properties: { stddev: { type: 'number', minimum: 0 }, count: { type: 'integer', minimum: 1 } },
      additionalProperties: { type: 'number' },
    },
    'raster:histogram': {
      type: 'object',
      required: ['count', 'min', 'max', 'buckets'],
      properties: {
        count: { const: 20 },
        buckets: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 20, maxItems: 20 },
      },
    },
    'raster:scale': { type: 'number' },
    'raster:offset': { type: 'number' },
    'fieldimagery:percentiles': percentiles,
  },
};

const asset = {
  type: 'object',
  required: [
    'href',
    'type',
    'title',
    'roles',
    'data_type',
    'nodata',
    'proj:code',
    'proj:epsg',
    'proj:shape',
    'proj:transform',
    'file:size',
    'file:checksum',
    'bands',
  ],
  properties: {
    href: { type: 'string', pattern: '^\\./(ndvi|vegetation|scouting|true-color)\\.tiff$' },
    type: { const: 'image/tiff; application=geotiff; profile=cloud-optimized' },
    title: text,
    roles: { type: 'array', items: { enum: ['data', 'visual'] }, minItems: 1 },
    data_type: { enum: ['uint8', 'float32'] },
    nodata: { type: 'number' },
    'proj:code': { type: 'string', pattern: '^EPSG:\\d{5}$' },
    'proj:epsg': { type: 'integer', minimum: 32_601, maximum: 32_760 },
    'proj:shape': { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 2, maxItems: 2 },
    'proj:transform': numbers(6, 9),
    'raster:spatial_resolution': { const: 10 },
    'file:size': { type: 'integer', minimum: 1 },
    // sha2-256 as a multihash: its code, its length, 32 bytes.
    'file:checksum': { type: 'string', pattern: '^1220[0-9a-f]{64}$' },
    bands: { type: 'array', items: band, minItems: 1, maxItems: 3 },
  },
};

const polygonCoordinates = {
  type: 'array',
  minItems: 1,
  items: { type: 'array', minItems: 4, items: numbers(2, 2) },
};

export const itemSchema = {
  type: 'object',
  required: [
    'type',
    'stac_version',
    'stac_extensions',
    'id',
    'collection',
    'geometry',
    'bbox',
    'properties',
    'links',
    'assets',
  ],
  properties: {
    type: { const: 'Feature' },
    stac_version: { const: '1.1.0' },
    stac_extensions: {
      type: 'array',
      uniqueItems: true,
      contains: { const: 'https://stac-extensions.github.io/projection/v1.2.0/schema.json' },
      items: { type: 'string', format: 'uri' },
    },
    id: text,
    collection: text,
    geometry: {
      type: 'object',
      required: ['type', 'coordinates'],
      oneOf: [
        { properties: { type: { const: 'Polygon' }, coordinates: polygonCoordinates } },
        {
          properties: {
            type: { const: 'MultiPolygon' },
            coordinates: { type: 'array', minItems: 1, items: polygonCoordinates },
          },
        },
      ],
    },
    bbox: numbers(4, 4),
    properties: {
      type: 'object',
      required: [
        'datetime',
        'fieldimagery:field_id',
        'fieldimagery:clear_percent',
        'fieldimagery:coverage_percent',
        'fieldimagery:scenes',
        'fieldimagery:boa_offset_dn',
        'fieldimagery:boa_offset_basis',
      ],
      properties: {
        datetime: instant,
        platform: text,
        constellation: { const: 'sentinel-2' },
        instruments: { type: 'array', items: text },
        providers: { type: 'array', items: provider, minItems: 1 },
        gsd: { const: 10 },
        'proj:code': { type: 'string', pattern: '^EPSG:\\d{5}$' },
        'fieldimagery:clear_percent': { type: 'number', minimum: 0, maximum: 100 },
        'fieldimagery:coverage_percent': { type: 'number', minimum: 0, maximum: 100 },
        'fieldimagery:scenes': { type: 'array', items: text, minItems: 1 },
        'fieldimagery:boa_offset_dn': { enum: [0, -1000] },
      },
      // Nothing of our own outside of our prefix.
      propertyNames: {
        pattern:
          '^(fieldimagery:|proj:|(title|description|datetime|platform|constellation|instruments|providers|gsd)$)',
      },
    },
    // An Item that names its collection must link it.
    links: { type: 'array', items: link, contains: { type: 'object', properties: { rel: { const: 'collection' } } } },
    assets: {
      type: 'object',
      minProperties: 1,
      propertyNames: { enum: ['ndvi', 'vegetation', 'scouting', 'true-color'] },
      additionalProperties: asset,
    },
  },
  additionalProperties: false,
};

const day = {
  type: 'object',
  required: ['date', 'outcome', 'reason', 'clear_percent', 'coverage_percent', 'layers', 'scenes'],
  properties: {
    date: { type: 'string', format: 'date' },
    outcome: { enum: ['done', 'cloud', 'coverage', 'no_data', 'failed', 'expired'] },
    reason: { type: ['string', 'null'] },
    clear_percent: { type: ['number', 'null'] },
    coverage_percent: { type: ['number', 'null'] },
    layers: { type: 'array', items: text },
    skipped: { type: 'object' },
    scenes: { type: 'array', items: text, minItems: 1 },
    statistics: {
      type: 'object',
      minProperties: 1,
      propertyNames: { enum: ['ndvi', 'vegetation'] },
      additionalProperties: {
        type: 'object',
        required: ['mean', 'p2', 'p50', 'p98'],
        propertyNames: { enum: ['mean', 'p2', 'p50', 'p98', 'clear_percent'] },
        additionalProperties: { type: 'number' },
      },
    },
  },
  additionalProperties: false,
};

export const collectionSchema = {
  type: 'object',
  required: ['type', 'stac_version', 'id', 'description', 'license', 'extent', 'links', 'fieldimagery:dates'],
  properties: {
    type: { const: 'Collection' },
    stac_version: { const: '1.1.0' },
    id: text,
    description: text,
    license: text,
    extent: {
      type: 'object',
      required: ['spatial', 'temporal'],
      properties: {
        spatial: {
          type: 'object',
          required: ['bbox'],
          properties: { bbox: { type: 'array', minItems: 1, items: numbers(4, 4) } },
        },
        temporal: {
          type: 'object',
          required: ['interval'],
          properties: {
            interval: {
              type: 'array',
              minItems: 1,
              items: { type: 'array', items: instant, minItems: 2, maxItems: 2 },
            },
          },
        },
      },
    },
    links: { type: 'array', items: link },
    'fieldimagery:field_id': text,
    'fieldimagery:dates': { type: 'array', minItems: 1, items: day },
  },
};
