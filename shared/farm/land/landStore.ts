import { setImmediate as nextTurn } from 'node:timers/promises';
import { eachOf } from '../../kit/limiter.js';
import { RecentMap } from '../../kit/recentMap.js';
import type { TableName } from '../../storage/names.js';
import { transactionsOf } from '../../storage/rowFormat.js';
import { TRANSACTION_LIMIT, type Action, type Etag, type Row, type Rows } from '../../storage/rows.js';
import type { Listed } from '../../kit/boundedScan.js';
import { idKeyOf, isLandId, landKinds, type Land, type LandKey, type LandKind, type PackedShape } from './land.js';
import { landOfRow, LISTED_COLUMNS, landRowOf, shapeOfRow, type LandRow } from './landRow.js';
import {
  firstPartitionOf,
  isOnePartition,
  partitionOf,
  placeNameOf,
  landPlaceOf,
  positionOf,
  tableOf,
  type LandPosition,
  type LandScope,
  type PartyScope,
} from './landPlace.js';
import { ShapeStore, type ShapeFiles, type StoredShape } from './shapeStore.js';

/** A resource as it was read, with what a change of it is conditional on. */
export interface StoredLand {
  readonly land: Land;
  readonly etag: Etag;
  /** How the row keeps the geometry. */
  readonly shape: StoredShape;
}

/** A resource of a list. */
export interface ListedLand extends Listed<Land, LandPosition> {
  /** How its row keeps the geometry, where that was read. */
  readonly shape: StoredShape;
}

/** A resource to be written: over the one that was read, or where there is none. */
export interface LandWrite {
  readonly key: LandKey;
  readonly land: Land;
  readonly before: StoredLand | undefined;
}

interface ShapedWrite {
  readonly action: Action;
  readonly replaced: StoredShape;
  readonly added: StoredShape;
}

export interface LandPageOptions {
  readonly after: LandPosition | undefined;
  /** Most resources to read, 1 to 1,000; with shapes 100, of which each may take 80 KB. */
  readonly most: number;
  /** Those of a party that have one of these ids. */
  readonly ids?: readonly string[] | undefined;
  readonly withShapes?: boolean;
}

interface RowsBehind {
  readonly after: LandPosition | undefined;
  readonly most: number;
  readonly select?: readonly string[];
}

/** Geometries in blobs that are deleted at the same time. */
const SHAPES_AT_ONCE = 16;
/** Rows that are read in one turn of the event loop: each may have 30 KB of properties. */
const ROWS_A_TURN = 50;
/** A row is read again when its geometry was replaced since; one of which nothing is there then is lost. */
const MOST_READS = 3;

/** Most ids that one process remembers to exist. */
const MOST_KNOWN = 50_000;

/** The parties, farms and fields of all tenants. */
export class LandStore {
  readonly #rows: (table: TableName) => Rows;
  readonly #shapes: ShapeStore;
  readonly #known = new RecentMap<true>(MOST_KNOWN);

  /** @param files container of what is too large for a row */
  constructor(rows: (table: TableName) => Rows, files: ShapeFiles) {
    this.#rows = rows;
    this.#shapes = new ShapeStore(files);
  }

  /** One resource without its geometry, also one that is being deleted. */
  async find(key: LandKey): Promise<StoredLand | undefined> {
    const row = await this.#table(key.kind).find<LandRow>(...landPlaceOf(key));
    if (row === undefined) return undefined;
    this.#known.use(placeNameOf(key), true);
    return { land: landOfRow(key.kind, row), etag: row.etag, shape: shapeOfRow(row) };
  }

  /** The same with its geometry; with an extent and without a geometry when the latter is lost. */
  async findWhole(key: LandKey): Promise<StoredLand | undefined> {
    for (let reads = 1; ; reads += 1) {
      const found = await this.find(key);
      if (found?.land.extent === undefined) return found;
      const packed = await this.#shapes.read(found.shape);
      if (packed !== undefined || reads === MOST_READS) return { ...found, land: { ...found.land, packed } };
    }
  }

