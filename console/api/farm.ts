import type { MultiPolygon, Point, Polygon } from '../../shared/geo/shapes/geoJson.js';
import { callJson } from './client.js';
import { ApiError } from './errors.js';
import { pause } from './pause.js';

/** What every resource of farm data has, as far as the page shows it. */
interface Land {
  readonly id: string;
  readonly name?: string;
  readonly status?: string;
  readonly source?: string;
  readonly properties?: Readonly<Record<string, string | number>>;
  readonly modifiedDateTime: string;
}

/** A party: whose land it is. */
export type Party = Land;

/** A farm of a party. */
export interface Farm extends Land {
  readonly partyId: string;
}

/** A field; lists leave its geometry out. */
export interface FarmFieldRecord extends Land {
  readonly partyId: string;
  readonly farmId?: string;
  readonly geometry?: Point | Polygon | MultiPolygon;
}

/** What a solution has found out about a field. */
export interface FieldInsight extends Land {
  readonly insightStartDateTime: string;
  readonly insightEndDateTime: string;
  readonly measurements: Readonly<Record<string, { readonly unit?: string; readonly value: number }>>;
}

/** A list, as far as the page reads it. */
export interface Listed<T> {
  readonly items: readonly T[];
  /** True when there are more than the page takes. */
  readonly isCut: boolean;
}

const API_VERSION = '2023-11-01-preview';
/** The most that a page may have. */
const PAGE_ITEMS = '1000';
/** Lists are sorted by name here, so they are read whole: up to so many. */
const MOST_ITEMS = 5_000;
/** Fields that the map of a farm shows. */
export const MOST_OUTLINES = 250;

const pathOf = (...segments: readonly string[]): string => `/${segments.map(encodeURIComponent).join('/')}`;

const wire = (path: string, query: Readonly<Record<string, string>> = {}): string =>
  `${path}?${new URLSearchParams({ 'api-version': API_VERSION, ...query }).toString()}`;

interface WirePage<T> {
  readonly value: readonly T[];
  readonly skipToken?: string;
}

/**
 * A list of the wire, page by page. A page may be empty and have a successor. Its `nextLink` may name another address of
 * the service than the one this page comes from, so its `skipToken` is followed.
 */
