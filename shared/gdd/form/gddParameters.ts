import type { RecordOf } from '../../jobs/insight/recordSchema.js';
import type { JsonObject } from '../../kit/json/json.js';
import { isDay } from '../../kit/validation/calendar.js';
import { crops } from '../days/crops.js';
import { type GddEcho, startEvents } from './gddSchemas.js';

/** The parameters of a GDD job as create stores and echoes them; both days belong to the season. */
export type StoredGddParameters = RecordOf<typeof GddEcho>;

/** What the first day of a season is to the crop. */
export type StartEvent = (typeof startEvents)[number];

/**
 * Reads the stored parameters of a job.
 *
 * @throws Error when they are not what create stores: a fault of this service, not of the caller
 */
export function gddParametersOf(parameters: JsonObject): StoredGddParameters {
  const { partyId, resourceId, crop, gddStartDate, gddEndDate, temperatureUnit, startEvent } = parameters;
  const knownCrop = crops.find((each) => each === crop);
  const isUnit = temperatureUnit === 'C' || temperatureUnit === 'F';
  if (typeof partyId !== 'string' || typeof resourceId !== 'string' || knownCrop === undefined || !isUnit) {
    throw new Error('The stored parameters are not those of a GDD job.');
  }
  if (!isDay(gddStartDate) || !isDay(gddEndDate) || gddStartDate > gddEndDate) {
    throw new Error('The stored dates are not those of a GDD job.');
  }
  const parts = { partyId, resourceType: 'FIELD', resourceId, crop: knownCrop } as const;
  return { ...parts, gddStartDate, gddEndDate, temperatureUnit, ...startEventOf(startEvent) };
}

function startEventOf(stored: unknown): Pick<StoredGddParameters, 'startEvent'> {
  if (stored === undefined) return {};
  const startEvent = startEvents.find((each) => each === stored);
  if (startEvent === undefined) throw new Error('The stored start event is not that of a GDD job.');
  return { startEvent };
}
