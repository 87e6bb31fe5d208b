import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { isJsonObject } from '../../kit/json/json.js';
import { fieldGeometry } from '../wire/fieldGeometry.js';
import type { Extent, Geometry, LandKind, PackedShape } from '../land/land.js';
import { packedShape } from '../land/packedShape.js';
import { invalidRequest, type WireObject } from '../wire/resourceRules.js';
import { idOfGeometry, importedId, type ImportedId } from './fieldIds.js';
import type { ImportError, ImportOptions } from './importJob.js';

/** A resource of a file, checked by itself and not yet against what is stored. */
export interface PreparedLand {
  readonly index: number;
  readonly kind: LandKind;
  readonly partyId: string;
  readonly id: string;
  /** What the file says of it beside its geometry, as the body of a write; there null takes away what is there. */
  readonly body: WireObject;
  readonly packed?: PackedShape;
  /** What its geometry spans. */
  readonly extent?: Extent;
  /** Its file does not name it: its id is that of the field on the same land, if there is one. */
  readonly isUnnamed?: true;
  readonly fault?: undefined;
}

/** A resource that can't be written, or is written once it was held against what is stored. */
export type Prepared = PreparedLand | { readonly index: number; readonly fault: Omit<ImportError, 'index'> };

/** Which properties of a feature say what, and whose field it is. */
export type FeatureRules = Pick<ImportOptions, 'farmId' | 'idProperty' | 'nameProperty'> & {
  readonly partyId: string;
};

/** Members of the answers of `fields.geojson` that say nothing of the field itself. */
const OURS = new Set(['field_id', 'party_id', 'farm_id', 'enrollable', 'not_enrollable']);
/** Properties that usually hold the name, whatever their case. */
const NAMES = ['name', 'field_name', 'fieldname', 'field', 'title', 'label'];
/** One less than a resource may have: the id of the file is one. */
const MOST_KEPT = 24;
const MOST_KEY = 50;
const MOST_VALUE = 150;

/** A feature as a field. What is wrong with it is its own fault alone. */
export function preparedFeature(feature: unknown, index: number, rules: FeatureRules): Prepared {
  return caught(index, () => {
    if (!isJsonObject(feature) || feature['type'] !== 'Feature') throw invalidRequest('This is no Feature.');
    const properties = isJsonObject(feature['properties']) ? feature['properties'] : {};
    const { geometry, extent } = soundArea(feature['geometry']);
    const id = idOf(feature, properties, { ...rules, geometry });
    const unnamed = id.isUnnamed === undefined ? {} : { isUnnamed: id.isUnnamed };
    return {
      ...{ index, kind: 'field', partyId: rules.partyId, ...unnamed },
      ...{ packed: packedShape(geometry), extent },
      ...fieldOf(properties, id, rules),
    };
  });
}

/** What came of reading one resource: itself, or its fault. */
export function caught(index: number, read: () => Prepared): Prepared {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) {
      return { index, fault: { code: error.fault.code, message: error.message } };
    }
    const message = 'The resource cannot be read; check the form of its geometry.';
    return { index, fault: { code: farmFaults.invalidRequest.code, message } };
  }
}

function soundArea(geometry: unknown): { readonly geometry: Geometry; readonly extent: Extent } {
  if (isJsonObject(geometry)) return fieldGeometry({ type: geometry['type'], coordinates: geometry['coordinates'] });
  throw invalidRequest('The feature has no geometry.');
}

function idOf(
  feature: WireObject,
  properties: WireObject,
  { partyId, idProperty, geometry }: FeatureRules & { readonly geometry: Geometry },
): ImportedId {
  const named = idProperty === undefined ? undefined : properties[idProperty];
  const found = [named, properties['field_id'], feature['id']].map(textOf).find((text) => text !== undefined);
  if (found === undefined) return idOfGeometry(partyId, geometry);
  if (found.length <= MOST_VALUE) return importedId(partyId, found);
  throw invalidRequest(`The id has ${found.length} characters; at most ${MOST_VALUE} are taken.`);
}

/** A text or number that says something. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

function fieldOf(
  properties: WireObject,
  { id, sourceId }: ImportedId,
  { farmId, idProperty, nameProperty }: FeatureRules,
): Pick<PreparedLand, 'id' | 'body'> {
  const nameKey = nameProperty ?? usualName(properties);
  const name = nameKey === undefined ? undefined : textOf(properties[nameKey]);
  const isKept = (key: string): boolean => key !== nameKey && key !== idProperty && !OURS.has(key);
  const kept = keptProperties(Object.entries(properties).filter(([key]) => isKept(key)));
  const own = { ...kept, ...(sourceId === undefined ? {} : { sourceId }) };
  return {
    id,
    body: {
      ...(name === undefined ? {} : { name }),
      ...(farmId === undefined ? {} : { farmId }),
      ...(Object.keys(own).length === 0 ? {} : { properties: own }),
    },
  };
}

function usualName(properties: WireObject): string | undefined {
  const named = Object.keys(properties).filter(
    (key) => key.length <= MOST_KEY && NAMES.includes(key.toLowerCase()) && textOf(properties[key]) !== undefined,
  );
  return NAMES.flatMap((name) => named.filter((key) => key.toLowerCase() === name))[0];
}

/** The first properties that a resource can have: texts and numbers, truth as a text; no longer ones. */
function keptProperties(
  properties: readonly (readonly [string, unknown])[],
): Readonly<Record<string, string | number>> {
  const fitting: [string, string | number][] = [];
  for (const [key, value] of properties) {
    if (fitting.length === MOST_KEPT) break;
    const kept = keptValue(value);
    if (kept !== undefined && key !== '' && key.length <= MOST_KEY) fitting.push([key, kept]);
  }
  return Object.fromEntries(fitting);
}

/** Undefined for what a resource does not keep. */
function keptValue(value: unknown): string | number | undefined {
  const kept = typeof value === 'boolean' ? String(value) : value;
  if (typeof kept === 'number') return Number.isFinite(kept) ? kept : undefined;
  return typeof kept === 'string' && kept !== '' && kept.length <= MOST_VALUE ? kept : undefined;
}
