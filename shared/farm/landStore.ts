import { gunzipSync, gzipSync } from 'node:zlib';
import { RecentMap } from '../recentMap.js';
import type { TableName } from '../storage/names.js';
import { transactionsOf } from '../storage/rowFormat.js';
import { TRANSACTION_LIMIT, type Action, type Etag, type Row, type Rows } from '../storage/rows.js';
import type { Listed } from './boundedScan.js';
import { idKeyOf, type Authorship, type Geometry, type Land, type LandKey, type LandKind } from './land.js';

/**
 * Tables of parties, farms and fields.
 *
 * - `farmParties`: PartitionKey `<tenant>`, RowKey `<party>`
 * - `farmFarms`, `farmFields`: PartitionKey `<tenant>|<party>`, RowKey `<farm>` or `<field>`
 *
 * A tenant is a UUID in lower case and no id holds `|`, so the partitions of a tenant are those that begin with
 * `<tenant>|`, and no others.
 */
export const tableOf = { party: 'farmParties', farm: 'farmFarms', field: 'farmFields' } as const satisfies Record<
  LandKind,
  TableName
>;

/** The columns that lists read: all but the geometry. */
const LISTED = [
  ...['id', 'partyId', 'farmId', 'name', 'description', 'status', 'source', 'properties', 'eTag', 'isDeleting'],
  ...['createdAt', 'createdBy', 'modifiedAt', 'modifiedBy', 'west', 'south', 'east', 'north', 'areaHa'],
];

/** A row; `properties` is JSON, `shape` the geometry as JSON, packed with gzip, in base64. */
interface LandRow extends Authorship {
  readonly id: string;
  readonly partyId: string;
  readonly eTag: string;
  readonly farmId?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: string | undefined;
  readonly source?: string | undefined;
  readonly properties?: string | undefined;
  /** Key of the farm of a field; empty for none, and once the field is being deleted. */
  readonly farmKey: string;
  readonly isDeleting: boolean;
  readonly west?: number | undefined;
  readonly south?: number | undefined;
  readonly east?: number | undefined;
  readonly north?: number | undefined;
  readonly areaHa?: number | undefined;
  readonly shape?: string | undefined;
}

/** A resource as it was read, with what a change of it is conditional on. */
export interface StoredLand {
  readonly land: Land;
  readonly etag: Etag;
}

/** A resource to be written: over the one that was read, or where there is none. */
export interface LandWrite {
  readonly key: LandKey;
  readonly land: Land;
  readonly before: StoredLand | undefined;
}

/** Where a list stands: behind this row. It names no tenant. */
export interface LandPosition {
  /** Key of the party; empty in a list of parties. */
  readonly party: string;
  readonly row: string;
}

/** A resource of a list. */
export type ListedLand = Listed<Land, LandPosition>;

/** Which resources a list goes through: those of a tenant or of one party. */
export interface LandScope {
  readonly kind: LandKind;
  readonly tenant: string;
  readonly partyId?: string;
}

/** Those of one party. */
export type PartyScope = LandScope & { readonly partyId: string };

export interface LandPageOptions {
  readonly after: LandPosition | undefined;
  /** Most resources to read, 1 to 1,000. */
  readonly most: number;
  readonly withGeometry?: boolean;
}

/** Most ids that one process remembers to exist. */
const MOST_KNOWN = 50_000;

/** The parties, farms and fields of all tenants. */
export class LandStore {
  readonly #rows: (table: TableName) => Rows;
  readonly #known = new RecentMap<true>(MOST_KNOWN);

  constructor(rows: (table: TableName) => Rows) {
    this.#rows = rows;
  }

  /** One resource, also one that is being deleted. */
  async find(key: LandKey): Promise<StoredLand | undefined> {
    const row = await this.#table(key.kind).find<LandRow>(...placeOf(key));
    if (row === undefined) return undefined;
    this.#known.use(nameOf(key), true);
    return { land: landOf(key.kind, row), etag: row.etag };
  }

  /** Whether this process has read or written the resource before: then it is looked for before it is inserted. */
  isKnown(key: LandKey): boolean {
    return this.#known.get(nameOf(key)) === true;
  }