  /** The geometry of a resource of a list that was read with shapes; one that was replaced since is read anew. */
  async packedOf(key: LandKey, shape: StoredShape): Promise<PackedShape | undefined> {
    return (await this.#shapes.read(shape)) ?? (await this.findWhole(key))?.land.packed;
  }

  /** Whether this process has read or written the resource before: then it is looked for before it is inserted. */
  isKnown(key: LandKey): boolean {
    return this.#known.get(placeNameOf(key)) === true;
  }

  /** The resources of these ids of one party that are there, by their keys, with shapes. */
  async findMany(scope: PartyScope, ids: readonly string[]): Promise<readonly ListedLand[]> {
    const keys = [...new Set(ids.filter(isLandId).map(idKeyOf))];
    const rows = await this.#table(scope.kind).findMany<LandRow>(partitionOf(scope), keys);
    return rows.map(listed(scope)).toSorted((one, other) => (one.at.row < other.at.row ? -1 : 1));
  }

  /** @returns false when there is one of this id */
  async insert(key: LandKey, land: Land): Promise<boolean> {
    const shape = await this.#shapeFor(key, land);
    const etag = await this.#table(key.kind).insert(...landPlaceOf(key), landRowOf(land, shape));
    this.#known.use(placeNameOf(key), true);
    if (etag === undefined) await this.#shapes.discard(shape);
    return etag !== undefined;
  }

  /**
   * Writes a resource over the one that was read. The very geometry that was read, or none where there is an extent, stays
   * as it is stored.
   *
   * @returns false when it is not as it was read any more
   */
  async update(key: LandKey, land: Land, before: StoredLand): Promise<boolean> {
    const isKept = isShapeKept(land, before);
    const shape = isKept ? before.shape : await this.#shapeFor(key, land);
    const etag = await this.#table(key.kind).update(...landPlaceOf(key), landRowOf(land, shape), before.etag);
    if (!isKept) await this.#shapes.discard(etag === undefined ? shape : before.shape);
    return etag !== undefined;
  }

  async #shapeFor(key: LandKey, { packed, eTag }: Land): Promise<StoredShape> {
    return packed === undefined ? {} : this.#shapes.write(key, packed, eTag);
  }

