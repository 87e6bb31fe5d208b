import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { createHash } from 'node:crypto';
import type { NewId } from '../../ids.js';
import { fromStorage, unlessStatus } from '../../storage/storageErrors.js';
import { deleteRows, listRows, TRANSACTION_LIMIT, type ReadRow } from '../../storage/tableRows.js';
import { resent } from '../work/imageryWork.js';
import type {
  OpenInBucket,
  ReplacedUnit,
  StoredUnit,
  UnitChange,
  UnitEnd,
  UnitsOfDay,
  UnitStore,
} from './unitPorts.js';
import { doneRow, doneUnitOf, openUnitOf, stateOf, unitRow, type DoneRow, type UnitRow } from './unitRows.js';
import { markOf, textOfUnit, withWaiting, type DoneUnit, type OpenUnit, type UnitKey } from './unitWork.js';

const BUCKETS = 16;
/** Fan-outs of the same tile and day that write at the same time: a handful. */
const MOST_TRIES = 20;

const partitionOf = (bucket: number): string => `u${bucket.toString(16)}`;
/** All partitions of the table. */
export const UNIT_PARTITIONS = Array.from({ length: BUCKETS }, (_, bucket) => partitionOf(bucket));
const openKey = (key: UnitKey): string => `W|${textOfUnit(key)}`;
const doneKey = ({ tile, date, cell, part }: UnitKey): string =>
  ['X', date, tile, String(cell).padStart(2, '0'), part].join('|');
/** Those last published come first. */
const waitingKey = (unit: OpenUnit): string =>
  ['L', String(9_999_999_999_999 - unit.publishedAt).padStart(13, '0'), textOfUnit(unit)].join('|');

/**
 * Table `imageryUnits`: open work by place. PartitionKeys `u0` to `uf` follow from tile and day; RowKeys:
 *
 * - `W|<tile>|<date>|<cell>|<part>`: open, its message is in the queue or an attempt holds it
 * - `L|<inverse of publication>|<tile>|<date>|<cell>|<part>`: waits for its turn in the late lane, or had it (`taken`)
 * - `X|<date>|<tile>|<cell>|<part>`: done
 *
 * `revision` is unique to each write and tells our own lost answer from another's write.
 */
export class TableUnitStore implements UnitStore {
  readonly buckets = BUCKETS;
  readonly #table: TableClient;
  readonly #newId: NewId;

  constructor(table: TableClient, newId: NewId) {
    this.#table = table;
    this.#newId = newId;
  }

  bucketOf({ tile, date }: Pick<UnitKey, 'tile' | 'date'>): number {
    return (createHash('sha256').update(`${tile}|${date}`).digest()[0] ?? 0) % BUCKETS;
  }

  async listDay(tile: string, date: string): Promise<UnitsOfDay> {
    const [open, done] = await Promise.all([
      this.#range<UnitRow>({ tile, date }, `W|${tile}|${date}`),
      this.#range<DoneRow>({ tile, date }, `X|${date}|${tile}`),
    ]);
    return { open: open.map(storedOf), done: done.map(doneUnitOf) };
  }

