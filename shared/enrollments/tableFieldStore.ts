import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { createHash } from 'node:crypto';
import { unlessStatus } from '../storage/storageErrors.js';
import { listRows } from '../storage/tableRows.js';
import type { EnrollmentKey } from './enrollment.js';
import type { FieldStore, FieldWrite } from './enrollmentPorts.js';
import type { Field, FieldClaim, FieldHolder } from './field.js';

/**
 * Rows of table `fields`. PartitionKey is the customer; RowKeys:
 *
 * - `F_<enrollment>_<index>`: one field of an enrollment, as JSON
 * - `C_<field>`: the geometry a field id stands for
 * - `H_<field>_<enrollment>`: an enrollment that monitors the field, as JSON
 *
 * `<field>` is a hash of the field id: an id may hold characters that mean something in a key.
 */
const fieldMark = (fieldId: string): string => createHash('sha256').update(fieldId, 'utf8').digest('hex').slice(0, 32);

const fieldsPrefix = (enrollmentId: string): string => `F_${enrollmentId}_`;
const fieldKey = (enrollmentId: string, index: number): string =>
  `${fieldsPrefix(enrollmentId)}${String(index).padStart(5, '0')}`;
const claimKey = (fieldId: string): string => `C_${fieldMark(fieldId)}`;
const holdersPrefix = (fieldId: string): string => `H_${fieldMark(fieldId)}_`;
const holderKey = ({ fieldId, enrollmentId }: FieldHolder): string => `${holdersPrefix(fieldId)}${enrollmentId}`;
const behind = (prefix: string): string => `${prefix.slice(0, -1)}\``;

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type JsonRow = { readonly json: string };
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type ClaimRow = { readonly fieldId: string; readonly geometryHash: string };

/** Table `fields`. */
export class TableFieldStore implements FieldStore {
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
    const actions = batch.flatMap((write) => actionsOf(customer, enrollmentId, write));
    return (await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions))) !== undefined;
  }

  async release(key: EnrollmentKey): Promise<void> {
    const fields = (await this.listFields(key)).filter(({ status }) => status === 'ready');
    for (const { fieldId } of fields) {
      const rowKey = `${holdersPrefix(fieldId)}${key.enrollmentId}`;
      await unlessStatus([404], () => this.#table.deleteEntity(key.customer, rowKey));
    }
  }

  async #range(customer: string, prefix: string): Promise<string[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${prefix} and RowKey lt ${behind(prefix)}`;
    return (await listRows<JsonRow>(this.#table, filter)).map(({ json }) => json);
  }
}

function actionsOf(partitionKey: string, enrollmentId: string, write: FieldWrite): TransactionAction[] {
  const { field } = write;
  const row = { partitionKey, rowKey: fieldKey(enrollmentId, field.index), json: JSON.stringify(field) };
  if (!('holder' in write)) return [['create', row]];
  const { holder, replaces } = write;
  const { fieldId, geometryHash } = holder;
  const claim = { partitionKey, rowKey: claimKey(fieldId), fieldId, geometryHash };
  return [
    ['create', row],
    // Written even when nothing changes in it: whoever decided on an older reading of the claim must decide again.
    replaces === undefined ? ['create', claim] : ['update', claim, 'Replace', { etag: replaces.etag }],
    ['upsert', { partitionKey, rowKey: holderKey(holder), json: JSON.stringify(holder) }, 'Replace'],
  ];
}
