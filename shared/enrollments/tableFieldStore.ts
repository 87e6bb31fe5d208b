import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { createHash } from 'node:crypto';
import { noDays, type NewestDays } from '../imagery/records/newestDays.js';
import { unlessStatus } from '../storage/storageErrors.js';
import { firstRows, listRows, readRows, type ReadRow } from '../storage/tableRows.js';
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
const fieldMark = (fieldId: string): string => createHash('sha256').update(fieldId, 'utf8').digest('hex').slice(0, 32);

const fieldsPrefix = (enrollmentId: string): string => `F_${enrollmentId}_`;
const fieldKey = (enrollmentId: string, index: number): string =>
  `${fieldsPrefix(enrollmentId)}${String(index).padStart(5, '0')}`;
const CLAIMS = 'C_';
const HOLDERS = 'H_';
const claimKey = (fieldId: string): string => `${CLAIMS}${fieldMark(fieldId)}`;
const holdersPrefix = (fieldId: string): string => `${HOLDERS}${fieldMark(fieldId)}_`;
const holderKey = ({ fieldId, enrollmentId }: FieldHolder): string => `${holdersPrefix(fieldId)}${enrollmentId}`;
const behind = (prefix: string): string => `${prefix.slice(0, -1)}\``;

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type JsonRow = { readonly json: string };
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type ClaimRow = {
  readonly fieldId: string;
  readonly geometryHash: string;
  /** `FieldOutline` as JSON; at most 1,000 positions fit. Absent on fields of before lists. */
  readonly outline?: string;
  /** Why the latest enrollment failed with the field, as JSON; empty when it didn't. */
  readonly failure?: string;
  /** `NewestDays` as JSON. */
  readonly days?: string;
};

/** Table `fields`. */
export class TableFieldStore implements FieldStore, FieldLists {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async listFields({ customer, enrollmentId }: EnrollmentKey): Promise<readonly Field[]> {
    return (await this.#range(customer, fieldsPrefix(enrollmentId))).map((json) => JSON.parse(json) as Field);
  }

