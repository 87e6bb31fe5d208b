import { hash } from 'node:crypto';
import type { Listed } from '../../kit/boundedScan.js';
import { noDays, type NewestDays } from './newestDays.js';
import { limiter } from '../../kit/limiter.js';
import { behindPrefix } from '../../storage/rowFormat.js';
import type { Action, Row, Rows, Span } from '../../storage/rows.js';
import type { EnrollmentKey, FieldFault } from '../record/enrollment.js';
import type { FailedField, Field, FieldClaim, FieldHolder, FieldOutline, ReadyField } from './field.js';

/**
 * Rows of table `fields`. PartitionKey is the customer; RowKeys:
 *
 * - `F_<enrollment>_<index>`: one field of an enrollment, as JSON
 * - `C_<field>`: the geometry a field id stands for, and what lists show of the field
 * - `H_<field>_<enrollment>`: an enrollment that monitors the field, as JSON
 *
 * `<field>` is a hash of the field id: an id may hold characters that mean something in a key.
 */
const fieldHash = (fieldId: string): string => hash('sha256', fieldId).slice(0, 32);

const fieldsPrefix = (enrollmentId: string): string => `F_${enrollmentId}_`;
const fieldKey = (enrollmentId: string, index: number): string =>
  `${fieldsPrefix(enrollmentId)}${String(index).padStart(5, '0')}`;
const CLAIMS = 'C_';
const HOLDERS = 'H_';
const claimKey = (fieldId: string): string => `${CLAIMS}${fieldHash(fieldId)}`;
const holdersPrefix = (fieldId: string): string => `${HOLDERS}${fieldHash(fieldId)}_`;
const positionOf = (rowKey: string): string => rowKey.slice(CLAIMS.length);
const claimsBehind = (position: string): Span => ({ prefix: CLAIMS, above: CLAIMS + position });
const holderKey = ({ fieldId, enrollmentId }: FieldHolder): string => `${holdersPrefix(fieldId)}${enrollmentId}`;

interface JsonRow {
  readonly json: string;
}

interface ClaimRow {
  readonly fieldId: string;
  readonly geometryHash: string;
  /** `FieldOutline` as JSON; at most 1,000 positions fit. */
  readonly outline: string;
  /** `FieldFault` of the latest enrollment with the field, as JSON; empty when it had none. */
  readonly failure?: string;
  /** Group that was named last; empty or absent when the field has none. */
  readonly group?: string;
  /** `NewestDays` as JSON. */
  readonly days?: string;
}

/** One field of a batch, and the change of the claim on its id. */
export type FieldWrite =
  | { readonly field: FailedField; /** Of the field that is monitored under this id. */ readonly claim?: FieldClaim }
  | {
      readonly field: ReadyField;
      readonly holder: FieldHolder;
      readonly replaces: FieldClaim | undefined;
      readonly outline: FieldOutline;
    };

/** Most fields of one `write`: three rows each make 99 of the 100 that a transaction takes. */
export const FIELDS_PER_WRITE = 33;

/** A field of a customer as lists show it. */
export interface ListedField extends NewestDays {
  readonly fieldId: string;
  readonly geometryHash: string;
  /** Empty when it has none. */
  readonly group: string;
  readonly outline: FieldOutline;
  /** Why the latest enrollment with this field failed for it; absent when it did not. */
  readonly failure?: FieldFault;
  /** The enrollments that monitor the field. */
  readonly holders: readonly FieldHolder[];
  /** Where the next page begins. */
  readonly position: string;
}

/** A field and its group; empty when it has none. */
export type GroupedField = Pick<ListedField, 'fieldId' | 'group'>;

/** The newest days of a field, with the ETag of their row. */
export interface ListedDays extends NewestDays {
  readonly fieldId: string;
  readonly etag: string;
}

/** Reads under way at once. */
const PARALLEL = 16;

/** Most fields of one `putDays`. */
export const DAYS_PER_WRITE = 100;

/** Fields behind a position, or the first. */
interface FieldsBehind {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Table `fields`: the fields of enrollments, the claims on their ids and the enrollments that monitor them. */
export class FieldStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** The fields of an enrollment that were written so far, by index. */
  listFields({ customer, enrollmentId }: EnrollmentKey): Promise<readonly Field[]> {
    return this.#list<Field>(customer, fieldsPrefix(enrollmentId));
  }

  async findClaim(customer: string, fieldId: string): Promise<FieldClaim | undefined> {
    const row = await this.#rows.find<ClaimRow>(customer, claimKey(fieldId));
    return row && { fieldId, geometryHash: row.geometryHash, etag: row.etag };
  }

  listHolders(customer: string, fieldId: string): Promise<readonly FieldHolder[]> {
    return this.#list<FieldHolder>(customer, holdersPrefix(fieldId));
  }

