import type { FaultDetail } from '../../kit/errors/fault.js';
import { locationText, MAX_FAULTS } from '../../kit/validation/validator.js';
import { groupFault, MOST_GROUP_UNITS } from '../record/fieldGroup.js';
import { fieldIdFault, foldedFieldId } from './fieldId.js';
import { mistakenCollection, mistakenFieldId, mistakenGeometry, shown } from './mistakenFeatures.js';
import { coordinatesFault, POSITION_LEVELS } from './submittedCoordinates.js';
import type { TextMember } from '../../kit/json/jsonMembers.js';
import type { SubmittedFeature, SubmittedFeatures } from './submittedFeatures.js';

type Loc = readonly (string | number)[];

/** WGS 84 as OGC names it, longitude first, also with heights; and as EPSG does. */
const CRS84 = 'CRS:?84h?';
const EPSG = '4326';
/**
 * Names of WGS 84, the coordinate reference system of all GeoJSON (RFC 7946, section 4), as older writers name it: short, by
 * URN (also that before OGC had a name space) and by address.
 *
 * @see OGC 09-048r5, Name type specification, sections 7 and 8
 */
const WGS84 = new RegExp(
  [
    `^(?:(?:OGC:)?${CRS84}|EPSG:${EPSG})$`,
    `^urn:(?:x-)?ogc:def:crs:(?:OGC:(?:[\\d.]*:)?${CRS84}|EPSG:(?:[\\d.]*:)?${EPSG})$`,
    `^https?://www\\.opengis\\.net/(?:def/crs/(?:OGC/[\\d.]+/${CRS84}|EPSG/[\\d.]+/${EPSG})|gml/srs/epsg\\.xml#${EPSG})$`,
  ].join('|'),
  'i',
);

const faultAt = (loc: Loc, text: string, type: string): FaultDetail => ({
  loc,
  msg: `${locationText(loc)} ${text}`,
  type,
});

/**
 * The faults that make a whole submission unusable: it is no feature collection, has too many fields, or a field has no
 * valid id or no polygon. A polygon that is no sound field fails that field only and is not checked here.
 *
 * @returns at most 100 faults, in the order of the features
 */
export function featureCollectionFaults(submitted: SubmittedFeatures, fieldLimit: number): FaultDetail[] {
  if (submitted.type !== 'FeatureCollection') {
    const text = `must be FeatureCollection; ${mistakenCollection(submitted)}`;
    return [faultAt(['geojson', 'type'], text, 'not_feature_collection')];
  }
  return [...crsFaults(submitted.crs), ...featuresFaults(submitted, fieldLimit)].slice(0, MAX_FAULTS);
}

/** Whether the `crs` member of a collection is absent or names WGS 84. */
export const isWgs84 = (crs: TextMember): boolean => crs === undefined || (crs !== null && WGS84.test(crs));

function crsFaults(crs: TextMember): FaultDetail[] {
  if (isWgs84(crs)) return [];
  const found = typeof crs === 'string' ? `is ${shown(crs)}` : 'has no name';
  const text = `${found}; it must be absent or name CRS84 or EPSG:4326, so convert the file to WGS 84`;
  return [faultAt(['geojson', 'crs'], text, 'crs')];
}

function featuresFaults({ bytes, features, featureCount }: SubmittedFeatures, fieldLimit: number): FaultDetail[] {
  const parent = ['geojson', 'features'];
  if (featureCount === 0) return [faultAt(parent, 'must be an array of at least one feature', 'no_features')];
  if (featureCount > fieldLimit) {
    const text = `has ${featureCount} features; at most ${fieldLimit} are allowed, so split the enrollment`;
    return [faultAt(parent, text, 'too_many_fields')];
  }
  const faults: FaultDetail[] = [];
  const seen = new Map<string, number>();
  for (const [index, feature] of features.entries()) {
    if (faults.length >= MAX_FAULTS) break;
    const loc: Loc = [...parent, index];
    if (feature?.type === 'Feature') {
      faults.push(
        ...fieldIdFaults(feature, { bytes, loc, index, seen }),
        ...groupFaults(feature, loc),
        ...geometryFaults(feature, { bytes, loc }),
      );
    } else {
      const found = typeof feature?.type === 'string' ? `; it is ${shown(feature.type)}` : '';
      faults.push(faultAt(loc, `must be a Feature${found}`, 'not_feature'));
    }
  }
  return faults;
}

/** The bytes of the submission, and the location of a feature in its faults. */
interface FeaturePlace {
  readonly bytes: Uint8Array;
  readonly loc: Loc;
}

/** @param place `seen` is the first feature with each folded id */
function fieldIdFaults(
  feature: SubmittedFeature,
  place: FeaturePlace & { readonly index: number; readonly seen: Map<string, number> },
): FaultDetail[] {
  const { fieldId } = feature;
  const { bytes, index, seen } = place;
  const loc = [...place.loc, 'properties', 'field_id'];
  if (typeof fieldId !== 'string') {
    return [faultAt(loc, mistakenFieldId(bytes, feature), fieldId === undefined ? 'required' : 'type')];
  }
  const fault = fieldIdFault(fieldId);
  const faults = fault === undefined ? [] : [faultAt(loc, fault, 'field_id')];
  const folded = foldedFieldId(fieldId);
  const first = seen.get(folded);
  if (first === undefined) seen.set(folded, index);
  else faults.push(faultAt(loc, `is the field_id of feature ${first} too, apart from letter case`, 'duplicate'));
  return faults;
}

function groupFaults({ group }: SubmittedFeature, parent: Loc): FaultDetail[] {
  const loc = [...parent, 'properties', 'group'];
  if (group === undefined) return [];
  if (group === null) {
    const text = `must be a string of at most ${MOST_GROUP_UNITS} characters or null; put a number in quotes`;
    return [faultAt(loc, text, 'type')];
  }
  const fault = groupFault(group);
  return fault === undefined ? [] : [faultAt(loc, fault, 'group')];
}

function geometryFaults(feature: SubmittedFeature, place: FeaturePlace): FaultDetail[] {
  const { geometry } = feature;
  const { bytes } = place;
  const loc = [...place.loc, 'geometry'];
  if (geometry === undefined) {
    const text = `is ${mistakenGeometry(bytes, feature)}; give it a Polygon or MultiPolygon`;
    return [faultAt(loc, text, 'geometry_type')];
  }
  const levels = POSITION_LEVELS.get(geometry.type ?? '');
  if (levels === undefined) {
    const found = typeof geometry.type === 'string' ? `; it is ${shown(geometry.type)}` : '';
    return [faultAt([...loc, 'type'], `must be Polygon or MultiPolygon${found}`, 'geometry_type')];
  }
  const path = coordinatesFault({ bytes, coordinatesAt: geometry.coordinatesAt }, levels);
  if (path === undefined) return [];
  const text = 'must be an array of positions, each two to four finite numbers, longitude first';
  return [faultAt([...loc, 'coordinates', ...path], text, 'coordinates')];
}
