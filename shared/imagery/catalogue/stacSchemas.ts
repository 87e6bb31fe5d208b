import { Type, type Static } from 'typebox';
import type { Position } from '../../geo/geoJson.js';

/** The parts of a STAC search that the service reads; anything else a catalogue adds is let through unread. */

/** Two numbers, or three where a catalogue gives a height; the service reads the first two. */
const position = Type.Unsafe<Position>(
  Type.Array(Type.Number({ minimum: -360, maximum: 360 }), { minItems: 2, maxItems: 4 }),
);
const ring = Type.Array(position, { minItems: 4, maxItems: 20_000 });
const rings = Type.Array(ring, { minItems: 1, maxItems: 1_000 });
const text = Type.String({ maxLength: 2_000 });
const numbers = Type.Array(Type.Number(), { minItems: 2, maxItems: 9 });
const percent = Type.Union([Type.Number(), Type.Null()]);

/** Outline of a scene. */
export const Footprint = Type.Union([
  Type.Object({ type: Type.Literal('Polygon'), coordinates: rings }),
  Type.Object({ type: Type.Literal('MultiPolygon'), coordinates: Type.Array(rings, { minItems: 1, maxItems: 100 }) }),
]);

/** One file of a scene. */
export const StacAsset = Type.Object({
  href: text,
  type: Type.Optional(Type.Union([text, Type.Null()])),
  'eo:bands': Type.Optional(Type.Array(Type.Object({ common_name: Type.Optional(text) }), { maxItems: 50 })),
  'proj:epsg': Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  'proj:code': Type.Optional(Type.Union([text, Type.Null()])),
  'proj:shape': Type.Optional(numbers),
  'proj:transform': Type.Optional(numbers),
  'raster:bands': Type.Optional(
    Type.Array(Type.Object({ offset: Type.Optional(Type.Number()) }), { minItems: 1, maxItems: 50 }),
  ),
});
export type StacAsset = Static<typeof StacAsset>;

/** Properties that say how a scene was made. */
export const SceneProperties = Type.Object({
  platform: Type.Optional(text),
  'eo:cloud_cover': Type.Optional(percent),
  'proj:epsg': Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  'proj:code': Type.Optional(Type.Union([text, Type.Null()])),
  'grid:code': Type.Optional(text),
  's2:mgrs_tile': Type.Optional(text),
  's2:nodata_pixel_percentage': Type.Optional(percent),
  's2:processing_baseline': Type.Optional(text),
  's2:generation_time': Type.Optional(text),
  's2:datatake_id': Type.Optional(text),
  's2:datastrip_id': Type.Optional(text),
  updated: Type.Optional(text),
  'earthsearch:boa_offset_applied': Type.Optional(Type.Boolean()),
  'fieldimagery:synthetic': Type.Optional(Type.Boolean()),
});
export type SceneProperties = Static<typeof SceneProperties>;

/** When a catalogue put an item in and changed it last, where it says so. */
export const ItemTimes = Type.Object({ created: Type.Optional(text), updated: Type.Optional(text) });
export type ItemTimes = Static<typeof ItemTimes>;

/** What every feature of an answer must be for the answer to be one of a STAC search at all. */
const feature = {
  id: Type.String({ minLength: 1, maxLength: 500 }),
  collection: Type.Optional(text),
  properties: Type.Object({ datetime: Type.String({ format: 'date-time' }) }),
};
export const FoundFeature = Type.Object(feature);
export type FoundFeature = Static<typeof FoundFeature>;

/** A feature that says what it shows. */
export const OutlinedFeature = Type.Object({ ...feature, geometry: Footprint });
export type OutlinedFeature = Static<typeof OutlinedFeature>;

/** A feature that can be read further. */
export const StacItem = Type.Object({
  ...feature,
  geometry: Footprint,
  assets: Type.Record(Type.String(), Type.Object({})),
  links: Type.Optional(Type.Array(Type.Object({ rel: text, href: text }), { maxItems: 1_000 })),
});
export type StacItem = Static<typeof StacItem>;

/** A link to the next page. */
export const PageLink = Type.Object({
  rel: text,
  href: text,
  method: Type.Optional(text),
  body: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  merge: Type.Optional(Type.Boolean()),
  headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 2_000 }))),
});
export type PageLink = Static<typeof PageLink>;

/** One page of a search. */
export const SearchPage = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(FoundFeature, { maxItems: 10_000 }),
  links: Type.Optional(Type.Array(PageLink, { maxItems: 1_000 })),
  numberMatched: Type.Optional(Type.Integer()),
  numberReturned: Type.Optional(Type.Integer()),
});
export type SearchPage = Static<typeof SearchPage>;
