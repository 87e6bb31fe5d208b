import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { limiter, type Limiter } from '../../kit/limiter.js';

interface Line {
  readonly inTurn: Limiter;
  /** Those that run or wait. */
  length: number;
}

/** Limits of each tenant by itself. */
export interface TurnLimits {
  /** Pieces that may wait, the running one included. */
  readonly most: number;
  /** How long a piece may wait, in ms; as long as it takes when absent. */
  readonly waitMs?: number;
}

/** Runs dear work, one piece of each tenant at a time: whatever one asks for, the others wait for one piece of it at most. */
export class TenantTurns {
  readonly #lines = new Map<string, Line>();
  readonly #limits: TurnLimits;
  readonly #now: () => number;

  /** @param now a clock in ms that never goes back */
  constructor(limits: TurnLimits, now = (): number => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** @throws ServiceError 429 when as many of the tenant wait as may, 503 when those in front took too long */
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const { most, waitMs = Infinity } = this.#limits;
    const line = this.#lines.get(tenant) ?? { inTurn: limiter(1), length: 0 };
    if (line.length >= most) throw tooManyAtOnce();
    line.length += 1;
    this.#lines.set(tenant, line);
    const since = this.#now();
    try {
      return await line.inTurn(() => {
        if (this.#now() - since > waitMs) throw tooSlow();
        return work();
      });
    } finally {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(tenant);
    }
  }
}

const tooManyAtOnce = (): ServiceError =>
  new ServiceError(
    commonFaults.tooManyRequests,
    'Too many requests that read large geometries wait for each other; wait 2 s, and send fewer at once.',
    { retryAfterSeconds: 2 },
  );

const tooSlow = (): ServiceError =>
  new ServiceError(
    commonFaults.unavailable,
    'Geometries that were asked for before took too long to be read; try again in 5 s, and send fewer at once.',
  );
