import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.js';
import { transactionsOf } from '../../storage/rowFormat.js';
import type { Action, Etag, Row, Rows, Span } from '../../storage/rows.js';
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
/** Everything of a bucket that is not done: `L` comes before `W`. */
export const OPEN_UNITS: Span = { from: 'L|', below: 'W}' };
const openKey = (key: UnitKey): string => `W|${textOfUnit(key)}`;
const doneKey = ({ tile, date, cell, part }: UnitKey): string =>
  ['X', date, tile, String(cell).padStart(2, '0'), part].join('|');
/** What was last published comes first. */
const waitingKey = (unit: OpenUnit): string =>
  ['L', String(9_999_999_999_999 - unit.publishedAt).padStart(13, '0'), textOfUnit(unit)].join('|');

/**
 * Table `imageryUnits`: open work by place. PartitionKeys `u0` to `uf` follow from tile and day; RowKeys:
 *
 * - `W|<tile>|<date>|<cell>|<part>`: open, its message is in the queue or an attempt holds it
 * - `L|<inverse of publication>|<tile>|<date>|<cell>|<part>`: waits for its turn in the late lane, or had it (`taken`)
 * - `X|<date>|<tile>|<cell>|<part>`: done
 */
export class TableUnitStore implements UnitStore {
  readonly buckets: number = BUCKETS;
  readonly #rows: Rows;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(rows: Rows, clock: Pick<Clock, 'now'>) {
    this.#rows = rows;
    this.#clock = clock;
  }

  bucketOf({ tile, date }: Pick<UnitKey, 'tile' | 'date'>): number {
    return (createHash('sha256').update(`${tile}|${date}`).digest()[0] ?? 0) % BUCKETS;
  }

  async listDay(tile: string, date: string): Promise<UnitsOfDay> {
    const partition = this.#partition({ tile, date });
    const [open, done] = await Promise.all([
      this.#rows.range<UnitRow>(partition, { prefix: `W|${tile}|${date}|` }),
      this.#rows.range<DoneRow>(partition, { prefix: `X|${date}|${tile}|` }),
    ]);
    return { open: open.map(storedOf), done: done.map(doneUnitOf) };
  }

  async write(tile: string, date: string, changes: readonly UnitChange[]): Promise<readonly string[] | undefined> {
    const keyOf = ({ unit, isWaiting }: UnitChange): string => (isWaiting === true ? waitingKey : openKey)(unit);
    const actions = changes.map((change): Action => {
      const [rowKey, value] = [keyOf(change), this.#rowOf(change.unit)];
      if (change.isWaiting === true) return { put: rowKey, value };
      return change.etag === undefined ? { insert: rowKey, value } : { update: rowKey, value, etag: change.etag };
    });
    const written = new Map<string, Etag>();
    for (const some of transactionsOf(actions)) {
      const etags = await this.#rows.transact(this.#partition({ tile, date }), some);
      if (etags === undefined) return undefined;
      for (const [rowKey, etag] of etags) written.set(rowKey, etag);
    }
    return changes.map((change) => written.get(keyOf(change)) ?? '');
  }

  async find(key: UnitKey): Promise<StoredUnit | undefined> {
    const row = await this.#row(key);
    return row === undefined ? undefined : storedOf(row);
  }

  async replace(unit: OpenUnit, etag: string, heldBy?: string): Promise<ReplacedUnit | undefined> {
    let known = etag;
    let isAskedAnew = false;
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const written = await this.#rows.patch(this.#partition(unit), openKey(unit), stateOf(unit, this.#now()), known);
      if (written !== undefined) return { etag: written, isAskedAnew };
      const there = await this.#row(unit);
      // Somebody asked for something else meanwhile, which takes the unit from nobody.
      if (there === undefined || there.claim !== heldBy) return undefined;
      isAskedAnew = markOf(there) !== markOf(unit);
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
   * Two writes, for a transaction deletes a row whatever its ETag is by now. Whoever dies between them has done the unit:
   * at most it is opened once more, and nothing is left to do.
   *
   * @returns false when the row has another ETag
   */
  async #end(unit: OpenUnit, done: DoneRow, etag: Etag): Promise<boolean> {
    const partition = this.#partition(unit);
    if (!(await this.#rows.delete(partition, openKey(unit), etag))) return false;
    await this.#rows.put(partition, doneKey(unit), done);
    return true;
  }

  async split({ unit, etag }: StoredUnit, { own, rest }: { own: OpenUnit; rest: OpenUnit }): Promise<boolean> {
    const written = await this.#rows.transact(this.#partition(unit), [
      { put: openKey(own), value: this.#rowOf(own) },
      { update: openKey(rest), value: this.#rowOf(rest), etag },
    ]);
    return written !== undefined;
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
   * The row that waited goes by its ETag: one that was written anew meanwhile stays. Whoever dies before that leaves a row
   * that says that it was taken.
   *
   * @param waiting as it was listed, which others may have changed or taken since
   * @returns the unit as it is open now; undefined when that changed nothing, or somebody else wrote
   */
  async #promoteOne(bucket: number, waiting: Row<UnitRow>, unit: OpenUnit): Promise<OpenUnit | undefined> {
    const { rowKey, etag, taken } = waiting;
    const opened = taken === true ? { etag } : await this.#openWaiting(unit, waiting);
    if (opened === undefined) return undefined;
    await this.#rows.delete(partitionOf(bucket), rowKey, opened.etag);
    return opened.unit;
  }

  /**
   * Opens a unit, or asks for it in the one that is open, and writes into the row that waited that it is taken: both or
   * neither, so that out of a stale listing nothing is opened that was done meanwhile.
   *
   * @returns the unit, where it changed, and the ETag of the row that waited; undefined when somebody else wrote
   */
  async #openWaiting(unit: OpenUnit, { rowKey, etag }: Row<UnitRow>): Promise<OpenedWaiting | undefined> {
    const write = async (open: OpenUnit, known?: Etag): Promise<OpenedWaiting | undefined> => {
      const [key, value] = [openKey(open), this.#rowOf(open)];
      const etags = await this.#rows.transact(this.#partition(unit), [
        known === undefined ? { insert: key, value } : { update: key, value, etag: known },
        { patch: rowKey, value: { taken: true, writtenAt: this.#now() }, etag },
      ]);
      return etags && { unit: open, etag: etags.get(rowKey) ?? '' };
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
    for (const partition of UNIT_PARTITIONS) {
      const old = await this.#rows.range(partition, { from: 'X|', below: `X|${day}` }, { select: [] });
      const rowKeys = old.map(({ rowKey }) => rowKey);
      await this.#rows.deleteMany(partition, rowKeys);
      removed += rowKeys.length;
    }
    return removed;
  }

  #openRows(bucket: number): Promise<Row<UnitRow>[]> {
    return this.#rows.range<UnitRow>(partitionOf(bucket), OPEN_UNITS);
  }

  #row(key: UnitKey): Promise<Row<UnitRow> | undefined> {
    return this.#rows.find<UnitRow>(this.#partition(key), openKey(key));
  }

  #rowOf(unit: OpenUnit): UnitRow {
    return unitRow(unit, this.#now());
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }

  #partition(key: Pick<UnitKey, 'tile' | 'date'>): string {
    return partitionOf(this.bucketOf(key));
  }
}

/** What became of a row that waited. */
interface OpenedWaiting {
  readonly unit?: OpenUnit;
  readonly etag: Etag;
}

const storedOf = (row: Row<UnitRow>): StoredUnit => ({ unit: openUnitOf(row.rowKey, row), etag: row.etag });
