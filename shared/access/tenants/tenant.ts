import { foldedId, isUuid } from '../../kit/ids.js';
import { url } from '../../kit/setting.js';

/** What a tenant's images are, where its licence lies, and the tenant's limits. */
export interface Tenant {
  /**
   * Whose images a boundary is predicted from: those for which the tenant has a licence at its provider, or public ones that
   * need none. Licensed when absent.
   */
  readonly imagery?: 'licensed' | 'public';
  /** Origin of the vault with the tenant's imagery licence. */
  readonly keyVaultUrl?: string;
  /** Names of the licence's secrets in that vault. */
  readonly clientIdSecret?: string;
  readonly clientSecretSecret?: string;
  /** Entra tenant of the vault when it isn't the one of the service. */
  readonly azureTenantId?: string;
  /** Creates a second that the tenant may send; the rate of the settings when absent. */
  readonly createsPerSecond?: number;
  /** Jobs of the tenant that may be at work at the same time; the number of the settings when absent. */
  readonly jobsAtWork?: number;
}

/** Faults of a registration, for operators. */
export class TenantFault extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join(' '));
    this.name = 'TenantFault';
  }
}

const SECRET_NAME = /^[0-9A-Za-z-]{1,127}$/;

/** The id of an Entra tenant, as tokens have it in `tid`: a UUID in lower case. */
export const isTenantId = (text: string): boolean => isUuid(text) && text === foldedId(text);

/** @throws Error with the rule that the value breaks */
type Parse<T> = (value: unknown) => T;

const textThat =
  (fits: (text: string) => boolean, rule: string): Parse<string> =>
  (value) => {
    if (typeof value !== 'string' || !fits(value)) throw new Error(rule);
    return value;
  };

const secretName = textThat((text) => SECRET_NAME.test(text), 'must be the name of a secret');

const wholeNumber =
  (most: number): Parse<number> =>
  (value) => {
    if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most) return value as number;
    throw new Error(`must be a whole number from 1 to ${most}`);
  };

const oneOf =
  <Word extends string>(...words: readonly Word[]): Parse<Word> =>
  (value) => {
    const word = words.find((each) => each === value);
    if (word === undefined) throw new Error(`must be ${words.join(' or ')}`);
    return word;
  };

/** The origin of a key vault in one spelling: without path, query, user name, and the dot that may end a host name. */
const vaultOrigin: Parse<string> = (value) => {
  if (typeof value !== 'string') throw new Error('must be a text');
  const { protocol, hostname, port, pathname } = new URL(url(value));
  if (pathname !== '/' || /[?#@]/.test(value)) throw new Error('must have no path, query or user name');
  if (protocol !== 'https:') throw new Error('must be an https address');
  return `${protocol}//${hostname.replace(/\.$/, '')}${port === '' ? '' : `:${port}`}`;
};

/** Every member of a tenant and what it must be; the order is that of docs/operations/tenants-and-customers.md. */
const members: { readonly [Name in keyof Required<Tenant>]: Parse<Required<Tenant>[Name]> } = {
  imagery: oneOf('licensed', 'public'),
  keyVaultUrl: vaultOrigin,
  clientIdSecret: secretName,
  clientSecretSecret: secretName,
  azureTenantId: textThat(isTenantId, 'must be the UUID of an Entra tenant, in lower case'),
  createsPerSecond: wholeNumber(1_000),
  jobsAtWork: wholeNumber(1_000),
};

export const tenantMembers = Object.keys(members) as readonly (keyof Tenant)[];

/**
 * A tenant from what was written for it.
 *
 * @throws TenantFault that names every fault, and never a value
 */
export function tenantOf(value: unknown): Tenant {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TenantFault(['A tenant must be an object.']);
  }
  const faults: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    try {
      read[name] = memberOf(name, member);
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'is not valid'}.`);
    }
  }
  if (read['azureTenantId'] !== undefined && read['keyVaultUrl'] === undefined) {
    faults.push('azureTenantId says where keyVaultUrl is, and there is none.');
  }
  if (faults.length > 0) throw new TenantFault(faults);
  return read;
}

function memberOf(name: string, member: unknown): unknown {
  const known = tenantMembers.find((candidate) => candidate === name);
  if (known === undefined) throw new Error(`is no member of a tenant; it has ${tenantMembers.join(', ')}`);
  if (member === undefined) throw new Error('is missing');
  return members[known](member);
}
