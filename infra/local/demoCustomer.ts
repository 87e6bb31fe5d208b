import { TableClient } from '@azure/data-tables';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peppers } from '../../shared/auth/apiKeyDigest.js';
import { parseApiKey } from '../../shared/auth/apiKeyFormat.js';
import { systemClock } from '../../shared/clock.js';
import {
  createCustomer,
  rotateKeys,
  type IssuedKey,
  type ManageCustomersPorts,
} from '../../shared/customers/manageCustomers.js';
import { TableCustomerStore } from '../../shared/customers/tableCustomerStore.js';
import { settings } from '../../shared/config.js';
import { createOnce, writeAtomically } from './standIns/atomicFile.js';

/** The customer of area C that everything local uses; once it was purged, `demo-2`, and so on. */
const DEMO_CUSTOMER = 'demo';
const FIELD_LIMIT = 250;

/** API_KEY_PEPPERS of this folder: made at the first start, for keys stored with it must stay good. */
export function localPeppers(directory: string): string {
  const file = join(directory, 'peppers.json');
  createOnce(file, JSON.stringify({ 1: randomBytes(32).toString('base64') }));
  return readFileSync(file, 'utf8');
}

export interface DemoCustomerOptions {
  /** LOCAL_DIR; the key is kept there, since storage can't give it back. */
  readonly directory: string;
  /** Connection string of the data account. */
  readonly connectionString: string;
  readonly caFile: string;
  /** API_KEY_PEPPERS as the service has it. */
  readonly peppers: string;
}

/** The demo customer with a key that works: the one of an earlier start when storage still knows it, else a new one. */
export async function demoCustomer(options: DemoCustomerOptions): Promise<IssuedKey> {
  const { directory, connectionString, caFile } = options;
  // This process may not trust the certificate by itself: Node takes further roots at its start only.
  const table = TableClient.fromConnectionString(connectionString, 'customers', {
    tlsOptions: { ca: readFileSync(caFile, 'utf8') },
  });
  const customers = new TableCustomerStore(table);
  const peppers: Peppers = settings.API_KEY_PEPPERS.parse(options.peppers);
  const file = join(directory, 'demo-customer.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as IssuedKey) : undefined;
  const keyId = parseApiKey(kept?.apiKey ?? '')?.keyId;
  const stored = keyId === undefined ? undefined : await customers.findKey(keyId);
  if (kept !== undefined && stored !== undefined && stored.revokedAt === undefined) return kept;
  const issued = await demoKey({ customers, peppers, clock: systemClock });
  writeAtomically(file, JSON.stringify(issued));
  return issued;
}

/** A further key of the demo customer, or the first of a new one: a purged customer's id cannot be used again. */
export async function demoKey(ports: ManageCustomersPorts): Promise<IssuedKey> {
  for (let number = 1; ; number += 1) {
    const customer = number === 1 ? DEMO_CUSTOMER : `${DEMO_CUSTOMER}-${number}`;
    if ((await ports.customers.findTombstone(customer)) !== undefined) continue;
    const isKnown = (await ports.customers.find(customer)) !== undefined;
    return isKnown ? rotateKeys(ports)(customer, undefined) : createCustomer(ports)(customer, FIELD_LIMIT);
  }
}
