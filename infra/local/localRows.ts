import { TableClient } from '@azure/data-tables';
import { readFileSync } from 'node:fs';
import { randomId } from '../../shared/kit/ids.js';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import type { TableName } from '../../shared/storage/names.js';
import type { Rows } from '../../shared/storage/rows.js';

/** The storage of the local service, for a program of its own process. */
export interface LocalStorage {
  /** Connection string of the data account. */
  readonly connectionString: string;
  readonly caFile: string;
}

/** The tables of the local service. */
export function localRows({ connectionString, caFile }: LocalStorage): (table: TableName) => Rows {
  // This process may not trust the certificate by itself: Node takes further roots at its start only.
  const tlsOptions = { ca: readFileSync(caFile, 'utf8') };
  return (table) => new AzureRows(TableClient.fromConnectionString(connectionString, table, { tlsOptions }), randomId);
}
