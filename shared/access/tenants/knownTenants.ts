import type { Clock } from '../../kit/clock.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { Tenant } from './tenant.js';
import type { Tenants } from './tenantPorts.js';
import { registerOf, type RegisterRules, type Registration } from './tenantRegister.js';
import type { TenantHold, TenantHoldStore } from './tenantHoldStore.js';
import type { TenantReader } from './tenantStore.js';

/** A reading of the register is used this long, and `STALE_MS` in all while storage cannot be read. */
const FRESH_MS = 60_000;
const STALE_MS = 10 * 60_000;
/** A tenant that is not in the register may be new: for it a reading older than this is replaced. */
const UNKNOWN_MS = 5_000;
/** After a failed reading none is tried for this long. */
const FAILURE_PAUSE_MS = 5_000;

export interface KnownTenantsPorts {
  readonly rows: Pick<TenantReader, 'list'>;
  readonly holds: Pick<TenantHoldStore, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
}

interface Reading {
  readonly register: ReadonlyMap<string, Registration>;
  /** When the reading began: later changes may be missing. */
  readonly at: number;
}

/** The register of tenants, read whole and remembered for a minute, so that requests do not read storage. */
export class KnownTenants implements Tenants {
  readonly #ports: KnownTenantsPorts;
  readonly #rules: RegisterRules;
  #reading: Reading | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #inFlight: Promise<void> | undefined;

  constructor(ports: KnownTenantsPorts, rules: RegisterRules) {
    this.#ports = ports;
    this.#rules = rules;
  }

  async find(tid: string): Promise<Tenant | undefined> {
    let found = (await this.#register(FRESH_MS)).get(tid);
    found ??= (await this.#register(UNKNOWN_MS)).get(tid);
    if (found?.state === 'unusable') throw misconfigured(found.reason);
    return found?.state === 'enabled' ? found.tenant : undefined;
  }

  async isEmpty(): Promise<boolean> {
    if ((await this.#register(FRESH_MS)).size > 0) return false;
    return (await this.#register(UNKNOWN_MS)).size === 0;
  }

  /** The register, read again when the last reading is older than `freshMs`. */
  async #register(freshMs: number): Promise<Reading['register']> {
    if (this.#needsReading(freshMs))
      await (this.#inFlight ??= this.#read().finally(() => (this.#inFlight = undefined)));
    const reading = this.#reading;
    if (reading === undefined || this.#now() - reading.at > STALE_MS) {
      throw new ServiceError(commonFaults.unavailable, 'The register of tenants cannot be read right now.');
    }
    return reading.register;
  }

  #needsReading(freshMs: number): boolean {
    if (this.#now() - this.#failedAt < FAILURE_PAUSE_MS) return false;
    return this.#reading === undefined || this.#now() - this.#reading.at > freshMs;
  }

  /** After a failed reading the old register stays in use: for some minutes it is better than none. */
  async #read(): Promise<void> {
    const at = this.#now();
    try {
      const [rows, holds] = await Promise.all([this.#ports.rows.list(), this.#ports.holds.list()]);
      this.#reading = { register: withHolds(registerOf(rows, this.#rules), holds), at };
    } catch {
      this.#failedAt = this.#now();
    }
  }

  #now(): number {
    return this.#ports.clock.now().getTime();
  }
}

/** The register in which a tenant that is held counts as disabled. */
function withHolds(register: Reading['register'], holds: readonly TenantHold[]): Reading['register'] {
  const held = new Set(holds.map(({ tid }) => tid));
  const seen = (tid: string, found: Registration): Registration =>
    found.state === 'enabled' && held.has(tid) ? { ...found, state: 'disabled' } : found;
  return new Map([...register].map(([tid, found]) => [tid, seen(tid, found)]));
}

function misconfigured(reason: string): ServiceError {
  const text = 'The registration of your tenant at this service cannot be used; its operator has to mend it.';
  return new ServiceError(commonFaults.tenantMisconfigured, text, { cause: new Error(reason) });
}
