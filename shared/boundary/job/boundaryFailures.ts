import type { JobFault } from '../../kit/errors/fault.js';
import type { BoundaryRefusal } from '../predict/predictBoundary.js';
import { DataManagerError } from '../../jobs/dataManager/dataManager.js';
import { boundaryJobFaults } from '../../kit/errors/boundaryFaults.js';
import { JobFailure } from '../../kit/errors/serviceError.js';
import { EgressRefused } from '../../kit/outbound/egressRule.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { CatalogueError } from '../../scenes/stac/catalogueError.js';
import type { PassedScene } from '../stack/chosenScenes.js';
import type { BoundaryJobParameters } from '../form/smartBoundaryParameters.js';

/**
 * The job's failure for a farm that is not there, whether the party is unknown, another tenant's or without this farm;
 * other errors of reading it as they are.
 */
export function farmReadFailure(error: unknown, { partyId, resourceId }: BoundaryJobParameters): unknown {
  if (!(error instanceof DataManagerError) || error.kind !== 'not_found') return error;
  const text = `The party ${partyId} has no farm ${resourceId} that your tenant owns.`;
  return failure(boundaryJobFaults.farmNotFound, text, { cause: error });
}

/** Whether the cause of an error is an address that must not be called. */
const isRefusedAddress = (error: unknown): boolean =>
  error instanceof EgressRefused || (error instanceof Error && isRefusedAddress(error.cause));

/**
 * Whether reading a file may succeed later: its host is away, or must not be called by the settings. A file that is broken
 * for good, or that its host refuses while it gives others, stays so.
 */
export const mayPass = (error: RasterError): boolean =>
  (error.isTransient && error.kind !== 'refused') || isRefusedAddress(error);

/** The job's failure for scenes that cannot be had now; other errors as they are. */
export function sceneFailure(error: unknown): unknown {
  const isAway = error instanceof CatalogueError || (error instanceof RasterError && mayPass(error));
  if (!isAway) return error;
  const pause = error instanceof CatalogueError ? error.retryAfterSeconds : undefined;
  return new JobFailure(
    boundaryJobFaults.dataManagerUnavailable,
    'The data manager could not be reached. Create the job again later.',
    { cause: error, ...(pause === undefined ? {} : { retryAfterSeconds: pause }) },
  );
}

/** No scene shows the point; scenes that could not be used are named as the reason. */
export function nothingToSee(
  { imageStartDate, imageEndDate }: BoundaryJobParameters,
  passed: readonly PassedScene[],
): JobFailure {
  const lost = passed.filter(({ kind }) => kind === 'lost');
  if (lost.length > 0) {
    const text = `None of the scenes could be used: ${listed(lost)}.`;
    return failure(boundaryJobFaults.scenesUnreadable, text);
  }
  const text = `No satellite scene shows the point between ${imageStartDate} and ${imageEndDate}.`;
  return failure(boundaryJobFaults.noScenes, text);
}

const REFUSALS: Readonly<Record<BoundaryRefusal['reason'], { readonly fault: JobFault; readonly text: string }>> = {
  'no-clear-date': { fault: boundaryJobFaults.allClouded, text: 'The point cannot be seen on any day' },
  'not-farmland': {
    fault: boundaryJobFaults.noField,
    text: 'No field boundary could be recognised here: the scenes show water or other ground without fields',
  },
  'no-field': { fault: boundaryJobFaults.noField, text: 'No field boundary could be recognised here' },
};

/** A prediction that found no field. */
export function refusal({ reason, dates }: BoundaryRefusal): JobFailure {
  const { fault, text } = REFUSALS[reason];
  const why =
    reason === 'no-clear-date'
      ? `: ${listed(dates)}`
      : ` on ${dates.filter(({ isUsed }) => isUsed).length} clear day(s)`;
  return failure(fault, `${text}${why}.`);
}

/** The first six days with their reasons. */
function listed(scenes: readonly { readonly date: string; readonly reason?: string }[]): string {
  const shown = scenes.slice(0, 6).map(({ date, reason = 'unknown' }) => `${date} (${reason})`);
  const more = scenes.length > shown.length ? ` and ${scenes.length - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

function failure(fault: JobFault, text: string, options: ErrorOptions = {}): JobFailure {
  return new JobFailure(fault, `${text} ${fault.remedy}`, options);
}