  async findClaim(customer: string, fieldId: string): Promise<FieldClaim | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<ClaimRow>(customer, claimKey(fieldId)));
    return row === undefined ? undefined : { fieldId, geometryHash: row.geometryHash, etag: row.etag };
  }

  async listHolders(customer: string, fieldId: string): Promise<readonly FieldHolder[]> {
    return (await this.#range(customer, holdersPrefix(fieldId))).map((json) => JSON.parse(json) as FieldHolder);
  }

  async write({ customer, enrollmentId }: EnrollmentKey, batch: readonly FieldWrite[]): Promise<boolean> {
    return this.#submit(batch.flatMap((write) => actionsOf(customer, enrollmentId, write)));
  }

  async release(key: EnrollmentKey): Promise<void> {
    const fields = (await this.listFields(key)).filter(({ status }) => status === 'ready');
    for (const { fieldId } of fields) {
      const rowKey = `${holdersPrefix(fieldId)}${key.enrollmentId}`;
      await unlessStatus([404], () => this.#table.deleteEntity(key.customer, rowKey));
    }
  }

  async listFieldsOf(
    customer: string,
    { after = '', limit }: { readonly after?: string; readonly limit: number },
  ): Promise<readonly ListedField[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey gt ${CLAIMS + after} and RowKey lt ${behind(CLAIMS)}`;
    const rows = await firstRows<ClaimRow>(this.#table, filter, limit);
    const [first, last] = [rows[0], rows.at(-1)].map((row) => row?.rowKey.slice(CLAIMS.length) ?? '');
    if (first === undefined || last === undefined || rows.length === 0) return [];
    // Those who monitor the fields of a page lie in one range as the fields do.
    const held = odata`PartitionKey eq ${customer} and RowKey ge ${`${HOLDERS}${first}_`} and RowKey lt ${`${HOLDERS}${last}\``}`;
    const holders = (await listRows<JsonRow>(this.#table, held)).map(({ json }) => JSON.parse(json) as FieldHolder);
    return rows.map((row) => listedOf(row, holders));
  }

  async findDays(customer: string, fieldIds: readonly string[]): Promise<readonly ListedDays[]> {
    const rows = await readRows<ClaimRow>(this.#table, customer, fieldIds.map(claimKey));
    return rows.map((row) => ({ fieldId: row.fieldId, etag: row.etag, ...daysOf(row) }));
  }

  async putDays(customer: string, days: readonly ListedDays[]): Promise<readonly ListedDays[] | undefined> {
    const actions = days.map(({ fieldId, etag, newest, newestPicture }): TransactionAction => {
      const text = JSON.stringify({ newest, newestPicture });
      return ['update', { partitionKey: customer, rowKey: claimKey(fieldId), days: text }, 'Merge', { etag }];
    });
    const answer = await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions));
    return (
      answer &&
      days.map((listed, index) => {
        // Answers to updates name no row; they come in the order of the updates.
        const etag = answer.subResponses[index]?.etag;
        return { ...listed, ...(etag === undefined ? {} : { etag }) };
      })
    );
  }

  async listUndescribed(customer: string): Promise<readonly FieldClaim[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${CLAIMS} and RowKey lt ${behind(CLAIMS)}`;
    const rows = await listRows<ClaimRow>(this.#table, filter);
    return rows
      .filter(({ outline }) => outline === undefined)
      .map(({ fieldId, geometryHash, etag }) => ({ fieldId, geometryHash, etag }));
  }

  async describe(
    customer: string,
    { fieldId, etag }: FieldClaim,
    { outline, ...newest }: NewestDays & { readonly outline: FieldOutline },
  ): Promise<boolean> {
    const facts = { outline: JSON.stringify(outline), days: JSON.stringify(newest) };
    const row = { partitionKey: customer, rowKey: claimKey(fieldId), ...facts };
    return (await unlessStatus([404, 412], () => this.#table.updateEntity(row, 'Merge', { etag }))) !== undefined;
  }

  async #submit(actions: TransactionAction[]): Promise<boolean> {
    return (await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions))) !== undefined;
  }

  async #range(customer: string, prefix: string): Promise<string[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${prefix} and RowKey lt ${behind(prefix)}`;
    return (await listRows<JsonRow>(this.#table, filter)).map(({ json }) => json);
  }
}

const daysOf = ({ days }: ClaimRow): NewestDays => (days === undefined ? noDays : (JSON.parse(days) as NewestDays));

function listedOf(row: ReadRow<ClaimRow>, holders: readonly FieldHolder[]): ListedField {
  const { rowKey, fieldId, geometryHash, outline, failure = '' } = row;
  return {
    fieldId,
    geometryHash,
    ...(outline === undefined ? {} : { outline: JSON.parse(outline) as FieldOutline }),
    ...(failure === '' ? {} : { failure: JSON.parse(failure) as { readonly code: string; readonly message: string } }),
    ...daysOf(row),
    holders: holders.filter((holder) => holder.fieldId === fieldId),
    position: rowKey.slice(CLAIMS.length),
  };
}

function actionsOf(partitionKey: string, enrollmentId: string, write: FieldWrite): TransactionAction[] {
  const { field } = write;
  const row = { partitionKey, rowKey: fieldKey(enrollmentId, field.index), json: JSON.stringify(field) };
  if (!('holder' in write)) return [['create', row], ...failureOf(partitionKey, write)];
  const { holder, replaces } = write;
  const { fieldId, geometryHash } = holder;
  const shown = { outline: JSON.stringify(write.outline), failure: '' };
  const claim = { partitionKey, rowKey: claimKey(fieldId), fieldId, geometryHash, ...shown };
  return [
    ['create', row],
    // Written even when nothing changes in it: whoever decided on an older reading of the claim must decide again.
    replaces === undefined ? ['create', claim] : ['update', claim, 'Merge', { etag: replaces.etag }],
    ['upsert', { partitionKey, rowKey: holderKey(holder), json: JSON.stringify(holder) }, 'Replace'],
  ];
}

function failureOf(
  partitionKey: string,
  { field: { code, message }, claim }: Exclude<FieldWrite, { readonly holder: FieldHolder }>,
): TransactionAction[] {
  if (claim === undefined) return [];
  const row = { partitionKey, rowKey: claimKey(claim.fieldId), failure: JSON.stringify({ code, message }) };
  return [['update', row, 'Merge', { etag: claim.etag }]];
}
