import type { Position } from '../../geo/shapes/geoJson.js';
import type { JsonObject, JsonValue } from '../../kit/json/json.js';
import { isDay } from '../../kit/validation/calendar.js';

/** Parameters of a Smart Boundary job as they are stored. */
export interface BoundaryJobParameters {
  readonly partyId: string;
  /** Id of the farm. */
  readonly resourceId: string;
  /** First and last day of imagery, both included. */
  readonly imageStartDate: string;
  readonly imageEndDate: string;
  readonly pointOnSurface: Position;
}

/**
 * Reads the stored parameters of a job.
 *
 * @throws Error when they are not what create stores: a fault of the service, never of the caller
 */
export function smartBoundaryParametersOf(parameters: JsonObject): BoundaryJobParameters {
  const { partyId, resourceId, imageStartDate, imageEndDate, pointOnSurface } = parameters;
  const point = positionOf(pointOnSurface);
  if (typeof partyId !== 'string' || typeof resourceId !== 'string' || point === undefined) {
    throw new Error('The stored parameters are not those of a Smart Boundary job.');
  }
  if (!isDay(imageStartDate) || !isDay(imageEndDate) || imageStartDate > imageEndDate) {
    throw new Error('The stored dates are not those of a Smart Boundary job.');
  }
  return { partyId, resourceId, imageStartDate, imageEndDate, pointOnSurface: point };
}

function positionOf(value: JsonValue | undefined): Position | undefined {
  if (typeof value !== 'object' || value === null || !('longitude' in value)) return undefined;
  const { longitude, latitude } = value;
  return typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : undefined;
}
