/** Descriptions of faulty input, for messages. Read from the bytes again, and only for a faulty submission. */
import { JsonScanner, NULL, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../../kit/json/jsonScanner.js';
import { place, readMembers } from '../../kit/json/jsonMembers.js';
import type { SubmittedFeature, SubmittedFeatures } from './submittedFeatures.js';
import { unbounded } from '../../kit/json/structureBudget.js';

/** Most characters of the input that a message repeats. */
const MAX_SHOWN = 64;
/** Longer names are not taken for a misspelt `field_id`. */
const MAX_NAME_BYTES = 24;

const geometryTypes = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'];

/** A text of the input for a message: cut off, and without invisible characters. */
export function shown(text: string): string {
  const part = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return part.replaceAll(/\p{C}/gu, '?');
}

/** What came in place of a feature collection: the end of a sentence. */
export function mistakenCollection({ bytes, at, type }: Pick<SubmittedFeatures, 'bytes' | 'at' | 'type'>): string {
  if (bytes[at] === OPEN_ARRAY) return 'this is an array: put its features into one FeatureCollection';
  if (bytes[at] !== OPEN_OBJECT) return 'this is no object';
  if (type === undefined) return isEsri(bytes, at) ? ESRI : 'it is missing';
  if (type === null) return 'it is no text';
  if (type === 'Feature') return 'this is a single Feature: put it into the features of a FeatureCollection';
  if (type === 'GeometryCollection' || geometryTypes.includes(type)) {
    return `this is a geometry (${type}): make a Feature with a field_id of it, in a FeatureCollection`;
  }
  return type === 'Topology' ? 'this is TopoJSON: convert it to GeoJSON' : `it is ${shown(type)}`;
}

const ESRI = 'this looks like Esri JSON: export it as GeoJSON (f=geojson), in WGS 84';
const esriNames = ['geometryType', 'spatialReference', 'rings', 'attributes', 'displayFieldName', 'fieldAliases'];

function isEsri(bytes: Uint8Array, at: number): boolean {
  let isOne = false;
  const scanner = scannerAt(bytes, at);
  readMembers(scanner, esriNames, () => {
    isOne = true;
    scanner.skipValue();
  });
  return isOne;
}

/** What came in place of a field_id: the end of a sentence. */
export function mistakenFieldId(bytes: Uint8Array, { at, fieldId }: SubmittedFeature): string {
  if (fieldId === null)
    return isNumberedField(bytes, at) ? 'must be a string: put the number in quotes' : 'must be a string';
  const { alike, hasId } = namesOf(bytes, at);
  if (alike !== undefined) return `is missing: rename ${shown(alike)} to field_id`;
  return hasId ? 'is missing: the id of the feature does not count, write it into properties.field_id' : 'is missing';
}

function isNumberedField(bytes: Uint8Array, at: number): boolean {
  let isNumber = false;
  const scanner = scannerAt(bytes, at);
  readMembers(scanner, ['properties'], () => {
    readMembers(scanner, ['field_id'], () => {
      isNumber = scanner.isAtNumber();
      scanner.skipValue();
    });
  });
  return isNumber;
}

/** The first property that looks like a field_id, and whether the feature has an id of its own. */
function namesOf(bytes: Uint8Array, at: number): { readonly alike: string | undefined; readonly hasId: boolean } {
  let alike: string | undefined;
  let hasId = false;
  const scanner = scannerAt(bytes, at);
  readMembers(scanner, ['id', 'properties'], (name) => {
    if (name === 'properties') alike = alikeIn(scanner) ?? alike;
    else {
      hasId = true;
      scanner.skipValue();
    }
  });
  return { alike, hasId };
}

function alikeIn(scanner: JsonScanner): string | undefined {
  const start = place(scanner);
  if (scanner.bytes[start] !== OPEN_OBJECT) return undefined;
  const inner = scannerAt(scanner.bytes, start);
  let alike: string | undefined;
  for (let more = inner.enterObject(); more; more = inner.hasMoreMembers()) {
    const nameAt = inner.readName();
    alike ??= alikeName(inner, nameAt);
    inner.skipValue();
  }
  return alike;
}

/** `FIELD_ID`, `fieldId`, `Field ID`, `field-id`, and a property that is just called `id`. */
function alikeName(scanner: JsonScanner, nameAt: number): string | undefined {
  if (scanner.bytes.indexOf(QUOTE, nameAt + 1) - nameAt > MAX_NAME_BYTES) return undefined;
  const name = scanner.textAt(nameAt);
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return plain === 'fieldid' || plain === 'id' ? name : undefined;
}

/** What came in place of the geometry of a feature: the end of a sentence. */
export function mistakenGeometry(bytes: Uint8Array, { at }: SubmittedFeature): string {
  let found = 'missing';
  const scanner = scannerAt(bytes, at);
  readMembers(scanner, ['geometry'], () => {
    found = bytes[place(scanner)] === NULL ? 'null' : 'no object';
  });
  return found;
}

const scannerAt = (bytes: Uint8Array, at: number): JsonScanner => new JsonScanner(bytes, unbounded, at);
