import { apiKeyDigest, newestPepper, type Peppers } from '../auth/apiKeyDigest.js';
import { newApiKey } from '../auth/apiKeyFormat.js';
import { isLive } from '../auth/storedKey.js';
import type { Clock } from '../../kit/clock.js';
import { fieldLimitRange, isCustomerId } from './customer.js';
import type { CustomerStore } from './customerStore.js';

export interface ManageCustomersPorts {
  readonly customers: CustomerStore;
  readonly peppers: Peppers;
  readonly clock: Clock;
}

/** A refusal of a command; the text is for the operator. */
export class CustomerRefusal extends Error {}

/** A new key of a customer; it is shown once and stored nowhere. */
export interface IssuedKey {
  readonly customer: string;
  readonly apiKey: string;
}

/** Creates a customer with a key. @throws CustomerRefusal when the id is malformed, taken or used up by a purge */
export const createCustomer =
  (ports: ManageCustomersPorts) =>
  async (customer: string, fieldLimit: number): Promise<IssuedKey> => {
    if (!isCustomerId(customer)) {
      throw new CustomerRefusal('A customer id has 1 to 63 lower-case letters, digits and inner hyphens.');
    }
    requireFieldLimit(fieldLimit);
    const outcome = await ports.customers.insert({ customer, fieldLimit, createdAt: ports.clock.now().getTime() });
    if (outcome === 'exists') {
      throw new CustomerRefusal(`The customer ${customer} exists already; rotate gives it another key.`);
    }
    if (outcome === 'purged') {
      throw new CustomerRefusal(`The id ${customer} was a customer's that was purged; an id is never used again.`);
    }
    return issueKey(ports, customer);
  };

/**
 * Gives a customer a further key.
 *
 * @param graceMs the older keys end after this time; undefined leaves them as they are
 * @throws CustomerRefusal for an unknown customer
 */
export const rotateKeys =
  (ports: ManageCustomersPorts) =>
  async (customer: string, graceMs: number | undefined): Promise<IssuedKey> => {
    await requireCustomer(ports, customer);
    const older = await ports.customers.listKeys(customer);
    const issued = await issueKey(ports, customer);
    if (graceMs === undefined) return issued;
    const now = ports.clock.now().getTime();
    for (const key of older.filter((candidate) => isLive(candidate, now))) {
      const expiresAt = Math.min(now + graceMs, key.expiresAt ?? Infinity);
      await ports.customers.changeKey(key.keyId, { expiresAt });
    }
    return issued;
  };

/**
 * Revokes a key; instances that remember the key follow within a minute. A SAS that was fetched with the key stays valid
 * until its own end.
 *
 * @throws CustomerRefusal for an unknown key
 */
export const revokeKey =
  ({ customers, clock }: Pick<ManageCustomersPorts, 'customers' | 'clock'>) =>
  async (keyId: string): Promise<void> => {
    const isKnown = await customers.changeKey(keyId, { revokedAt: clock.now().getTime() });
    if (!isKnown) throw new CustomerRefusal(`No key has the id ${keyId}; list shows the ids.`);
  };

/** Sets the field limit. @throws CustomerRefusal for an unknown customer or a limit out of range */
export const changeFieldLimit =
  (ports: ManageCustomersPorts) =>
  async (customer: string, fieldLimit: number): Promise<void> => {
    requireFieldLimit(fieldLimit);
    await requireCustomer(ports, customer);
    await ports.customers.change(customer, { fieldLimit });
  };

function requireFieldLimit(fieldLimit: number): void {
  const { least, most } = fieldLimitRange;
  if (Number.isInteger(fieldLimit) && fieldLimit >= least && fieldLimit <= most) return;
  throw new CustomerRefusal(`A field limit is a whole number from ${least} to ${most}.`);
}

async function requireCustomer({ customers }: ManageCustomersPorts, customer: string): Promise<void> {
  const found = await customers.find(customer);
  if (found === undefined) throw new CustomerRefusal(`There is no customer ${customer}; list shows them.`);
  if (found.isPurging === true) throw new CustomerRefusal(`The customer ${customer} is being purged.`);
}

async function issueKey({ customers, peppers, clock }: ManageCustomersPorts, customer: string): Promise<IssuedKey> {
  const { keyId, text } = newApiKey();
  const pepper = newestPepper(peppers);
  const digest = apiKeyDigest(text, pepper, peppers).toString('base64');
  await customers.insertKey({ keyId, customer, digest, pepper, createdAt: clock.now().getTime() });
  return { customer, apiKey: text };
}
