import { gddJobFaults } from '../../kit/errors/catalogue.js';
import type { Job } from '../../jobs/job.js';
import type { GddShortcoming } from '../form/gddRecordSources.js';

/** Missing weather: a source that did not answer, or days that should be there by now and that no source has (`gap`). */
export type ShortcomingReason = GddShortcoming['reason'];

/**
 * How long a job still waits for missing weather. A result without it is the last resort, because a short outage must not
 * degrade a result for good.
 */
export interface WeatherPatience {
  /** Number of attempts in a row that the weather services refused. */
  readonly refusals: number;
  /** Whether this attempt is the last: the job waits no longer. */
  readonly isOver: boolean;
}

/** After so many attempts a job goes on without a forecast. */
const FORECAST_TRIES = 3;

/** The patience a job has left. @param now milliseconds since 1970 UTC */
export function weatherPatienceOf({ outage, rerun }: Pick<Job, 'outage' | 'rerun'>, now: number): WeatherPatience {
  // A rerun uses what it gets, because there is an insight already, which only a better one replaces.
  if (rerun !== undefined) return { refusals: 0, isOver: true };
  if (outage?.dependency !== gddJobFaults.weatherUnavailable.dependency) return { refusals: 0, isOver: false };
  return { refusals: outage.refusals, isOver: now >= outage.until };
}

/** Whether this attempt goes on without something: a forecast is soon out of date, past days and reference years are not. */
export function doesWithout(what: ShortcomingReason, { refusals, isOver }: WeatherPatience): boolean {
  return isOver || what === 'gap' || (what === 'forecast' && refusals >= FORECAST_TRIES - 1);
}
