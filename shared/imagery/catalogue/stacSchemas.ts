import { Type, type Static, type TSchema } from 'typebox';
import type { Position } from '../../geo/geoJson.js';
import { isValid } from '../../validation/validator.js';
import { instantOf } from './instant.js';

/** The parts of a STAC search that the service reads; anything else a catalogue adds is let through unread. */

/** Two numbers, or three where a catalogue gives a height; the service reads the first two. */
const position = Type.Unsafe<Position>(
  Type.Array(Type.Number({ minimum: -360, maximum: 360 }), { minItems: 2, maxItems: 4 }),
);
const ring = Type.Array(position, { minItems: 4, maxItems: 20_000 });
const rings = Type.Array(ring, { minItems: 1, maxItems: 1_000 });
const text = Type.String({ maxLength: 2_000 });
/** A member that may be there; null says as much as its absence. */
const told = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const numbers = Type.Array(Type.Number(), { minItems: 2, maxItems: 9 });

/** Outline of a scene. */
export const Footprint = Type.Union([
  Type.Object({ type: Type.Literal('Polygon'), coordinates: rings }),
  Type.Object({ type: Type.Literal('MultiPolygon'), coordinates: Type.Array(rings, { minItems: 1, maxItems: 100 }) }),
]);

/** A number, or one that JSON has no digits for: `nan`, `inf`, `-inf`. */
const nodata = told(Type.Union([Type.Number(), text]));
/** What is said of the numbers of a band since STAC 1.1, in `bands` or beside the address. */
const bandNumbers = { nodata, 'raster:scale': told(Type.Number()), 'raster:offset': told(Type.Number()) };

/** One file of a scene. */
export const StacAsset = Type.Object({
  href: Type.String({ minLength: 1, maxLength: 2_000 }),
  type: told(text),
  'proj:epsg': told(Type.Integer()),
  'proj:code': told(text),
  'proj:shape': Type.Optional(numbers),
  'proj:transform': Type.Optional(numbers),
  /** Before STAC 1.1. */
  'raster:bands': told(
    Type.Array(Type.Object({ nodata, scale: told(Type.Number()), offset: told(Type.Number()) }), { maxItems: 50 }),
  ),
  bands: told(Type.Array(Type.Object(bandNumbers), { maxItems: 50 })),
  ...bandNumbers,
});
export type StacAsset = Static<typeof StacAsset>;

/** Properties that say how a scene was made. */
export const SceneProperties = Type.Object({
  platform: told(text),
  'eo:cloud_cover': told(Type.Number()),
  'proj:epsg': told(Type.Integer()),
  'proj:code': told(text),
  'grid:code': told(text),
  's2:mgrs_tile': told(text),
  's2:nodata_pixel_percentage': told(Type.Number()),
  's2:processing_baseline': told(text),
  's2:generation_time': told(text),
  's2:datatake_id': told(text),
  's2:datastrip_id': told(text),
  updated: told(text),
  'earthsearch:boa_offset_applied': told(Type.Boolean()),
  'fieldimagery:synthetic': told(Type.Boolean()),
});
export type SceneProperties = Static<typeof SceneProperties>;

/** When a catalogue put an item in and changed it last, where it says so. */
export const ItemTimes = Type.Object({
  created: Type.Optional(Type.Unknown()),
  updated: Type.Optional(Type.Unknown()),
});

/** A feature as a catalogue answers it. */
const id = Type.String({ minLength: 1, maxLength: 500 });
const AnsweredFeature = Type.Object({
  id,
  collection: told(text),
  properties: Type.Object({ datetime: Type.Optional(Type.Unknown()), start_datetime: Type.Optional(Type.Unknown()) }),
});

/** A feature that says which item of which time it is. */
const feature = {
  id,
  collection: Type.Optional(text),
  properties: Type.Object({ datetime: Type.String({ format: 'date-time' }) }),
};
export const FoundFeature = Type.Object(feature);
export type FoundFeature = Static<typeof FoundFeature>;

/**
 * A feature of an answer with its instant as `instantOf` writes it: that of the beginning where it has an interval alone, as
 * STAC has it. Undefined for what is no feature, or of no time.
 */
export function foundFeature(value: unknown): FoundFeature | undefined {
  if (!isValid(AnsweredFeature, value)) return undefined;
  const { collection, ...more } = value;
  const { datetime: told, start_datetime: start } = value.properties;
  const datetime = instantOf(told ?? start);
  if (datetime === undefined) return undefined;
  const named = collection === undefined || collection === null ? {} : { collection };
  return { ...more, ...named, properties: { ...value.properties, datetime } };
}

/** A feature that says what it shows. */
export const OutlinedFeature = Type.Object({ ...feature, geometry: Footprint });
export type OutlinedFeature = Static<typeof OutlinedFeature>;

/** A feature that can be read further. */
export const StacItem = Type.Object({
  ...feature,
  geometry: Footprint,
  // Most of them are needed for nothing; whichever is, is looked at by itself.
  assets: Type.Record(Type.String(), Type.Unknown()),
  links: told(Type.Array(Type.Unknown(), { maxItems: 1_000 })),
});
export type StacItem = Static<typeof StacItem>;

/** The address of an item itself. */
export const SelfLink = Type.Object({
  rel: Type.Literal('self'),
  href: Type.String({ pattern: '^https?://', maxLength: 2_000 }),
});

/** A link to the next page. */
export const PageLink = Type.Object({
  rel: Type.Literal('next'),
  href: text,
  method: told(text),
  body: told(Type.Record(Type.String(), Type.Unknown())),
  merge: told(Type.Boolean()),
  headers: told(Type.Record(Type.String(), Type.String({ maxLength: 2_000 }))),
});
export type PageLink = Static<typeof PageLink>;

/** One page of a search. */
export const SearchPage = Type.Object({
  type: Type.Literal('FeatureCollection'),
  /** Looked at one by one: an odd one must not hide the others. */
  features: Type.Array(Type.Unknown(), { maxItems: 10_000 }),
  /** The one to the next page alone is looked at. */
  links: told(Type.Array(Type.Unknown(), { maxItems: 1_000 })),
  numberMatched: told(Type.Integer()),
  numberReturned: told(Type.Integer()),
});
export type SearchPage = Static<typeof SearchPage>;
