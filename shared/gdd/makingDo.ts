/**
 * When a season may be made of less than it should be. Making do is the last resort: a short outage must not degrade a
 * result for good.
 */
import { gddJobFaults } from '../errors/catalogue.js';
import type { Job } from '../jobs/job.js';
import type { GddShortcoming } from './gddRecord.js';

/** Why a result had to do without: a source did not answer, or no source has days that should be there by now (`gap`). */
export type ShortcomingReason = GddShortcoming['reason'];

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
export function weatherPatienceOf({ outage, rerun }: Pick<Job, 'outage' | 'rerun'>, now: number): WeatherPatience {
  // There is an insight already: a run takes what it gets, and only what is better takes its place.
  if (rerun !== undefined) return { refusals: 0, isOver: true };
  if (outage?.dependency !== gddJobFaults.weatherUnavailable.dependency) return { refusals: 0, isOver: false };
  return { refusals: outage.refusals, isOver: now >= outage.until };
}

/** Whether this try does without: a forecast is soon out of date, days that were and reference years stay the same. */
export function doesWithout(what: ShortcomingReason, { refusals, isOver }: WeatherPatience): boolean {
  return isOver || what === 'gap' || (what === 'forecast' && refusals >= FORECAST_TRIES - 1);
}
