import type { Clock } from '../clock.js';
import { ServiceError } from '../errors/serviceError.js';
import { metNorway } from './metNorwaySource.js';
import { WeatherError } from './weatherSource.js';

/**
 * Requests to MET Norway of all instances together. Its terms allow 20 a second; instances use what they have taken
 * out of the common store within five seconds, so that the most that can come together in one second is below that.
 */
export const metNorwayRate = { perSecond: 3, burst: 3 } as const;

export interface TurnPorts {
  /** Lets a request pass, or throws ServiceError 429 with the seconds to wait, 503 when its store is away. */
  readonly limit: () => Promise<void>;
  readonly clock: Clock;
}

/** Who has waited so often leaves the wait to the job. */
const mostWaits = 10;

/** Resolves when a request may be made. @throws WeatherError when that takes too long */
export const metNorwayTurn =
  ({ limit, clock }: TurnPorts) =>
  async (): Promise<void> => {
    for (let waits = 0; ; waits += 1) {
      try {
        await limit();
        return;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const { status } = error.fault;
        if (status !== 429) throw new WeatherError('unavailable', metNorway, 'was not asked.', { cause: error });
        const retryAfterSeconds = error.retryAfterSeconds ?? 1;
        if (waits >= mostWaits)
          throw new WeatherError('unavailable', metNorway, 'has more to do than it allows.', { retryAfterSeconds });
        await clock.sleep(retryAfterSeconds * 1000);
      }
    }
  };
