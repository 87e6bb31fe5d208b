import type { MultiPolygon, Polygon, Position } from '../../../shared/geo/shapes/geoJson.js';
import type { HandedField } from '../handOver.js';
import { FIELD_ID, GROUP, likelyProperty, namesBy, textIn, textProperties, type NamedFeature } from './fieldNames.js';

/** A feature of a file as far as it can be shown; whether it is sound is for the service to say. */
export interface ReadFeature extends NamedFeature {
  /** Undefined when it has none. */
  readonly group: string | undefined;
  /** Undefined when nothing of it can be drawn, or too many are. */
  readonly geometry: Polygon | MultiPolygon | undefined;
}

/** By which properties of a file its fields are named and grouped. */
export interface FieldsBy {
  readonly nameBy: string;
  /** Undefined when the file says nothing of groups. */
  readonly groupBy: string | undefined;
}

/** What a file holds. */
interface ReadFeatures extends FieldsBy {
  readonly features: readonly ReadFeature[];
  readonly count: number;
  /** Properties that may be the name or the group; none where there is nothing to choose. */
  readonly properties: readonly string[];
  /** Whether each feature has its name and group, letter by letter, where the service reads them. */
  readonly isAsNamed: boolean;
  /** What of the file is not among them. */
  readonly note?: string | undefined;
  readonly fault?: undefined;
}

/** What a file holds, or why it can't be read at all. */
export type ReadFile = ReadFeatures | { readonly fault: string };

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

function propertiesOf(feature: unknown): Json {
  const properties = isObject(feature) ? feature['properties'] : undefined;
  return isObject(properties) ? properties : {};
}

/** A group as it is sent: a field without one is taken out of its group, unless the file says nothing of groups. */
const sentGroup = (feature: unknown, groupBy: string | undefined): string | null | undefined =>
  groupBy === undefined ? undefined : (textIn(feature, groupBy) ?? null);

/** A likely name; groups only where they stand where the service reads them. */
const likelyBy = (properties: readonly string[]): FieldsBy => ({
  nameBy: likelyProperty(properties),
  groupBy: properties.find((property) => property === GROUP),
});

/** Reads a parsed file for the list and the map. @param by chosen properties; by default what they likely are */
export function readFeatures(value: unknown, by?: FieldsBy): ReadFeatures {
  const features = featuresOf(value);
  const properties = textProperties(features);
  const { nameBy, groupBy } = by ?? likelyBy(properties);
  const names = namesBy(features, nameBy);
  return {
    features: names.map((name, index) => ({
      ...name,
      group: groupBy === undefined ? undefined : textIn(features[index], groupBy),
      geometry: index < MOST_DRAWN ? shapeOf(features[index]) : undefined,
    })),
    count: features.length,
    properties,
    nameBy,
    groupBy,
    isAsNamed: features.every((feature, index) => {
      const { [FIELD_ID]: fieldId, [GROUP]: group } = propertiesOf(feature);
      return fieldId === names[index]?.fieldId && group === sentGroup(feature, groupBy);
    }),
  };
}

/** A collection with fields behind its own, each under its name and in its group. @param groupBy where groups stand */
export function joinedFields(value: unknown, fields: readonly HandedField[], groupBy = GROUP): object {
  const joined = fields.map(({ fieldId, group, geometry }) => ({
    type: 'Feature',
    properties: { [FIELD_ID]: fieldId, [groupBy]: group },
    geometry,
  }));
  return { ...(value as object), features: [...featuresOf(value), ...joined] };
}

/** Which features are sent, and how they are called. */
export interface PickedFeatures extends FieldsBy {
  /** Indices of the features. */
  readonly kept: readonly number[];
  /** Names that were typed, by the index of their feature. */
  readonly typed: ReadonlyMap<number, string>;
}

/** The same collection with some of its features alone, each under its name and in its group. */
export function withFeatures(value: unknown, { kept, nameBy, groupBy, typed }: PickedFeatures): string {
  const features = featuresOf(value);
  const names = namesBy(features, nameBy);
  const picked = kept.map((index) => {
    const feature = features[index];
    if (!isObject(feature)) return feature;
    const fieldId = typed.get(index) ?? names[index]?.fieldId;
    const own = { [FIELD_ID]: fieldId, [GROUP]: sentGroup(feature, groupBy) };
    return { ...feature, properties: { ...propertiesOf(feature), ...own } };
  });
  return JSON.stringify({ ...(value as object), features: picked });
}