  /**
   * Writes different resources of one kind and party in as few transactions as it takes, each of them whole or not at all.
   *
   * @returns false when one is not as it was read any more; those of earlier transactions are written then
   */
  async writeMany(scope: PartyScope, writes: readonly LandWrite[]): Promise<boolean> {
    const shaped = await Promise.all(writes.map((write) => this.#shaped(write)));
    let written = 0;
    for (const actions of transactionsOf(shaped.map(({ action }) => action))) {
      if ((await this.#table(scope.kind).transact(partitionOf(scope), actions)) === undefined) break;
      written += actions.length;
    }
    const left = shaped.map(({ replaced, added }, index) => (index < written ? replaced : added));
    await Promise.all(left.map((shape) => this.#shapes.discard(shape)));
    return written === writes.length;
  }

  /** A write with its geometry stored, and what is to be deleted once it is done, or if it is not. */
  async #shaped({ key, land, before }: LandWrite): Promise<ShapedWrite> {
    const rowKey = idKeyOf(key.id);
    const isKept = before !== undefined && isShapeKept(land, before);
    const shape = isKept ? before.shape : await this.#shapeFor(key, land);
    const value = landRowOf(land, shape);
    return {
      action: before === undefined ? { insert: rowKey, value } : { update: rowKey, value, etag: before.etag },
      replaced: isKept ? {} : (before?.shape ?? {}),
      added: isKept ? {} : shape,
    };
  }

  /** Marks a resource as being deleted. @returns false when it was changed meanwhile */
  async mark(key: LandKey, etag: Etag): Promise<boolean> {
    const marked = { isDeleting: true, farmKey: '' };
    return (await this.#table(key.kind).patch(...landPlaceOf(key), marked, etag)) !== undefined;
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
    if (key.kind === 'field') await this.#shapes.deleteOf(key);
    return this.#table(key.kind).delete(...landPlaceOf(key), etag);
  }

  /**
   * Deletes a hundred farms or fields of a party at most, whatever they hold; the geometries in blobs go with the party.
   *
   * @returns how many; 0 when none is left
   */
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

  /** Deletes every geometry of a party's fields that lies in a blob. */
  async removeShapes(party: Pick<LandKey, 'tenant' | 'partyId'>): Promise<void> {
    await this.#shapes.deleteOfParty(party);
  }

  /** Deletes resources of one party, whatever they hold. */
  async deleteMany({ kind, tenant, partyId }: PartyScope, ids: readonly string[]): Promise<void> {
    // The blobs first: by its row a field is found again.
    if (kind === 'field')
      await eachOf(ids, SHAPES_AT_ONCE, (id) => this.#shapes.deleteOf({ kind, tenant, partyId, id }));
    await this.#table(kind).deleteMany(partitionOf({ kind, tenant, partyId }), ids.map(idKeyOf));
  }

  /** The resources behind a position, by party and then by id; fewer than `most` are the last. */
  async page(scope: LandScope, options: LandPageOptions): Promise<readonly ListedLand[]> {
    const { after, most, ids, withShapes = false } = options;
    const { partyId } = scope;
    if (ids !== undefined && partyId !== undefined) {
      const found = await this.findMany({ ...scope, partyId }, ids);
      return found.filter(({ at }) => after === undefined || at.row > after.row).slice(0, most);
    }
    const columns = withShapes ? {} : { select: LISTED_COLUMNS };
    return listedInTurns(scope, await this.#rowsBehind<LandRow>(scope, { after, most, ...columns }));
  }

  /** The same as `page`, of which only the keys are read. */
  async keysOf(scope: LandScope, after: LandPosition | undefined, most: number): Promise<readonly LandPosition[]> {
    return (await this.#rowsBehind(scope, { after, most, select: [] })).map(positionOf);
  }

  /** Whether a tenant has anything, also of what is being deleted. */
  async hasAnyOf(tenant: string): Promise<boolean> {
    const first = await Promise.all(landKinds.map((kind) => this.keysOf({ kind, tenant }, undefined, 1)));
    return first.some((keys) => keys.length > 0);
  }

  async #rowsBehind<T>(scope: LandScope, { after, most, ...columns }: RowsBehind): Promise<readonly Row<T>[]> {
    const table = this.#table(scope.kind);
    const partition = firstPartitionOf(scope, after);
    const found: Row<T>[] = [];
    if (partition !== undefined) {
      const span = after === undefined ? {} : { above: after.row };
      found.push(...(await table.range<T>(partition, span, { ...columns, most })));
    }
    if (isOnePartition(scope) || found.length >= most) return found;
    const others = { partitionPrefix: `${scope.tenant}|`, ...(partition && { partitionAbove: partition }) };
    for await (const rows of table.scan<T>({}, { ...columns, ...others, most: most - found.length }))
      found.push(...rows);
    return found;
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

const listed =
  ({ kind }: LandScope) =>
  (row: Row<LandRow>): ListedLand => ({ item: landOfRow(kind, row), at: positionOf(row), shape: shapeOfRow(row) });

async function listedInTurns(scope: LandScope, rows: readonly Row<LandRow>[]): Promise<readonly ListedLand[]> {
  const found: ListedLand[] = [];
  for (let first = 0; first < rows.length; first += ROWS_A_TURN) {
    if (first > 0) await nextTurn();
    found.push(...rows.slice(first, first + ROWS_A_TURN).map(listed(scope)));
  }
  return found;
}

/** The very geometry that was read, or none where there is an extent, stays as it is stored. */
const isShapeKept = ({ packed, extent }: Land, { land }: StoredLand): boolean =>
  extent !== undefined && (packed ?? land.packed) === land.packed;
