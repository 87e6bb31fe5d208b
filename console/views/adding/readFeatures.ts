import type { MultiPolygon, Polygon, Position } from '../../../shared/geo/geoJson.js';
import type { HandedField } from '../handOver.js';
import { FIELD_ID, likelyProperty, nameProperties, namesBy, type NamedFeature } from './fieldNames.js';

/** A feature of a file as far as it can be shown; whether it is sound is for the service to say. */
export interface ReadFeature extends NamedFeature {
  /** Undefined when nothing of it can be drawn, or too many are. */
  readonly geometry: Polygon | MultiPolygon | undefined;
}

/** What a file holds, or why it can't be read at all. */
export type ReadFile =
  | {
      readonly features: readonly ReadFeature[];
      readonly count: number;
      /** Properties that may be the name, and the one that is. */
      readonly properties: readonly string[];
      readonly nameBy: string;
      /** Whether each feature has its name, letter by letter, where the service reads it. */
      readonly isAsNamed: boolean;
      /** What of the file is not among them. */
      readonly note?: string | undefined;
      readonly fault?: undefined;
    }
  | { readonly fault: string };

/** Fields that the map draws: more would only make the page slow. */
const MOST_DRAWN = 2_000;
/** Positions drawn of one field: a boundary needs far fewer. */
const MOST_POSITIONS = 20_000;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function positionOf(value: unknown): Position | undefined {
  if (!Array.isArray(value)) return undefined;
  const [longitude, latitude] = value as readonly unknown[];
  const isPlace = typeof longitude === 'number' && typeof latitude === 'number' && Math.abs(latitude) <= 90;
  return isPlace ? [longitude, latitude] : undefined;
}

/** The rings of a polygon that can be drawn. */
function ringsOf(value: unknown): Polygon['coordinates'] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[])
    .map((ring) => (Array.isArray(ring) ? (ring as readonly unknown[]).slice(0, MOST_POSITIONS) : []))
    .map((ring) => ring.map(positionOf).filter((position) => position !== undefined))
    .filter((ring) => ring.length > 1);
}

function geometryOf(value: unknown): ReadFeature['geometry'] {
  if (!isObject(value)) return undefined;
  if (value['type'] === 'Polygon') {
    const coordinates = ringsOf(value['coordinates']);
    return coordinates.length === 0 ? undefined : { type: 'Polygon', coordinates };
  }
  if (value['type'] !== 'MultiPolygon' || !Array.isArray(value['coordinates'])) return undefined;
  const coordinates = (value['coordinates'] as readonly unknown[]).map(ringsOf).filter(({ length }) => length > 0);
  return coordinates.length === 0 ? undefined : { type: 'MultiPolygon', coordinates };
}

const shapeOf = (value: unknown): ReadFeature['geometry'] =>
  isObject(value) ? geometryOf(value['geometry']) : undefined;

/** The features of a collection that was parsed; none when it is something else, which the service then says. */
export function featuresOf(value: unknown): readonly unknown[] {
  const features = isObject(value) ? value['features'] : undefined;
  return Array.isArray(features) ? features : [];
}

/** What a feature has where the service reads its name. */
function fieldIdIn(feature: unknown): unknown {
  const properties = isObject(feature) ? feature['properties'] : undefined;
  return isObject(properties) ? properties[FIELD_ID] : undefined;
}

/** Reads a parsed file for the list and the map. @param nameBy the property that is the name; by default a likely one */
export function readFeatures(value: unknown, nameBy?: string): ReadFile {
  const features = featuresOf(value);
  const properties = nameProperties(features);
  const chosen = nameBy ?? likelyProperty(properties);
  const names = namesBy(features, chosen);
  return {
    features: names.map((name, index) => ({
      ...name,
      geometry: index < MOST_DRAWN ? shapeOf(features[index]) : undefined,
    })),
    count: features.length,
    properties,
    nameBy: chosen,
    isAsNamed: features.every((feature, index) => fieldIdIn(feature) === names[index]?.fieldId),
  };
}

/** A collection with fields behind its own; each has its name in all properties that may be the name. */
export function joinedFields(value: unknown, fields: readonly HandedField[]): object {
  const features = featuresOf(value);
  const names = [FIELD_ID, ...nameProperties(features)];
  const joined = fields.map(({ fieldId, geometry }) => ({
    type: 'Feature',
    properties: Object.fromEntries(names.map((name) => [name, fieldId])),
    geometry,
  }));
  return { ...(value as object), features: [...features, ...joined] };
}

/** Which features are sent, and how they are called. */
export interface PickedFeatures {
  /** Indices of the features. */
  readonly kept: readonly number[];
  readonly nameBy: string;
  /** Names that were typed, by the index of their feature. */
  readonly typed: ReadonlyMap<number, string>;
}

/** The same collection with some of its features alone, each under its name. */
export function withFeatures(value: unknown, { kept, nameBy, typed }: PickedFeatures): string {
  const features = featuresOf(value);
  const names = namesBy(features, nameBy);
  const picked = kept.map((index) => {
    const feature = features[index];
    if (!isObject(feature)) return feature;
    const properties = isObject(feature['properties']) ? feature['properties'] : {};
    return { ...feature, properties: { ...properties, [FIELD_ID]: typed.get(index) ?? names[index]?.fieldId } };
  });
  return JSON.stringify({ ...(value as object), features: picked });
}
