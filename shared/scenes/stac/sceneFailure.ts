import { ServiceError } from '../../kit/errors/serviceError.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { usualPace } from '../../kit/retryDelay.js';
import type { Failure, RetryPolicies } from '../../work/item/retry.js';
import { CatalogueError } from './catalogueError.js';

function isAway(error: unknown): boolean {
  if (error instanceof CatalogueError) return error.fault === 'unavailable';
  if (error instanceof RasterError) return error.isTransient;
  return error instanceof ServiceError && error.fault.status === 503;
}

/** Whether a host has refused a file, or to sign its address. */
const isRefusal = (error: unknown): boolean =>
  (error instanceof RasterError && error.kind === 'refused') ||
  (error instanceof CatalogueError && error.fault === 'refused');

/** Why work failed, in words for customers: errors of the service's own code are not described. */
function reasonOf(error: unknown): string {
  const isTold = error instanceof CatalogueError || error instanceof RasterError || error instanceof ServiceError;
  return isTold ? error.message : 'an error of the service';
}

/** The class of an error of work that reads scenes. */
export function failureOfScenes(error: unknown): Failure {
  const retryAfterSeconds =
    error instanceof CatalogueError || error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  const failureClass = isRefusal(error) ? 'refusal' : isAway(error) ? 'outage' : 'fault';
  return { failureClass, reason: reasonOf(error), retryAfterSeconds };
}

/** Whether an error says that another system is away for now. */
export const isOutage = (error: unknown): boolean => failureOfScenes(error).failureClass === 'outage';

const HOUR_MS = 3_600_000;

/** When work that reads scenes is tried again: after an outage for more than a day, after a refusal for two to four days. */
export const retryOfScenes: RetryPolicies = {
  fault: { ...usualPace, maximumAttempts: 5 },
  outage: { ...usualPace, maximumAttempts: 250 },
  refusal: { ...usualPace, maximumMs: 4 * HOUR_MS, maximumAttempts: 30 },
};