  /** The resources of these ids of one party that are there, without geometry where it is not asked for. */
  async findMany(scope: PartyScope, ids: readonly string[]): Promise<readonly ListedLand[]> {
    const partition = partitionOf(scope);
    const rows = await this.#table(scope.kind).findMany<LandRow>(partition, [...new Set(ids.map(idKeyOf))]);
    return rows.map((row) => listed(scope.kind, row));
  }

  /** @returns false when there is one of this id */
  async insert(key: LandKey, land: Land): Promise<boolean> {
    const etag = await this.#table(key.kind).insert(...placeOf(key), rowOf(land));
    this.#known.use(nameOf(key), true);
    return etag !== undefined;
  }

  /** @returns false when it is not as it was read any more */
  async update(key: LandKey, land: Land, etag: Etag): Promise<boolean> {
    return (await this.#table(key.kind).update(...placeOf(key), rowOf(land), etag)) !== undefined;
  }

  /**
   * Writes different resources of one kind and party in as few transactions as it takes, each of them whole or not at all.
   *
   * @returns false when one is not as it was read any more; those of earlier transactions are written then
   */
  async writeMany(scope: PartyScope, writes: readonly LandWrite[]): Promise<boolean> {
    for (const actions of transactionsOf(writes.map(actionOf))) {
      if ((await this.#table(scope.kind).transact(partitionOf(scope), actions)) === undefined) return false;
    }
    return true;
  }

  /** Marks a resource as being deleted. @returns false when it was changed meanwhile */
  async mark(key: LandKey, etag: Etag): Promise<boolean> {
    const marked = { isDeleting: true, farmKey: '' };
    return (await this.#table(key.kind).patch(...placeOf(key), marked, etag)) !== undefined;
  }

  /** Whether a party, or one of its farms, has a resource of the kind that is not being deleted. */
  async hasAny(scope: PartyScope, farmId?: string): Promise<boolean> {
    const where =
      farmId === undefined ? { column: 'isDeleting', equals: false } : { column: 'farmKey', equals: idKeyOf(farmId) };
    const options = { where, select: [], most: 1 };
    return (await this.#table(scope.kind).range(partitionOf(scope), {}, options)).length > 0;
  }

  /** Deletes a resource. @returns false when it is not as it was read any more */
  async remove(key: LandKey, etag: Etag): Promise<boolean> {
    return this.#table(key.kind).delete(...placeOf(key), etag);
  }

  /** Deletes a hundred farms or fields of a party at most, whatever they hold. @returns how many; 0 when none is left */
  async removeSome({ kind, tenant, partyId }: PartyScope): Promise<number> {
    const partition = partitionOf({ kind, tenant, partyId });
    const rows = await this.#table(kind).range(partition, {}, { select: [], most: TRANSACTION_LIMIT });
    await this.#table(kind).deleteMany(
      partition,
      rows.map(({ rowKey }) => rowKey),
    );
    return rows.length;
  }

  /**
   * Marks a hundred fields of a farm at most as being deleted, those behind a field.
   *
   * @returns the last of them; undefined when none is left
   */
  async markFieldsOf(farm: LandKey, after: string | undefined): Promise<string | undefined> {
    for (;;) {
      const rows = await this.#fieldsOf(farm, after);
      const marks = rows
        .filter(({ isDeleting }) => !isDeleting)
        .map(({ rowKey, etag }) => ({ patch: rowKey, value: { isDeleting: true }, etag }));
      const fields = this.#table('field');
      // A field that was changed meanwhile is read again: it may belong to another farm now.
      if (marks.length === 0 || (await fields.transact(partitionOf({ ...farm, kind: 'field' }), marks)) !== undefined) {
        return rows.at(-1)?.rowKey;
      }
    }
  }

  /** Keys of a hundred fields of a farm at most, also of those that are being deleted with it. */
  async someFieldsOf(farm: LandKey): Promise<readonly string[]> {
    return (await this.#fieldsOf(farm, undefined)).map(({ rowKey }) => rowKey);
  }

  /** Deletes resources of one party whatever they hold. */
  async deleteMany(scope: PartyScope, ids: readonly string[]): Promise<void> {
    await this.#table(scope.kind).deleteMany(partitionOf(scope), ids.map(idKeyOf));
  }

  /** The resources behind a position, by party and then by id; fewer than `most` are the last. */
  async page(scope: LandScope, options: LandPageOptions): Promise<readonly ListedLand[]> {
    const { after, most, withGeometry = false } = options;
    const columns = withGeometry ? {} : { select: LISTED };
    const partition = firstPartitionOf(scope, after);
    const found: Row<LandRow>[] = [];
    if (partition !== undefined) {
      const span = after === undefined ? {} : { above: after.row };
      found.push(...(await this.#table(scope.kind).range<LandRow>(partition, span, { ...columns, most })));
    }
    if (isOnePartition(scope) || found.length >= most) return found.map((row) => listed(scope.kind, row));
    const others = { partitionPrefix: `${scope.tenant}|`, ...(partition && { partitionAbove: partition }) };
    const left = { ...columns, ...others, most: most - found.length };
    for await (const rows of this.#table(scope.kind).scan<LandRow>({}, left)) found.push(...rows);
    return found.map((row) => listed(scope.kind, row));
  }

  #fieldsOf({ tenant, partyId, id }: LandKey, after: string | undefined): Promise<Row<Pick<LandRow, 'isDeleting'>>[]> {
    const span = after === undefined ? {} : { above: after };
    const where = { column: 'farmKey', equals: idKeyOf(id) };
    const options = { where, select: ['isDeleting'], most: TRANSACTION_LIMIT };
    return this.#table('field').range(partitionOf({ kind: 'field', tenant, partyId }), span, options);
  }

  #table(kind: LandKind): Rows {
    return this.#rows(tableOf[kind]);
  }
}

function placeOf(key: LandKey): [partitionKey: string, rowKey: string] {
  return [partitionOf(key), idKeyOf(key.id)];
}

const partitionOf = ({ kind, tenant, partyId = '' }: LandScope): string =>
  kind === 'party' ? tenant : `${tenant}|${idKeyOf(partyId)}`;

const isOnePartition = ({ kind, partyId }: LandScope): boolean => kind === 'party' || partyId !== undefined;

/** The partition that a page begins in; undefined for the first page of all parties. */
function firstPartitionOf(scope: LandScope, after: LandPosition | undefined): string | undefined {
  if (after !== undefined) return partitionOf({ ...scope, partyId: after.party });
  return isOnePartition(scope) ? partitionOf(scope) : undefined;
}

const nameOf = (key: LandKey): string => [key.kind, ...placeOf(key)].join(' ');

const listed = (kind: LandKind, row: Row<LandRow>): ListedLand => {
  const [, party = ''] = row.partitionKey.split('|');
  return { item: landOf(kind, row), at: { party, row: row.rowKey } };
};

function actionOf({ key, land, before }: LandWrite): Action {
  const [rowKey, value] = [idKeyOf(key.id), rowOf(land)];
  return before === undefined ? { insert: rowKey, value } : { update: rowKey, value, etag: before.etag };
}

function rowOf({ kind: _kind, properties, geometry, extent, isDeleting = false, ...land }: Land): LandRow {
  const [west, south, east, north] = extent?.box ?? [];
  return {
    ...land,
    isDeleting,
    farmKey: land.farmId === undefined || isDeleting ? '' : idKeyOf(land.farmId),
    properties: properties === undefined ? undefined : JSON.stringify(properties),
    ...{ west, south, east, north, areaHa: extent?.areaHa },
    shape: geometry === undefined ? undefined : gzipSync(JSON.stringify(geometry)).toString('base64'),
  };
}

function landOf(kind: LandKind, row: Row<LandRow>): Land {
  const { partitionKey: _partition, rowKey: _row, etag: _etag, farmKey: _farm, properties, shape, ...rest } = row;
  const { west, south, east, north, areaHa, isDeleting, ...land } = rest;
  const isWhole = west !== undefined && south !== undefined && east !== undefined && north !== undefined;
  return {
    ...(land as Omit<Land, 'kind'>),
    kind,
    ...(isDeleting ? { isDeleting } : {}),
    ...(properties === undefined ? {} : { properties: JSON.parse(properties) as Record<string, string | number> }),
    ...(isWhole ? { extent: { box: [west, south, east, north], areaHa: areaHa ?? 0 } } : {}),
    ...(shape === undefined ? {} : { geometry: geometryOf(shape) }),
  };
}

const geometryOf = (shape: string): Geometry =>
  JSON.parse(gunzipSync(Buffer.from(shape, 'base64')).toString('utf8')) as Geometry;
