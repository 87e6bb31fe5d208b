import type { FaultDetail } from '../errors/fault.js';
import { MAX_FAULTS, nameOf } from '../validation/validator.js';
import { fieldIdFault, foldedFieldId } from './fieldId.js';

type Loc = readonly (string | number)[];
type Json = Readonly<Record<string, unknown>>;

/** Names of the coordinate reference system every GeoJSON has (RFC 7946, section 4), as older writers put it in. */
const WGS84 = /^(urn:ogc:def:crs:(OGC:(1\.3)?:CRS84|EPSG:[\d.]*:4326)|EPSG:4326|CRS:84|OGC:CRS84)$/i;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Gathers faults until there are as many as an answer names. */
class Faults {
  readonly found: FaultDetail[] = [];

  get isFull(): boolean {
    return this.found.length >= MAX_FAULTS;
  }

  add(loc: Loc, text: string, type: string): void {
    if (!this.isFull) this.found.push({ loc, msg: `${nameOf(loc)} ${text}`, type });
  }
}

/**
 * What makes a whole submission unusable: it is no feature collection, has too many fields, or a field has no valid
 * id or no polygon. Whether a polygon is a sound field is not asked here: that fails the field, not the submission.
 *
 * @returns at most 100 faults, in the order of the features
 */
export function featureCollectionFaults(value: unknown, fieldLimit: number): FaultDetail[] {
  const faults = new Faults();
  if (!isRecord(value) || value['type'] !== 'FeatureCollection') {
    faults.add(['geojson', 'type'], 'must be FeatureCollection', 'not_feature_collection');
    return faults.found;
  }
  checkCrs(value['crs'], faults);
  const features = value['features'];
  if (!Array.isArray(features) || features.length === 0) {
    faults.add(['geojson', 'features'], 'must be an array of at least one feature', 'no_features');
  } else if (features.length > fieldLimit) {
    const text = `has ${features.length} features; at most ${fieldLimit} are allowed, so split the enrollment`;
    faults.add(['geojson', 'features'], text, 'too_many_fields');
  } else {
    checkFeatures(features, faults);
  }
  return faults.found;
}

/** The ids of the features of a collection without faults, in order. */
export const featuresOf = (value: unknown): readonly { readonly fieldId: string; readonly geometry: Json }[] =>
  (value as { readonly features: readonly { readonly properties: Json; readonly geometry: Json }[] }).features.map(
    ({ properties, geometry }) => ({ fieldId: properties['field_id'] as string, geometry }),
  );

function checkCrs(crs: unknown, faults: Faults): void {
  if (crs === undefined || crs === null) return;
  const properties = isRecord(crs) ? crs['properties'] : undefined;
  const name = isRecord(properties) ? properties['name'] : undefined;
  if (typeof name === 'string' && WGS84.test(name)) return;
  faults.add(['geojson', 'crs'], 'must be absent or name CRS84 or EPSG:4326; convert the file to WGS 84', 'crs');
}

function checkFeatures(features: readonly unknown[], faults: Faults): void {
  const seen = new Map<string, number>();
  for (const [index, feature] of features.entries()) {
    if (faults.isFull) return;
    const loc: Loc = ['geojson', 'features', index];
    if (!isRecord(feature) || feature['type'] !== 'Feature') {
      faults.add(loc, 'must be a Feature', 'not_feature');
      continue;
    }
    checkFieldId(feature['properties'], { loc, index, seen, faults });
    checkGeometry(feature['geometry'], [...loc, 'geometry'], faults);
  }
}

interface FeaturePlace {
  readonly loc: Loc;
  readonly index: number;
  /** Where each folded id was met first. */
  readonly seen: Map<string, number>;
  readonly faults: Faults;
}

function checkFieldId(properties: unknown, { loc: parent, index, seen, faults }: FeaturePlace): void {
  const loc = [...parent, 'properties', 'field_id'];
  const fieldId = isRecord(properties) ? properties['field_id'] : undefined;
  if (fieldId === undefined) {
    faults.add(loc, 'is missing', 'required');
    return;
  }
  if (typeof fieldId !== 'string') {
    faults.add(loc, 'must be a string', 'type');
    return;
  }
  const fault = fieldIdFault(fieldId);
  if (fault !== undefined) faults.add(loc, fault, 'field_id');
  const folded = foldedFieldId(fieldId);
  const first = seen.get(folded);
  if (first !== undefined)
    faults.add(loc, `is the field_id of feature ${first} too, apart from letter case`, 'duplicate');
  else seen.set(folded, index);
}

/** Levels of arrays around a position. */
const LEVELS: Readonly<Record<string, number>> = { Polygon: 2, MultiPolygon: 3 };

function checkGeometry(geometry: unknown, loc: Loc, faults: Faults): void {
  const type = isRecord(geometry) ? geometry['type'] : undefined;
  const levels = typeof type === 'string' && Object.hasOwn(LEVELS, type) ? LEVELS[type] : undefined;
  if (!isRecord(geometry) || levels === undefined) {
    faults.add([...loc, 'type'], 'must be Polygon or MultiPolygon', 'geometry_type');
    return;
  }
  const path = badCoordinates(geometry['coordinates'], levels);
  if (path === undefined) return;
  const text = 'must be an array of positions, each two to four finite numbers, longitude first';
  faults.add([...loc, 'coordinates', ...path], text, 'coordinates');
}

/** Indexes to the first thing that is neither an array where one belongs nor a position; undefined when all is well. */
function badCoordinates(value: unknown, levels: number): number[] | undefined {
  if (levels === 0) return isPosition(value) ? undefined : [];
  if (!Array.isArray(value)) return [];
  for (let index = 0; index < value.length; index += 1) {
    const path = badCoordinates(value[index], levels - 1);
    if (path !== undefined) return [index, ...path];
  }
  return undefined;
}

function isPosition(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 2 || value.length > 4) return false;
  for (const number of value as unknown[]) if (!Number.isFinite(number)) return false;
  return true;
}
