/**
 * When a season may be made of less than it should be. Making do is the last resort: a short outage must not degrade a
 * result for good.
 */
import { gddJobFaults } from '../errors/catalogue.js';
import type { Job } from '../jobs/job.js';

/** What a result had to do without although a source has it; the result says so as `incomplete`. */
export type Shortcoming = 'forecast' | 'archive' | 'normals';

/** How long the weather services have refused a job already. */
export interface WeatherPatience {
  /** Tries that failed, one after the other. */
  readonly refusals: number;
  /** The job waits no longer: this try is its last. */
  readonly isOver: boolean;
}

/** A forecast that can't be had in so many tries is done without. */
const FORECAST_TRIES = 3;

/** The patience a job has left. @param now milliseconds since 1970 UTC */
export function weatherPatienceOf({ outage }: Pick<Job, 'outage'>, now: number): WeatherPatience {
  if (outage?.dependency !== gddJobFaults.weatherUnavailable.dependency) return { refusals: 0, isOver: false };
  return { refusals: outage.refusals, isOver: now >= outage.until };
}

/** Whether this try does without: a forecast is soon out of date, days that were and reference years stay the same. */
export function doesWithout(what: Shortcoming, { refusals, isOver }: WeatherPatience): boolean {
  return isOver || (what === 'forecast' && refusals >= FORECAST_TRIES - 1);
}
