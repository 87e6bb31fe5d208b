import type { MultiPolygon, Polygon, Position } from '../../../shared/geo/geoJson.js';

/** A feature of a file as far as it can be shown; whether it is sound is for the service to say. */
export interface ReadFeature {
  readonly fieldId: string | undefined;
  /** Undefined when nothing of it can be drawn. */
  readonly geometry: Polygon | MultiPolygon | undefined;
}

/** What a file holds, or why it can't be read at all. */
export type ReadFile =
  | { readonly features: readonly ReadFeature[]; readonly count: number; readonly fault?: undefined }
  | { readonly fault: string };

/** The service takes no more unless agreed otherwise; more would only make the page slow. */
const MOST_SHOWN = 250;
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

function featureOf(value: unknown): ReadFeature {
  if (!isObject(value)) return { fieldId: undefined, geometry: undefined };
  const { properties, geometry } = value;
  const fieldId = isObject(properties) ? properties['field_id'] : undefined;
  return { fieldId: typeof fieldId === 'string' ? fieldId : undefined, geometry: geometryOf(geometry) };
}

/** The features of a collection that was parsed; none when it is something else, which the service then says. */
export function featuresOf(value: unknown): readonly unknown[] {
  const features = isObject(value) ? value['features'] : undefined;
  return Array.isArray(features) ? features : [];
}

/** Reads a parsed file for the list and the map. */
export function readFeatures(value: unknown): ReadFile {
  const features = featuresOf(value);
  return { features: features.slice(0, MOST_SHOWN).map(featureOf), count: features.length };
}

/** The same collection with some of its features alone. */
export const withFeatures = (value: unknown, kept: readonly number[]): string =>
  JSON.stringify({ ...(value as object), features: kept.map((index) => featuresOf(value)[index]) });