  /** Writes a batch in one transaction; false when somebody else has changed a claim or written one of the fields. */
  async write({ customer, enrollmentId }: EnrollmentKey, batch: readonly FieldWrite[]): Promise<boolean> {
    const actions = batch.flatMap((write) => actionsOf(enrollmentId, write));
    return (await this.#rows.transact(customer, actions)) !== undefined;
  }

  /** Ends the monitoring of all fields of the enrollment. */
  async release(key: EnrollmentKey): Promise<void> {
    const fields = (await this.listFields(key)).filter(({ status }) => status === 'ready');
    for (const { fieldId } of fields) {
      await this.#rows.delete(key.customer, `${holdersPrefix(fieldId)}${key.enrollmentId}`);
    }
  }

  /** Fields with a boundary, in the order of their positions: two queries whatever the page shows. */
  async listFieldsOf(customer: string, { after = '', limit }: FieldsBehind): Promise<readonly ListedField[]> {
    const rows = await this.#rows.range<ClaimRow>(customer, claimsBehind(after), { most: limit });
    const [first, last] = [rows[0], rows.at(-1)].map((row) => row && positionOf(row.rowKey));
    if (first === undefined || last === undefined) return [];
    // The holders of the fields of a page lie in one range, as the fields do.
    const held = { from: `${HOLDERS}${first}_`, below: behindPrefix(`${HOLDERS}${last}_`) };
    const holders = (await this.#rows.range<JsonRow>(customer, held)).map(
      ({ json }) => JSON.parse(json) as FieldHolder,
    );
    return rows.map((row) => listedOf(row, holders));
  }

  /** As `listFieldsOf`, and no more of each field than its group: one query. */
  async listGroups(
    customer: string,
    { after = '', limit }: FieldsBehind,
  ): Promise<readonly Listed<GroupedField, string>[]> {
    const options = { most: limit, select: ['fieldId', 'group'] };
    const rows = await this.#rows.range<ClaimRow>(customer, claimsBehind(after), options);
    return rows.map(({ rowKey, fieldId, group = '' }) => ({ item: { fieldId, group }, at: positionOf(rowKey) }));
  }

  /** Fields by their ids, in the order of the ids, two reads each; those that do not exist are left out. */
  async findListed(customer: string, fieldIds: readonly string[]): Promise<readonly ListedField[]> {
    const rows = await this.#rows.findMany<ClaimRow>(customer, fieldIds.map(claimKey));
    const parallel = limiter(PARALLEL);
    return Promise.all(
      rows.map((row) => parallel(async () => listedOf(row, await this.listHolders(customer, row.fieldId)))),
    );
  }

  /** Fields that do not exist are left out. */
  async findDays(customer: string, fieldIds: readonly string[]): Promise<readonly ListedDays[]> {
    const rows = await this.#rows.findMany<ClaimRow>(customer, fieldIds.map(claimKey));
    return rows.map((row) => ({ fieldId: row.fieldId, etag: row.etag, ...daysOf(row) }));
  }

  /**
   * Writes up to `DAYS_PER_WRITE` in one transaction.
   *
   * @returns the days with their new ETags; undefined when one was changed by somebody else: then none is written
   */
  async putDays(customer: string, days: readonly ListedDays[]): Promise<readonly ListedDays[] | undefined> {
    const actions = days.map(({ fieldId, etag, newest, newestPicture }): Action => {
      const text = JSON.stringify({ newest, newestPicture });
      return { patch: claimKey(fieldId), value: { days: text }, etag };
    });
    const etags = await this.#rows.transact(customer, actions);
    return etags && days.map((listed) => ({ ...listed, etag: etags.get(claimKey(listed.fieldId)) ?? listed.etag }));
  }

  async #list<T>(customer: string, prefix: string): Promise<readonly T[]> {
    const rows = await this.#rows.range<JsonRow>(customer, { prefix });
    return rows.map(({ json }) => JSON.parse(json) as T);
  }
}

const daysOf = ({ days }: ClaimRow): NewestDays => (days === undefined ? noDays : (JSON.parse(days) as NewestDays));

function listedOf(row: Row<ClaimRow>, holders: readonly FieldHolder[]): ListedField {
  const { rowKey, fieldId, geometryHash, group = '', outline, failure = '' } = row;
  return {
    fieldId,
    geometryHash,
    group,
    outline: JSON.parse(outline) as FieldOutline,
    ...(failure === '' ? {} : { failure: JSON.parse(failure) as FieldFault }),
    ...daysOf(row),
    holders: holders.filter((holder) => holder.fieldId === fieldId),
    position: positionOf(rowKey),
  };
}

function actionsOf(enrollmentId: string, write: FieldWrite): Action[] {
  const { field } = write;
  const own: Action = { insert: fieldKey(enrollmentId, field.index), value: { json: JSON.stringify(field) } };
  if (!('holder' in write)) {
    const { claim } = write;
    if (claim === undefined) return [own];
    const { code, message } = write.field;
    const value = { failure: JSON.stringify({ code, message }) };
    return [own, { patch: claimKey(claim.fieldId), value, etag: claim.etag }];
  }
  const { holder, replaces } = write;
  const { fieldId, geometryHash } = holder;
  // A group that is not named stays with its land.
  const group = write.field.group ?? (replaces?.geometryHash === geometryHash ? undefined : '');
  const claim = {
    fieldId,
    geometryHash,
    group,
    outline: JSON.stringify(write.outline),
    failure: '',
  };
  return [
    own,
    // Written even when it stays the same: a decision that was made on an older reading of the claim must fail.
    replaces === undefined
      ? { insert: claimKey(fieldId), value: claim }
      : { patch: claimKey(fieldId), value: claim, etag: replaces.etag },
    { put: holderKey(holder), value: { json: JSON.stringify(holder) } },
  ];
}
