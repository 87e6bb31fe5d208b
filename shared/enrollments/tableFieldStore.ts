import { hash } from 'node:crypto';
import { noDays, type NewestDays } from '../imagery/records/newestDays.js';
import { behindPrefix } from '../storage/rowFormat.js';
import type { Action, Row, Rows } from '../storage/rows.js';
import type { EnrollmentKey } from './enrollment.js';
import type { FieldLists, FieldStore, FieldWrite, ListedDays, ListedField } from './enrollmentPorts.js';
import type { Field, FieldClaim, FieldHolder, FieldOutline } from './field.js';

/**
 * Rows of table `fields`. PartitionKey is the customer; RowKeys:
 *
 * - `F_<enrollment>_<index>`: one field of an enrollment, as JSON
 * - `C_<field>`: the geometry a field id stands for, and what lists show of the field
 * - `H_<field>_<enrollment>`: an enrollment that monitors the field, as JSON
 *
 * `<field>` is a hash of the field id: an id may hold characters that mean something in a key.
 */
const fieldMark = (fieldId: string): string => hash('sha256', fieldId).slice(0, 32);

const fieldsPrefix = (enrollmentId: string): string => `F_${enrollmentId}_`;
const fieldKey = (enrollmentId: string, index: number): string =>
  `${fieldsPrefix(enrollmentId)}${String(index).padStart(5, '0')}`;
const CLAIMS = 'C_';
const HOLDERS = 'H_';
const claimKey = (fieldId: string): string => `${CLAIMS}${fieldMark(fieldId)}`;
const holdersPrefix = (fieldId: string): string => `${HOLDERS}${fieldMark(fieldId)}_`;
const holderKey = ({ fieldId, enrollmentId }: FieldHolder): string => `${holdersPrefix(fieldId)}${enrollmentId}`;

interface JsonRow {
  readonly json: string;
}

interface ClaimRow {
  readonly fieldId: string;
  readonly geometryHash: string;
  /** `FieldOutline` as JSON; at most 1,000 positions fit. */
  readonly outline: string;
  /** Why the latest enrollment failed with the field, as JSON; empty when it didn't. */
  readonly failure?: string;
  /** `NewestDays` as JSON. */
  readonly days?: string;
}

/** Table `fields`. */
export class TableFieldStore implements FieldStore, FieldLists {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

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

  async write({ customer, enrollmentId }: EnrollmentKey, batch: readonly FieldWrite[]): Promise<boolean> {
    const actions = batch.flatMap((write) => actionsOf(enrollmentId, write));
    return (await this.#rows.transact(customer, actions)) !== undefined;
  }

  async release(key: EnrollmentKey): Promise<void> {
    const fields = (await this.listFields(key)).filter(({ status }) => status === 'ready');
    for (const { fieldId } of fields) {
      await this.#rows.delete(key.customer, `${holdersPrefix(fieldId)}${key.enrollmentId}`);
    }
  }

  async listFieldsOf(
    customer: string,
    { after = '', limit }: { readonly after?: string; readonly limit: number },
  ): Promise<readonly ListedField[]> {
    const page = { prefix: CLAIMS, above: CLAIMS + after };
    const rows = await this.#rows.range<ClaimRow>(customer, page, { most: limit });
    const [first, last] = [rows[0], rows.at(-1)].map((row) => row?.rowKey.slice(CLAIMS.length));
    if (first === undefined || last === undefined) return [];
    // Those who monitor the fields of a page lie in one range as the fields do.
    const held = { from: `${HOLDERS}${first}_`, below: behindPrefix(`${HOLDERS}${last}_`) };
    const holders = (await this.#rows.range<JsonRow>(customer, held)).map(
      ({ json }) => JSON.parse(json) as FieldHolder,
    );
    return rows.map((row) => listedOf(row, holders));
  }

  async findDays(customer: string, fieldIds: readonly string[]): Promise<readonly ListedDays[]> {
    const rows = await this.#rows.findMany<ClaimRow>(customer, fieldIds.map(claimKey));
    return rows.map((row) => ({ fieldId: row.fieldId, etag: row.etag, ...daysOf(row) }));
  }

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
  const { rowKey, fieldId, geometryHash, outline, failure = '' } = row;
  return {
    fieldId,
    geometryHash,
    outline: JSON.parse(outline) as FieldOutline,
    ...(failure === '' ? {} : { failure: JSON.parse(failure) as { readonly code: string; readonly message: string } }),
    ...daysOf(row),
    holders: holders.filter((holder) => holder.fieldId === fieldId),
    position: rowKey.slice(CLAIMS.length),
  };
}

function actionsOf(enrollmentId: string, write: FieldWrite): Action[] {
  const { field } = write;
  const own: Action = { insert: fieldKey(enrollmentId, field.index), value: { json: JSON.stringify(field) } };
  if (!('holder' in write)) return [own, ...failureOf(write)];
  const { holder, replaces } = write;
  const { fieldId, geometryHash } = holder;
  const claim = { fieldId, geometryHash, outline: JSON.stringify(write.outline), failure: '' };
  return [
    own,
    // Written even when nothing changes in it: whoever decided on an older reading of the claim must decide again.
    replaces === undefined
      ? { insert: claimKey(fieldId), value: claim }
      : { patch: claimKey(fieldId), value: claim, etag: replaces.etag },
    { put: holderKey(holder), value: { json: JSON.stringify(holder) } },
  ];
}

function failureOf({
  field: { code, message },
  claim,
}: Exclude<FieldWrite, { readonly holder: FieldHolder }>): Action[] {
  if (claim === undefined) return [];
  return [{ patch: claimKey(claim.fieldId), value: { failure: JSON.stringify({ code, message }) }, etag: claim.etag }];
}
