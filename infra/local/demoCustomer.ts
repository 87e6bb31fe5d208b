import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peppers } from '../../shared/access/auth/apiKeyDigest.js';
import { parseApiKey } from '../../shared/access/auth/apiKeyFormat.js';
import { systemClock } from '../../shared/kit/clock.js';
import {
  createCustomer,
  rotateKeys,
  type IssuedKey,
  type ManageCustomersPorts,
} from '../../shared/access/customers/manageCustomers.js';
import { CustomerStore } from '../../shared/access/customers/customerStore.js';
import { settings } from '../../shared/wiring/settings/config.js';
import { localRows, type LocalStorage } from './localRows.js';
import { createOnce, writeAtomically } from './standIns/atomicFile.js';

/** The customer of area C that everything local uses. */
export const DEMO_CUSTOMER = 'demo';
/** The customer of the farm that the local console shows: nobody else's fields are among its own. */
export const FARM_CUSTOMER = 'demo-farm';
const FIELD_LIMIT = 250;

/** API_KEY_PEPPERS of this folder: made at the first start, for keys stored with it must stay good. */
export function localPeppers(directory: string): string {
  const file = join(directory, 'peppers.json');
  createOnce(file, JSON.stringify({ 1: randomBytes(32).toString('base64') }));
  return readFileSync(file, 'utf8');
}

export interface DemoCustomerOptions extends LocalStorage {
  /** Its name; once it was purged, the same with `-2`, and so on. */
  readonly customer: string;
  /** LOCAL_DIR; the key is kept there, since storage can't give it back. */
  readonly directory: string;
  /** API_KEY_PEPPERS as the service has it. */
  readonly peppers: string;
}

/** A customer of the local service with a key that works: the one of an earlier start when storage still knows it, else a new one. */
export async function demoCustomer(options: DemoCustomerOptions): Promise<IssuedKey> {
  const { customer, directory } = options;
  const customers = new CustomerStore(localRows(options)('customers'));
  const peppers: Peppers = settings.API_KEY_PEPPERS.parse(options.peppers);
  const file = join(directory, `${customer}-customer.json`);
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as IssuedKey) : undefined;
  const keyId = parseApiKey(kept?.apiKey ?? '')?.keyId;
  const stored = keyId === undefined ? undefined : await customers.findKey(keyId);
  if (kept !== undefined && stored !== undefined && stored.revokedAt === undefined) return kept;
  const issued = await demoKey({ customers, peppers, clock: systemClock }, customer);
  writeAtomically(file, JSON.stringify(issued));
  return issued;
}

/** A further key of such a customer, or the first of a new one: a purged customer's id cannot be used again. */
export async function demoKey(ports: ManageCustomersPorts, name: string): Promise<IssuedKey> {
  for (let number = 1; ; number += 1) {
    const customer = number === 1 ? name : `${name}-${number}`;
    if ((await ports.customers.findTombstone(customer)) !== undefined) continue;
    const isKnown = (await ports.customers.find(customer)) !== undefined;
    return isKnown ? rotateKeys(ports)(customer, undefined) : createCustomer(ports)(customer, FIELD_LIMIT);
  }
}
