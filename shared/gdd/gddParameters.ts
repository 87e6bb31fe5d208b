import type { JsonObject } from '../json.js';
import type { Day } from '../weather/calendar.js';
import { isDay } from '../validation/calendar.js';
import type { Crop } from './crops.js';
import { crops } from './crops.js';
import { startEvents } from './gddSchemas.js';
import type { TemperatureUnit } from './temperature.js';

/** What a GDD job is asked for, in the canonical form that the create operation stores. */
export interface GddParameters {
  readonly partyId: string;
  readonly resourceType: 'FIELD';
  readonly resourceId: string;
  readonly crop: Crop;
  /** Both days belong to the season. */
  readonly gddStartDate: Day;
  readonly gddEndDate: Day;
  readonly temperatureUnit: TemperatureUnit;
  /** What gddStartDate is to the crop; PLANTING when absent. */
  readonly startEvent?: StartEvent;
}

export type StartEvent = (typeof startEvents)[number];

/**
 * Reads the stored parameters of a job.
 *
 * @throws Error when they are not what create stores: a fault of ours, never of the caller
 */
export function gddParametersOf(parameters: JsonObject): GddParameters {
  const { partyId, resourceId, crop, gddStartDate, gddEndDate, temperatureUnit, startEvent } = parameters;
  const knownCrop = crops.find((each) => each === crop);
  const isUnit = temperatureUnit === 'C' || temperatureUnit === 'F';
  if (typeof partyId !== 'string' || typeof resourceId !== 'string' || knownCrop === undefined || !isUnit) {
    throw new Error('The stored parameters are not those of a GDD job.');
  }
  if (!isStoredDay(gddStartDate) || !isStoredDay(gddEndDate) || gddStartDate > gddEndDate) {
    throw new Error('The stored dates are not those of a GDD job.');
  }
  const parts = { partyId, resourceType: 'FIELD', resourceId, crop: knownCrop } as const;
  return { ...parts, gddStartDate, gddEndDate, temperatureUnit, ...startEventOf(startEvent) };
}

const isStoredDay = (value: unknown): value is Day => typeof value === 'string' && isDay(value);

function startEventOf(stored: unknown): Pick<GddParameters, 'startEvent'> {
  if (stored === undefined) return {};
  const startEvent = startEvents.find((each) => each === stored);
  if (startEvent === undefined) throw new Error('The stored start event is not that of a GDD job.');
  return { startEvent };
}
