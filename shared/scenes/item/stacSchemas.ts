import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { Position } from '../../geo/shapes/geoJson.js';
import { isValid } from '../../kit/validation/validator.js';
import { instantOf } from './instant.js';

/** The parts of a STAC search that the service reads; whatever else a catalogue sends is ignored. */

/** Longitude and latitude; a height that follows is ignored. */
const position = Type.Unsafe<Position>(
  Type.Array(Type.Number({ minimum: -360, maximum: 360 }), { minItems: 2, maxItems: 4 }),
);
const ring = Type.Array(position, { minItems: 4, maxItems: 20_000 });
const rings = Type.Array(ring, { minItems: 1, maxItems: 1_000 });
const text = Type.String({ maxLength: 2_000 });
/** An optional member; null is as good as absent. */
const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const numbers = Type.Array(Type.Number(), { minItems: 2, maxItems: 9 });

/** Outline of a scene. */
export const Footprint = Type.Union([
  Type.Object({ type: Type.Literal('Polygon'), coordinates: rings }),
  Type.Object({ type: Type.Literal('MultiPolygon'), coordinates: Type.Array(rings, { minItems: 1, maxItems: 100 }) }),
]);

/** A number, or a text such as `nan` or `inf`, for which JSON has no number. */
const nodata = optional(Type.Union([Type.Number(), text]));
/** Numbers of a band since STAC 1.1, in `bands` or in the asset itself. */
const bandNumbers = { nodata, 'raster:scale': optional(Type.Number()), 'raster:offset': optional(Type.Number()) };

/** One file of a scene. */
export const StacAsset = Type.Object({
  href: Type.String({ minLength: 1, maxLength: 2_000 }),
  type: optional(text),
  'proj:epsg': optional(Type.Integer()),
  'proj:code': optional(text),
  'proj:shape': Type.Optional(numbers),
  'proj:transform': Type.Optional(numbers),
  /** Before STAC 1.1. */
  'raster:bands': optional(
    Type.Array(Type.Object({ nodata, scale: optional(Type.Number()), offset: optional(Type.Number()) }), {
      maxItems: 50,
    }),
  ),
  bands: optional(Type.Array(Type.Object(bandNumbers), { maxItems: 50 })),
  ...bandNumbers,
});
export type StacAsset = Static<typeof StacAsset>;

/** Properties that say how a scene was made. */
export const SceneProperties = Type.Object({
  platform: optional(text),
  'eo:cloud_cover': optional(Type.Number()),
  'proj:epsg': optional(Type.Integer()),
  'proj:code': optional(text),
  'grid:code': optional(text),
  's2:mgrs_tile': optional(text),
  's2:nodata_pixel_percentage': optional(Type.Number()),
  's2:processing_baseline': optional(text),
  's2:generation_time': optional(text),
  's2:datatake_id': optional(text),
  's2:datastrip_id': optional(text),
  updated: optional(text),
  'earthsearch:boa_offset_applied': optional(Type.Boolean()),
  'fieldimagery:synthetic': optional(Type.Boolean()),
});
export type SceneProperties = Static<typeof SceneProperties>;

/** When a catalogue added an item and changed it last. */
export const ItemTimes = Type.Object({
  created: Type.Optional(Type.Unknown()),
  updated: Type.Optional(Type.Unknown()),
});

const id = Type.String({ minLength: 1, maxLength: 500 });

/** A feature as a catalogue answers it. */
const AnsweredFeature = Type.Object({
  id,
  collection: optional(text),
  properties: Type.Object({ datetime: Type.Optional(Type.Unknown()), start_datetime: Type.Optional(Type.Unknown()) }),
});

/** A feature whose id and time are known. */
const feature = {
  id,
  collection: Type.Optional(text),
  properties: Type.Object({ datetime: Type.String({ format: 'date-time' }) }),
};
export type FoundFeature = Static<TObject<typeof feature>>;

/**
 * A feature of an answer, with its instant as `instantOf` writes it; the beginning of an interval counts where there is no
 * `datetime`. Undefined for anything that is no feature or has no time.
 */
export function foundFeature(value: unknown): FoundFeature | undefined {
  if (!isValid(AnsweredFeature, value)) return undefined;
  const { collection, ...more } = value;
  const { datetime: single, start_datetime: start } = value.properties;
  const datetime = instantOf(single ?? start);
  if (datetime === undefined) return undefined;
  const named = collection === undefined || collection === null ? {} : { collection };
  return { ...more, ...named, properties: { ...value.properties, datetime } };
}

/** A feature with an outline. */
export const OutlinedFeature = Type.Object({ ...feature, geometry: Footprint });
export type OutlinedFeature = Static<typeof OutlinedFeature>;

/** A feature that may describe a scene. */
export const StacItem = Type.Object({
  ...feature,
  geometry: Footprint,
  // Each asset that is needed is checked by itself.
  assets: Type.Record(Type.String(), Type.Unknown()),
  links: optional(Type.Array(Type.Unknown(), { maxItems: 1_000 })),
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
  method: optional(text),
  body: optional(Type.Record(Type.String(), Type.Unknown())),
  merge: optional(Type.Boolean()),
  headers: optional(Type.Record(Type.String(), Type.String({ maxLength: 2_000 }))),
});
export type PageLink = Static<typeof PageLink>;

/** One page of a search. */
export const SearchPage = Type.Object({
  type: Type.Literal('FeatureCollection'),
  /** Checked one by one: a malformed feature must not hide the others. */
  features: Type.Array(Type.Unknown(), { maxItems: 10_000 }),
  /** Only the link to the next page is read. */
  links: optional(Type.Array(Type.Unknown(), { maxItems: 1_000 })),
  numberMatched: optional(Type.Integer()),
  numberReturned: optional(Type.Integer()),
});
export type SearchPage = Static<typeof SearchPage>;
