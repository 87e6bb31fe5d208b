import type { Clock } from '../clock.js';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import type { Tenant } from './tenant.js';
import type { TenantRowReader, Tenants } from './tenantPorts.js';
import { registerOf, type RegisterRules, type Registration } from './tenantRegister.js';

/** What was read is used this long, and this long altogether while storage is away. */
const FRESH_MS = 60_000;
const STALE_MS = 10 * 60_000;
/** A tenant that isn't in the register causes a look when what is known is older than this: it may be new. */
const UNKNOWN_MS = 5_000;
/** After a failed look no other starts for this long. */
const FAILURE_PAUSE_MS = 5_000;

export interface KnownTenantsPorts {
  readonly rows: TenantRowReader;
  readonly clock: Pick<Clock, 'now'>;
}

interface Reading {
  readonly register: ReadonlyMap<string, Registration>;
  /** When the look began: later changes may be missing. */
  readonly at: number;
}

/** The register of tenants, read whole and remembered for a minute: a request costs no look into storage. */
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

  /** The register, read anew when what is known is older than `freshMs`. */
  async #register(freshMs: number): Promise<Reading['register']> {
    if (this.#needsLook(freshMs)) await (this.#inFlight ??= this.#look().finally(() => (this.#inFlight = undefined)));
    const reading = this.#reading;
    if (reading === undefined || this.#now() - reading.at > STALE_MS) {
      throw new ServiceError(commonFaults.unavailable, 'The register of tenants cannot be read right now.');
    }
    return reading.register;
  }

  #needsLook(freshMs: number): boolean {
    if (this.#now() - this.#failedAt < FAILURE_PAUSE_MS) return false;
    return this.#reading === undefined || this.#now() - this.#reading.at > freshMs;
  }

  /** A failed look leaves what is known as it is: for some minutes an old register is better than none. */
  async #look(): Promise<void> {
    const at = this.#now();
    try {
      this.#reading = { register: registerOf(await this.#ports.rows.list(), this.#rules), at };
    } catch {
      this.#failedAt = this.#now();
    }
  }

  #now(): number {
    return this.#ports.clock.now().getTime();
  }
}

function misconfigured(reason: string): ServiceError {
  const text = 'The registration of your tenant at this service cannot be used; its operator has to mend it.';
  return new ServiceError(commonFaults.tenantMisconfigured, text, { cause: new Error(reason) });
}
