import type { Clock } from '../../../kit/clock.js';
import { ServiceError } from '../../../kit/errors/serviceError.js';
import { metNorway } from './metNorwaySource.js';
import { WeatherError } from '../weatherSource.js';

/**
 * Limit of the requests of all instances to MET Norway, whose terms allow 20 a second. An instance may use what it has
 * taken from the shared store up to five seconds later; even then fewer than 20 requests fall within one second.
 */
export const metNorwayRate = { perSecond: 3, burst: 3 } as const;

interface TurnPorts {
  /** Lets a request pass, or throws ServiceError 429 with the seconds to wait, 503 when its store is away. */
  readonly limit: () => Promise<void>;
  readonly clock: Clock;
}

/** After so many waits the job waits instead. */
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
