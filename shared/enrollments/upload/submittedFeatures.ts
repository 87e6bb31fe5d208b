import { place, readMember, readMembers, textAt, type TextMember } from '../../kit/json/jsonMembers.js';
import { NULL, OPEN_ARRAY, type JsonScanner } from '../../kit/json/jsonScanner.js';

/** The members of a geometry that the service reads. */
export interface SubmittedGeometry {
  readonly type: TextMember;
  /** Index of the first byte of its coordinates, whatever they are. */
  readonly coordinatesAt: number | undefined;
  /** Index of the byte behind them; 0 without any. */
  readonly coordinatesEnd: number;
}

/** The members of a feature that the service reads. */
export interface SubmittedFeature {
  readonly type: TextMember;
  readonly fieldId: TextMember;
  /** Empty for null as well. */
  readonly group: TextMember;
  /** Undefined when it is no object. */
  readonly geometry: SubmittedGeometry | undefined;
  /** Index of its first byte, from which other members are read when the feature is faulty. */
  readonly at: number;
}

/** The members of a feature collection that the service reads; no other values are built. */
export interface SubmittedFeatures {
  /** The bytes that `coordinatesAt` counts in. */
  readonly bytes: Uint8Array;
  readonly type: TextMember;
  /** Index of the first byte of the whole. */
  readonly at: number;
  /** Name of the coordinate reference system; null when it has one without a name, undefined when it has none. */
  readonly crs: TextMember;
  /** The features up to the limit; undefined for one that is no object. */
  readonly features: readonly (SubmittedFeature | undefined)[];
  /** Number of features; 0 when they are no array. */
  readonly featureCount: number;
}

function readGeometry(scanner: JsonScanner): SubmittedGeometry | undefined {
  const found: { type?: number; coordinates?: number } = {};
  let coordinatesEnd = 0;
  const isObject = readMembers(scanner, ['type', 'coordinates'], (name) => {
    found[name] = place(scanner);
    if (name === 'coordinates') coordinatesEnd = scanner.at;
  });
  return isObject ? { type: textAt(scanner, found.type), coordinatesAt: found.coordinates, coordinatesEnd } : undefined;
}

function readFeature(scanner: JsonScanner): SubmittedFeature | undefined {
  let type: number | undefined;
  let properties: { readonly field_id?: number; readonly group?: number } = {};
  let geometry: SubmittedGeometry | undefined;
  scanner.peek();
  const { at } = scanner;
  const isObject = readMembers(scanner, ['type', 'properties', 'geometry'], (name) => {
    if (name === 'type') type = place(scanner);
    else if (name === 'properties') properties = readProperties(scanner);
    else geometry = readGeometry(scanner);
  });
  if (!isObject) return undefined;
  const { field_id: fieldId, group } = properties;
  return {
    type: textAt(scanner, type),
    fieldId: textAt(scanner, fieldId),
    group: group !== undefined && scanner.bytes[group] === NULL ? '' : textAt(scanner, group),
    geometry,
    at,
  };
}

function readProperties(scanner: JsonScanner): { readonly field_id?: number; readonly group?: number } {
  const found: { field_id?: number; group?: number } = {};
  readMembers(scanner, ['field_id', 'group'], (name) => {
    found[name] = place(scanner);
  });
  return found;
}

/** Name of a `crs` member; one that is null is none. */
export function readCrs(scanner: JsonScanner): TextMember {
  const isNull = scanner.peek() === NULL;
  let name: number | undefined;
  readMembers(scanner, ['properties'], () => {
    name = readMember(scanner, 'name');
  });
  return isNull ? undefined : (textAt(scanner, name) ?? null);
}

type Listed = Pick<SubmittedFeatures, 'features' | 'featureCount'>;

function readFeatures(scanner: JsonScanner, limit: number): Listed {
  if (scanner.peek() !== OPEN_ARRAY) {
    scanner.skipValue();
    return { features: [], featureCount: 0 };
  }
  const features: (SubmittedFeature | undefined)[] = [];
  let featureCount = 0;
  for (let more = scanner.enterArray(); more; more = scanner.hasMoreItems()) {
    featureCount += 1;
    if (featureCount > limit) scanner.skipValue();
    else features.push(readFeature(scanner));
  }
  return { features, featureCount };
}

/**
 * Reads a feature collection without building more of it than `SubmittedFeatures` names.
 *
 * @param limit features that are kept; others are counted
 */
export function readSubmittedFeatures(scanner: JsonScanner, limit: number): SubmittedFeatures {
  let type: number | undefined;
  let crs: TextMember;
  let listed: Listed = { features: [], featureCount: 0 };
  scanner.peek();
  const { at } = scanner;
  readMembers(scanner, ['type', 'crs', 'features'], (name) => {
    if (name === 'type') type = place(scanner);
    else if (name === 'crs') crs = readCrs(scanner);
    else listed = readFeatures(scanner, limit);
  });
  return { bytes: scanner.bytes, at, type: textAt(scanner, type), crs, ...listed };
}
