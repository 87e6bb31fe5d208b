import type { ComparedArea } from '../../geo/shapes/intersects.js';
import { isSameKey, idKeyOf, type Land } from '../land/land.js';
import { invalidRequest } from './resourceRules.js';

/** Instants are milliseconds since 1970 UTC, both bounds included. */
export interface TimeFilter {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Which resources a caller wants to see: those that every filter lets pass. Of the values of one filter any may fit. */
export interface CommonFilters {
  readonly ids?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  /** `{key} eq {value}` */
  readonly propertyFilters?: readonly string[] | undefined;
  readonly created?: TimeFilter | undefined;
  readonly modified?: TimeFilter | undefined;
}

export interface LandFilters extends CommonFilters {
  /** Of fields. */
  readonly farmIds?: readonly string[] | undefined;
  /** Of fields: those that have a point in common with it. */
  readonly meets?: ComparedArea | undefined;
}

type Properties = Readonly<Record<string, string | number>>;
type Filtered = Pick<Land, 'id' | 'name' | 'status' | 'properties' | 'createdAt' | 'modifiedAt'>;

/** Whether a resource passes the filters that every kind has. @throws ServiceError 400 for a filter of another form */
export function commonFilter(filters: CommonFilters): (resource: Filtered) => boolean {
  const ids = filters.ids && new Set(filters.ids.map(idKeyOf));
  const hasProperty = filters.propertyFilters && propertyFilters(filters.propertyFilters);
  return (resource) =>
    (ids === undefined || ids.has(idKeyOf(resource.id))) &&
    isOneOf(resource.name, filters.names) &&
    isOneOf(resource.status, filters.statuses) &&
    (hasProperty === undefined || hasProperty(resource.properties ?? {})) &&
    isWithin(resource.createdAt, filters.created) &&
    isWithin(resource.modifiedAt, filters.modified);
}

/** Whether a party, farm or field passes; the geometry is judged elsewhere. @throws ServiceError 400 */
export function landFilter(filters: LandFilters): (land: Land) => boolean {
  const passes = commonFilter(filters);
  const { farmIds } = filters;
  return (land) =>
    passes(land) &&
    (farmIds === undefined || farmIds.some((id) => land.farmId !== undefined && isSameKey(id, land.farmId)));
}

const isOneOf = (value: string | undefined, wanted: readonly string[] | undefined): boolean =>
  wanted === undefined || (value !== undefined && wanted.includes(value));

/** Stored times are shown in whole seconds: whoever asks from a shown time on must see what was shown with it. */
export const isWithin = (at: number, { from = -Infinity, to = Infinity }: TimeFilter = {}): boolean => {
  const shown = Math.floor(at / 1000) * 1000;
  return shown >= Math.floor(from / 1000) * 1000 && shown <= to;
};

/** Of several texts one was written, and the others are what lies between its commas: these need not have the form. */
function propertyFilters(texts: readonly string[]): (properties: Properties) => boolean {
  const filters = texts.flatMap((text) => {
    const [, key, value] = /^(.{1,50}?) eq (.{1,150})$/s.exec(text) ?? [];
    return key === undefined ? [] : [{ key, value }];
  });
  if (filters.length === 0) throw invalidRequest('propertyFilters must have the form `{key} eq {value}`.');
  return (properties) =>
    filters.some(({ key, value }) => Object.hasOwn(properties, key) && String(properties[key]) === value);
}
