import type { Point, MultiPolygon, Polygon } from '../../geo/shapes/geoJson.js';
import { foldedId, isUuid } from '../../kit/ids.js';

/** What a tenant's land consists of: parties, their farms, their fields. */
export const landKinds = ['party', 'farm', 'field'] as const;
export type LandKind = (typeof landKinds)[number];

/** Names one party, farm or field; the id of a party stands in both members. */
export interface LandKey {
  readonly kind: LandKind;
  readonly tenant: string;
  readonly partyId: string;
  readonly id: string;
}

export const partyKeyOf = (tenant: string, partyId: string): LandKey => ({
  kind: 'party',
  tenant,
  partyId,
  id: partyId,
});

const ID = /^[A-Za-z0-9._~-]{1,100}$/;
/** Segments of paths that are no ids, whatever their letters. */
const NO_IDS = new Set(['.', '..', 'cascade-delete']);

/** Whether a text can be the id of a party, farm, field, insight or file. */
export const isLandId = (text: string): boolean => ID.test(text) && !NO_IDS.has(text);

/** By what an id is compared and looked up: UUIDs without case, every other id as it is written. */
export const idKeyOf = (id: string): string => (isUuid(id) ? foldedId(id) : id);

/**
 * The folder of a party's blobs. A dot becomes `!`, which no id has: storage takes no segment of a name that ends with a dot.
 */
export const partyFolderOf = ({ tenant, partyId }: Pick<LandKey, 'tenant' | 'partyId'>): string =>
  `${tenant}/${idKeyOf(partyId).replaceAll('.', '!')}/`;

/** Whether two ids name the same resource. */
export const isSameKey = (one: string, other: string): boolean => idKeyOf(one) === idKeyOf(other);

export type Geometry = Point | Polygon | MultiPolygon;

/** The JSON of a geometry, packed with gzip: up to 4 MB of text that is handed on without being read. */
export type PackedShape = Uint8Array;

/** What a geometry spans and covers. */
export interface Extent {
  /** Degrees: west, south, east, north; west is greater than east where the geometry touches both sides of ±180°. */
  readonly box: readonly [number, number, number, number];
  /** Hectares; 0 for a point. */
  readonly areaHa: number;
}

/** Who changed a resource last and who created it, and when. */
export interface Authorship {
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly createdBy: string;
  readonly modifiedAt: number;
  readonly modifiedBy: string;
}

/** What a caller writes on every kind of resource. */
export interface CommonMembers {
  readonly name?: string;
  readonly description?: string;
  readonly status?: string;
  readonly source?: string;
  readonly properties?: Readonly<Record<string, string | number>>;
}

/** A party, farm or field as it is stored. */
export interface Land extends CommonMembers, Authorship {
  readonly kind: LandKind;
  /** As it was written at the creation. */
  readonly id: string;
  readonly partyId: string;
  /** Another one after each change. */
  readonly eTag: string;
  /** The farm of a field. */
  readonly farmId?: string;
  /** The geometry of a field; absent also where it was not read, or is lost. */
  readonly packed?: PackedShape | undefined;
  /** Of every field that has a geometry. */
  readonly extent?: Extent;
  /** It is being deleted: readers do not see it, and nothing below it is created. */
  readonly isDeleting?: boolean;
}
