import { DataManagerError } from '../../jobs/dataManager/dataManager.js';
import { CatalogueError } from '../stac/catalogueError.js';
import { EgressRefused } from '../../kit/outbound/egressRule.js';
import { RasterError } from '../../raster/tiff/rasterError.js';

/** Whether the cause of an error is an address that must not be called. */
const isRefusedAddress = (error: unknown): boolean =>
  error instanceof EgressRefused || (error instanceof Error && isRefusedAddress(error.cause));

/**
 * What an error of the catalogue or of a file means to jobs, which know errors of data managers alone; other errors stay.
 *
 * When the catalogue or the host of its files is away, or must not be called by the settings, the job tries again. When a
 * file is broken for good, or its host refuses it while it gives others, the job goes on without its scene.
 */
export function sceneFault(error: unknown): unknown {
  if (error instanceof CatalogueError) {
    const { message, retryAfterSeconds } = error;
    const pause = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return new DataManagerError('unavailable', `The catalogue of scenes: ${message}`, { cause: error, ...pause });
  }
  if (!(error instanceof RasterError)) return error;
  const mayPass = (error.isTransient && error.kind !== 'refused') || isRefusedAddress(error);
  return new DataManagerError(mayPass ? 'unavailable' : 'bad_request', error.message, { cause: error });
}
