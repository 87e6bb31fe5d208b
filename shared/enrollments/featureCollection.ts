import type { FaultDetail } from '../errors/fault.js';
import { MAX_FAULTS, nameOf } from '../validation/validator.js';
import { fieldIdFault, foldedFieldId } from './fieldId.js';
import { mistakenCollection, mistakenFieldId, mistakenGeometry, shown } from './mistakenFeatures.js';
import { coordinatesFault, POSITION_LEVELS } from './submittedCoordinates.js';
import type { SubmittedFeature, SubmittedFeatures, TextMember } from './submittedFeatures.js';

type Loc = readonly (string | number)[];

/** Names of the coordinate reference system every GeoJSON has (RFC 7946, section 4), as older writers put it in. */
const WGS84 = /^(urn:ogc:def:crs:(OGC:(1\.3)?:CRS84|EPSG:[\d.]*:4326)|EPSG:4326|CRS:84|OGC:CRS84)$/i;

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
export function featureCollectionFaults(submitted: SubmittedFeatures, fieldLimit: number): FaultDetail[] {
  const faults = new Faults();
  if (submitted.type !== 'FeatureCollection') {
    const text = `must be FeatureCollection; ${mistakenCollection(submitted)}`;
    faults.add(['geojson', 'type'], text, 'not_feature_collection');
    return faults.found;
  }
  checkCrs(submitted.crs, faults);
  const { featureCount } = submitted;
  if (featureCount === 0) {
    faults.add(['geojson', 'features'], 'must be an array of at least one feature', 'no_features');
  } else if (featureCount > fieldLimit) {
    const text = `has ${featureCount} features; at most ${fieldLimit} are allowed, so split the enrollment`;
    faults.add(['geojson', 'features'], text, 'too_many_fields');
  } else {
    checkFeatures(submitted, faults);
  }
  return faults.found;
}

function checkCrs(crs: TextMember, faults: Faults): void {
  if (crs === undefined || (crs !== null && WGS84.test(crs))) return;
  const found = crs === null ? 'has no name' : `is ${shown(crs)}`;
  const text = `${found}; it must be absent or name CRS84 or EPSG:4326, so convert the file to WGS 84`;
  faults.add(['geojson', 'crs'], text, 'crs');
}

function checkFeatures({ bytes, features }: SubmittedFeatures, faults: Faults): void {
  const seen = new Map<string, number>();
  for (const [index, feature] of features.entries()) {
    if (faults.isFull) return;
    const loc: Loc = ['geojson', 'features', index];
    if (feature?.type !== 'Feature') {
      const found = typeof feature?.type === 'string' ? `; it is ${shown(feature.type)}` : '';
      faults.add(loc, `must be a Feature${found}`, 'not_feature');
      continue;
    }
    checkFieldId(feature, { bytes, loc, index, seen, faults });
    checkGeometry(feature, { bytes, loc: [...loc, 'geometry'], faults });
  }
}

interface FeaturePlace {
  readonly bytes: Uint8Array;
  readonly loc: Loc;
  readonly index: number;
  /** Where each folded id was met first. */
  readonly seen: Map<string, number>;
  readonly faults: Faults;
}

function checkFieldId(feature: SubmittedFeature, { bytes, loc: parent, index, seen, faults }: FeaturePlace): void {
  const { fieldId } = feature;
  const loc = [...parent, 'properties', 'field_id'];
  if (typeof fieldId !== 'string') {
    faults.add(loc, mistakenFieldId(bytes, feature), fieldId === undefined ? 'required' : 'type');
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

function checkGeometry(
  feature: SubmittedFeature,
  { bytes, loc, faults }: { readonly bytes: Uint8Array; readonly loc: Loc; readonly faults: Faults },
): void {
  const { geometry } = feature;
  const levels = POSITION_LEVELS.get(geometry?.type ?? '');
  if (geometry === undefined) {
    faults.add(loc, `is ${mistakenGeometry(bytes, feature)}; give it a Polygon or MultiPolygon`, 'geometry_type');
    return;
  }
  if (levels === undefined) {
    const found = typeof geometry.type === 'string' ? `; it is ${shown(geometry.type)}` : '';
    faults.add([...loc, 'type'], `must be Polygon or MultiPolygon${found}`, 'geometry_type');
    return;
  }
  const path = coordinatesFault({ bytes, coordinatesAt: geometry.coordinatesAt }, levels);
  if (path === undefined) return;
  const text = 'must be an array of positions, each two to four finite numbers, longitude first';
  faults.add([...loc, 'coordinates', ...path], text, 'coordinates');
}