  /** Rows whose keys begin so and go on behind a `|`. */
  async #range<T extends object>(day: Pick<UnitKey, 'tile' | 'date'>, start: string) {
    // `}` is the character behind `|`.
    const filter = odata`PartitionKey eq ${this.#partition(day)} and RowKey ge ${`${start}|`} and RowKey lt ${`${start}}`}`;
    return listRows<T>(this.#table, filter);
  }

  async write(tile: string, date: string, changes: readonly UnitChange[]): Promise<readonly string[] | undefined> {
    const etags: string[] = [];
    const partitionKey = this.#partition({ tile, date });
    for (let start = 0; start < changes.length; start += TRANSACTION_LIMIT) {
      const actions = changes
        .slice(start, start + TRANSACTION_LIMIT)
        .map(({ unit, etag, isWaiting }): TransactionAction => {
          const row = { ...unitRow(unit, this.#newId()), partitionKey };
          if (isWaiting === true) return ['upsert', { ...row, rowKey: waitingKey(unit) }, 'Replace'];
          const open = { ...row, rowKey: openKey(unit) };
          return etag === undefined ? ['create', open] : ['update', open, 'Replace', { etag }];
        });
      const answer = await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions));
      if (answer === undefined) return undefined;
      // They come in the order of the changes.
      etags.push(...actions.map((_, index) => answer.subResponses[index]?.etag ?? ''));
    }
    return etags;
  }

  async find(key: UnitKey): Promise<StoredUnit | undefined> {
    const row = await this.#row(key);
    return row === undefined ? undefined : storedOf(row);
  }

  async replace(unit: OpenUnit, etag: string, heldBy?: string): Promise<ReplacedUnit | undefined> {
    let known = etag;
    let isAskedAnew = false;
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const revision = this.#newId();
      const row = { partitionKey: this.#partition(unit), rowKey: openKey(unit), ...stateOf(unit, revision) };
      const answer = await unlessStatus([404, 412], () => this.#table.updateEntity(row, 'Merge', { etag: known }));
      if (answer?.etag !== undefined) return { etag: answer.etag, isAskedAnew };
      const there = await this.#row(unit);
      isAskedAnew = there !== undefined && markOf(there) !== markOf(unit);
      if (there?.revision === revision) return { etag: there.etag, isAskedAnew };
      // Somebody asked for something else meanwhile, which takes the unit from nobody.
      if (there === undefined || there.claim !== heldBy) return undefined;
      known = there.etag;
    }
    return undefined;
  }

  async finish(unit: OpenUnit, counts: Pick<DoneUnit, 'customers' | 'fields'>, etag?: string): Promise<UnitEnd> {
    const done = doneRow({ mark: markOf(unit), ...counts });
    if (etag !== undefined && (await this.#end(unit, done, etag))) return 'done';
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const there = await this.#row(unit);
      if (there?.claim !== unit.claim) return 'lost';
      if (markOf(there) !== done.mark) return 'changed';
      if (await this.#end(unit, done, there.etag)) return 'done';
    }
    return 'lost';
  }

  /**
   * Two writes, for a transaction of this client deletes a row whatever its mark is by now. Whoever dies between them has
   * done the unit: at most it is opened once more, and nothing is left to do.
   *
   * @returns false when the row has another mark
   */
  async #end(unit: OpenUnit, done: DoneRow, etag: string): Promise<boolean> {
    const partitionKey = this.#partition(unit);
    const gone = await unlessStatus([404, 412], () => this.#table.deleteEntity(partitionKey, openKey(unit), { etag }));
    if (gone === undefined) return false;
    const row = { partitionKey, rowKey: doneKey(unit), ...done };
    await fromStorage(() => this.#table.upsertEntity(row, 'Replace'));
    return true;
  }

  async split({ unit, etag }: StoredUnit, { own, rest }: { own: OpenUnit; rest: OpenUnit }): Promise<boolean> {
    const partitionKey = this.#partition(unit);
    const actions: TransactionAction[] = [
      ['upsert', { ...unitRow(own, this.#newId()), partitionKey, rowKey: openKey(own) }, 'Replace'],
      ['update', { ...unitRow(rest, this.#newId()), partitionKey, rowKey: openKey(rest) }, 'Replace', { etag }],
    ];
    return (await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions))) !== undefined;
  }

  async promote(bucket: number, most: number, now: number): Promise<readonly OpenUnit[]> {
    const rows = await this.#openRows(bucket);
    const late = rows.filter(({ rowKey, lane }) => rowKey.startsWith('W|') && lane === 'late');
    const next = rows.filter(({ rowKey }) => rowKey.startsWith('L|')).slice(0, Math.max(0, most - late.length));
    const promoted: OpenUnit[] = [];
    for (const row of next) {
      const unit = resent({ ...openUnitOf(row.rowKey, row), notBefore: now }, now);
      const opened = await this.#promoteOne(bucket, row, unit);
      if (opened !== undefined) promoted.push(opened);
    }
    return promoted;
  }

  /**
   * The row that waited goes by its mark: one that was written anew meanwhile stays. Whoever dies before that leaves a row that
   * says that it was taken; so does who doesn't know the mark, whose answer was lost.
   *
   * @param waiting as it was listed, which others may have changed or taken since
   * @returns the unit as it is open now; undefined when that changed nothing, or somebody else wrote
   */
  async #promoteOne(bucket: number, waiting: ReadRow<UnitRow>, unit: OpenUnit): Promise<OpenUnit | undefined> {
    const { rowKey, etag } = waiting;
    const opened = waiting.taken === undefined ? await this.#openWaiting(unit, waiting) : { etag };
    const mark = opened?.etag;
    if (mark !== undefined)
      await unlessStatus([404, 412], () => this.#table.deleteEntity(partitionOf(bucket), rowKey, { etag: mark }));
    return opened?.unit;
  }

  /**
   * Opens a unit, or asks for it in the one that is open, and writes into the row that waited that it is taken: both or
   * neither, so that out of a stale listing nothing is opened that was done meanwhile.
   *
   * @returns the unit, where it changed, and the mark of the row that waited; undefined when somebody else wrote
   */
  async #openWaiting(unit: OpenUnit, { rowKey, etag }: ReadRow<UnitRow>): Promise<OpenedWaiting | undefined> {
    const partitionKey = this.#partition(unit);
    const write = async (open: OpenUnit, known?: string): Promise<OpenedWaiting | undefined> => {
      const revision = this.#newId();
      const row = { ...unitRow(open, revision), partitionKey, rowKey: openKey(open) };
      const actions: TransactionAction[] = [
        known === undefined ? ['create', row] : ['update', row, 'Replace', { etag: known }],
        ['update', { partitionKey, rowKey, taken: revision }, 'Merge', { etag }],
      ];
      const answer = await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions));
      if (answer !== undefined) return { unit: open, etag: answer.subResponses[1]?.etag };
      return (await this.#row(open))?.revision === revision ? { unit: open } : undefined;
    };
    const opened = await write(unit);
    const there = opened === undefined ? await this.find(unit) : undefined;
    if (there === undefined) return opened;
    const both = withWaiting(there.unit, unit);
    return both === undefined ? { etag } : write(both, there.etag);
  }

  async listOpen(bucket: number): Promise<OpenInBucket> {
    const rows = await this.#openRows(bucket);
    const open = rows.filter(({ rowKey }) => rowKey.startsWith('W|'));
    return { open: open.map(storedOf), waiting: rows.length - open.length };
  }

  async removeDoneBefore(day: string): Promise<number> {
    let removed = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      const partitionKey = partitionOf(bucket);
      const old = odata`PartitionKey eq ${partitionKey} and RowKey ge 'X|' and RowKey lt ${`X|${day}`}`;
      const rows = await listRows<object>(this.#table, old, ['rowKey']);
      removed += await deleteRows(
        this.#table,
        partitionKey,
        rows.map(({ rowKey }) => rowKey),
      );
    }
    return removed;
  }

  /** Everything of a bucket that is not done: `L` comes before `W`. */
  #openRows(bucket: number): Promise<ReadRow<UnitRow>[]> {
    const filter = odata`PartitionKey eq ${partitionOf(bucket)} and RowKey ge 'L|' and RowKey lt 'W}'`;
    return listRows<UnitRow>(this.#table, filter);
  }

  #row(key: UnitKey) {
    return unlessStatus([404], () => this.#table.getEntity<UnitRow>(this.#partition(key), openKey(key)));
  }

  #partition(key: Pick<UnitKey, 'tile' | 'date'>): string {
    return partitionOf(this.bucketOf(key));
  }
}

/** What became of a row that waited. */
interface OpenedWaiting {
  readonly unit?: OpenUnit;
  readonly etag?: string | undefined;
}

const storedOf = (row: UnitRow & { readonly rowKey?: string; readonly etag: string }): StoredUnit => ({
  unit: openUnitOf(row.rowKey ?? '', row),
  etag: row.etag,
});
