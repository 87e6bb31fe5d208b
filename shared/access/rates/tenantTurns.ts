import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { limiter, type Limiter } from '../../kit/limiter.js';

interface Line {
  readonly inTurn: Limiter;
  /** Those that run or wait. */
  length: number;
}

/** Runs dear work, one piece of each tenant at a time: whatever one asks for, the others wait for one piece of it at most. */
export class TenantTurns {
  readonly #lines = new Map<string, Line>();
  readonly #most: number;

  /** @param most pieces of one tenant that may wait, the running one included */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws ServiceError 429 when as many of the tenant wait as may */
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(tenant) ?? { inTurn: limiter(1), length: 0 };
    if (line.length >= this.#most) throw tooManyAtOnce();
    line.length += 1;
    this.#lines.set(tenant, line);
    try {
      return await line.inTurn(work);
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