async function listAll<T>(
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Listed<T>> {
  const items: T[] = [];
  let skipToken: string | undefined;
  do {
    const position = skipToken === undefined ? {} : { skipToken };
    const page: WirePage<T> = await callJson<WirePage<T>>({
      path: wire(path, { maxPageSize: PAGE_ITEMS, ...query, ...position }),
      as: 'token',
      signal,
    });
    items.push(...page.value);
    ({ skipToken } = page);
  } while (skipToken !== undefined && items.length < MOST_ITEMS);
  return { items, isCut: skipToken !== undefined };
}

/** What people read: the name, or the id of what has none. */
export const landName = ({ name, id }: { readonly name?: string; readonly id: string }): string =>
  name === undefined || name.trim() === '' ? id : name;

const byName = (one: { readonly name?: string; readonly id: string }, other: typeof one): number =>
  landName(one).localeCompare(landName(other), 'en', { numeric: true });

const sorted = <T extends { readonly name?: string; readonly id: string }>({ items, isCut }: Listed<T>): Listed<T> => ({
  items: items.toSorted(byName),
  isCut,
});

/** The parties of the tenant, by name. @throws ApiError */
export const listParties = async (signal?: AbortSignal): Promise<Listed<Party>> =>
  sorted(await listAll<Party>('/parties', {}, signal));

/** The farms of a party, by name. @throws ApiError */
export const listFarms = async (partyId: string, signal?: AbortSignal): Promise<Listed<Farm>> =>
  sorted(await listAll<Farm>(pathOf('parties', partyId, 'farms'), {}, signal));

/** Fields of this status are regions that boundaries were looked for in: nobody's land. */
const SEARCH_REGION = 'SearchRegion';

/** The fields of a party, or of one of its farms, by name. @throws ApiError */
export async function listFarmFields(
  { partyId, farmId }: { readonly partyId: string; readonly farmId: string },
  signal?: AbortSignal,
): Promise<Listed<FarmFieldRecord>> {
  const filter = farmId === '' ? {} : { farmIds: farmId };
  const { items, isCut } = await listAll<FarmFieldRecord>(pathOf('parties', partyId, 'fields'), filter, signal);
  return sorted({ items: items.filter(({ status }) => status !== SEARCH_REGION), isCut });
}

/** A field with its geometry. @throws ApiError */
export const readFarmField = (partyId: string, fieldId: string, signal?: AbortSignal): Promise<FarmFieldRecord> =>
  callJson<FarmFieldRecord>({ path: wire(pathOf('parties', partyId, 'fields', fieldId)), as: 'token', signal });

interface OutlineCollection {
  readonly features: readonly {
    readonly properties: { readonly field_id: string };
    readonly geometry: Polygon | MultiPolygon;
  }[];
  readonly links?: readonly { readonly rel: string; readonly href: string }[];
}

/** Outlines by the id of their field, of the first fields of a party or farm; a field that is a point has none. @throws ApiError */
export async function readOutlines(
  { partyId, farmId }: { readonly partyId: string; readonly farmId: string },
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Polygon | MultiPolygon>> {
  const outlines = new Map<string, Polygon | MultiPolygon>();
  let skipToken: string | null | undefined;
  do {
    const query = new URLSearchParams({
      limit: String(MOST_OUTLINES - outlines.size),
      ...(farmId === '' ? {} : { farmIds: farmId }),
      ...(typeof skipToken === 'string' ? { skipToken } : {}),
    });
    const path = `/v1${pathOf('parties', partyId)}/fields.geojson?${query.toString()}`;
    const accept = 'application/geo+json, application/json';
    const { features, links = [] } = await callJson<OutlineCollection>({ path, as: 'token', accept, signal });
    for (const { properties, geometry } of features) outlines.set(properties.field_id, geometry);
    const next = links.find(({ rel }) => rel === 'next');
    skipToken = next && new URL(next.href).searchParams.get('skipToken');
  } while (typeof skipToken === 'string' && outlines.size < MOST_OUTLINES);
  return outlines;
}

/** What is written of a party, farm or field: null takes a member away, what is absent stays. */
export interface LandPatch {
  readonly name?: string;
  readonly farmId?: string;
  readonly source?: string;
  readonly geometry?: Polygon;
  readonly properties?: Readonly<Record<string, string | number | null>>;
}

const put = <T>(path: string, body: LandPatch): Promise<T> =>
  callJson<T>({
    path: wire(path),
    as: 'token',
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body,
  });

/** Creates a party, or renames it. @param partyId a UUID: jobs take no other ids @throws ApiError */
export const putParty = (partyId: string, name: string): Promise<Party> =>
  put<Party>(pathOf('parties', partyId), { name });

/** Creates a farm of a party, or renames it. @param farmId a UUID @throws ApiError */
export const putFarm = ({ partyId, farmId }: { readonly partyId: string; readonly farmId: string }, name: string) =>
  put<Farm>(pathOf('parties', partyId, 'farms', farmId), { name });

/** Creates a field, or changes it. @throws ApiError */
export const putField = (partyId: string, fieldId: string, patch: LandPatch): Promise<FarmFieldRecord> =>
  put<FarmFieldRecord>(pathOf('parties', partyId, 'fields', fieldId), patch);

/** What can be deleted, by the folder of its kind. */
export type LandFolder = 'parties' | 'farms' | 'fields';
/** How far a deletion is. */
interface Removal {
  readonly status: string;
  readonly message?: string;
  readonly errorCode?: string;
}
/** Seconds between looks at a deletion. */
const LOOK_SECONDS = 1;

/**
 * Deletes a party, farm or field with all that lies below it; settles when it is gone.
 *
 * @param ids those of its path, such as `partyId` and `fieldId`
 * @throws ApiError
 */
export async function removeLand(folder: LandFolder, ids: Readonly<Record<string, string>>): Promise<void> {
  const path = wire(pathOf(folder, 'cascade-delete', crypto.randomUUID()), ids);
  let removal = await callJson<Removal>({ path, as: 'token', method: 'PUT' });
  while (removal.status === 'Waiting' || removal.status === 'Running') {
    await pause(LOOK_SECONDS, undefined);
    removal = await callJson<Removal>({ path, as: 'token' });
  }
  const { status, message = 'It was not deleted.', errorCode = '' } = removal;
  if (status === 'Failed') throw new ApiError(message, { code: errorCode });
}

/** The degree-days that were calculated for a field. @throws ApiError */
export async function listSeasonsOf(
  { partyId, fieldId }: { readonly partyId: string; readonly fieldId: string },
  signal?: AbortSignal,
): Promise<readonly FieldInsight[]> {
  const owner = ['models', 'partnerAgPowered.gdd', 'resource-types', 'Field', 'resources', fieldId];
  const path = pathOf('parties', partyId, ...owner, 'insights');
  const { items } = await listAll<FieldInsight>(path, {}, signal);
  return items.toSorted((one, other) => other.modifiedDateTime.localeCompare(one.modifiedDateTime));
}
