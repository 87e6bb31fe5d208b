import { createHash } from 'node:crypto';
import { TRANSACTION_LIMIT, type Action, type Etag, type Rows } from '../../storage/rows.js';
import type { FieldDate } from '../../enrollments/fields/fieldDate.js';
import type { ImageChange, TellOfImages } from './imageryNotices.js';
import { makingAction, type Making } from './tableMakingStore.js';

/** What is to be stored of a day, given the new record and the stored one. */
export type Settle = (found: FieldDate, stored: FieldDate | undefined) => FieldDate;

/** How records are stored. */
export interface MergeOptions {
  /** Whether nothing is expected to be stored of these days: then they are read only when inserting them is refused. */
  readonly isNew?: boolean;
  /** Stored in the first transaction of the records, so that no record is without its making. */
  readonly makings?: readonly Making[];
}

/** What the use cases need of `TableFieldDateStore`. */
export type FieldDateStore = Pick<TableFieldDateStore, keyof TableFieldDateStore>;

/** Tries of one write; a handful of units may write the same rows at the same time. */
const MOST_TRIES = 20;

/** A hash of the field id, which may contain characters that a key may not. */
const fieldMark = (fieldId: string): string => createHash('sha256').update(fieldId, 'utf8').digest('hex').slice(0, 32);
const rowKeyOf = (fieldId: string, date: string): string => `O_${fieldMark(fieldId)}_${date}`;

interface FieldDateRow {
  readonly json: string;
}

const rowOf = (fieldDate: FieldDate): FieldDateRow => ({ json: JSON.stringify(fieldDate) });
const fieldDateOf = ({ json }: FieldDateRow): FieldDate => JSON.parse(json) as FieldDate;

/**
 * What became of fields on days: rows of table `fieldDates`. PartitionKey is the customer, RowKey
 * `O_<hash of the field id>_<date>`: all days of a field are one range.
 */
export class TableFieldDateStore {
  readonly #rows: Rows;
  readonly #tellOfImages: TellOfImages;

  /** @param tellOfImages what is written with records so that their customer is told of new images */
  constructor(rows: Rows, tellOfImages: TellOfImages = () => Promise.resolve([])) {
    this.#rows = rows;
    this.#tellOfImages = tellOfImages;
  }

  /** Records of a field by date; all days without a period. */
  async list(
    customer: string,
    fieldId: string,
    { from, to }: { readonly from: string; readonly to: string } = { from: '0000', to: '9999-99-99' },
  ): Promise<readonly FieldDate[]> {
    const days = { from: rowKeyOf(fieldId, from), through: rowKeyOf(fieldId, to) };
    return (await this.#rows.range<FieldDateRow>(customer, days)).map(fieldDateOf);
  }

  /**
   * Stores what `settle` makes of each record and of the one that is stored of the same day by then, so that nothing that
   * others write meanwhile is lost.
   *
   * @returns what is stored of these days now
   */
  async merge(
    customer: string,
    fieldDates: readonly FieldDate[],
    settle: Settle,
    { isNew = false, makings = [] }: MergeOptions = {},
  ): Promise<readonly FieldDate[]> {
    // A transaction may name a row only once.
    const days = new Map<string, FieldDate>();
    for (const found of fieldDates) {
      const rowKey = rowKeyOf(found.fieldId, found.date);
      const other = days.get(rowKey);
      days.set(rowKey, other === undefined ? found : settle(found, other));
    }
    const distinct = [...days.values()];
    const merged: FieldDate[] = [];
    let beside: readonly Action[] = makings.map(makingAction);
    while (merged.length < distinct.length) {
      const some = distinct.slice(merged.length, merged.length + TRANSACTION_LIMIT - beside.length - 1);
      const isWritten = isNew && (await this.#create(customer, some, beside));
      merged.push(...(isWritten ? some : await this.#mergeSome(customer, some, { settle, beside })));
      beside = [];
    }
    return merged;
  }

  /** @returns false when something is stored of one of the days: then nothing was written */
  async #create(customer: string, fieldDates: readonly FieldDate[], beside: readonly Action[]): Promise<boolean> {
    const actions = fieldDates.map((found): Action => {
      return { insert: rowKeyOf(found.fieldId, found.date), value: rowOf(found) };
    });
    const telling = await this.#tellOfImages(
      customer,
      fieldDates.map((after): ImageChange => ({ before: undefined, after })),
    );
    return (await this.#rows.transact(customer, [...beside, ...actions, ...telling])) !== undefined;
  }

  async #mergeSome(
    customer: string,
    fieldDates: readonly FieldDate[],
    { settle, beside }: { readonly settle: Settle; readonly beside: readonly Action[] },
  ): Promise<readonly FieldDate[]> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const stored = await this.#stored(customer, fieldDates);
      const merged = fieldDates.map((found) => {
        const before = stored.get(rowKeyOf(found.fieldId, found.date));
        return { before, fieldDate: settle(found, before?.fieldDate) };
      });
      const actions = merged.map(({ before, fieldDate }): Action => {
        const [rowKey, value] = [rowKeyOf(fieldDate.fieldId, fieldDate.date), rowOf(fieldDate)];
        return before === undefined ? { insert: rowKey, value } : { update: rowKey, value, etag: before.etag };
      });
      const changes = merged.map(({ before, fieldDate }): ImageChange => ({
        before: before?.fieldDate,
        after: fieldDate,
      }));
      const telling = await this.#tellOfImages(customer, changes);
      const etags = await this.#rows.transact(customer, [...beside, ...actions, ...telling]);
      if (etags !== undefined) return merged.map(({ fieldDate }) => fieldDate);
    }
    throw new Error('The records of fields and days are changed faster than they can be written.');
  }

  /** What is stored of these fields and days, by row key. */
  async #stored(
    customer: string,
    fieldDates: readonly FieldDate[],
  ): Promise<ReadonlyMap<string, { readonly fieldDate: FieldDate; readonly etag: Etag }>> {
    const rowKeys = fieldDates.map(({ fieldId, date }) => rowKeyOf(fieldId, date));
    const rows = await this.#rows.findMany<FieldDateRow>(customer, rowKeys);
    return new Map(rows.map((row) => [row.rowKey, { fieldDate: fieldDateOf(row), etag: row.etag }]));
  }
}
