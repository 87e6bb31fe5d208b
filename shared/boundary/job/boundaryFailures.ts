import type { JobFault } from '../../kit/errors/fault.js';
import type { BoundaryRefusal } from '../predict/predictBoundary.js';
import { DataManagerError } from '../../jobs/dataManager/dataManager.js';
import type { IngestJob } from '../../jobs/dataManager/scenes.js';
import { boundaryJobFaults } from '../../kit/errors/boundaryFaults.js';
import { JobFailure } from '../../kit/errors/serviceError.js';
import { LicenceError } from '../../access/licence/imageryLicence.js';
import type { PassedScene } from '../stack/chosenScenes.js';
import type { BoundaryJobParameters } from '../form/smartBoundaryParameters.js';

/** One message for an unknown party, a party of another tenant and an unknown farm. */
export const unknownFarm = ({ partyId, resourceId }: BoundaryJobParameters, options?: ErrorOptions): JobFailure =>
  failure(
    boundaryJobFaults.farmNotFound,
    `The party ${partyId} has no farm ${resourceId} that your tenant owns.`,
    options,
  );

/** The job's failure for an error of reading the farm; other errors as they are. */
export function farmReadFailure(error: unknown, parameters: BoundaryJobParameters): unknown {
  if (!(error instanceof DataManagerError)) return error;
  if (error.kind === 'not_found') return unknownFarm(parameters, { cause: error });
  if (error.kind !== 'bad_request') return error;
  const farm = `the farm ${parameters.resourceId} of the party ${parameters.partyId}`;
  const text = `The data manager refuses to look for ${farm} (HTTP ${error.status}).`;
  return failure(boundaryJobFaults.farmNotFound, text, { cause: error });
}

/** The job's failure for a search field that the data manager refuses; other errors as they are. */
export function searchFieldFailure(error: unknown): unknown {
  if (!(error instanceof DataManagerError) || error.kind !== 'bad_request') return error;
  const text = `The data manager does not take the search region as a field (HTTP ${error.status}).`;
  return failure(boundaryJobFaults.ingestFailed, text, { cause: error });
}

/** The job's failure for a licence that cannot be read; other errors as they are. */
export function licenceFailure(error: unknown): unknown {
  if (!(error instanceof LicenceError)) return error;
  const fault = error.kind === 'missing' ? boundaryJobFaults.licenceGone : boundaryJobFaults.vaultUnavailable;
  return failure(fault, error.message, { cause: error });
}

/**
 * The job's failure for an ingest that the data manager refuses; other errors as they are. The farm has just been read
 * and the search field written with the same identity, so the refusal must be due to the licence.
 */
export function ingestStartFailure(error: unknown): unknown {
  if (!(error instanceof DataManagerError)) return error;
  const isRefused = error.kind === 'bad_request' || error.status === 403;
  if (!isRefused) return error;
  const text = `The data manager does not order imagery with the licence in your key vault (HTTP ${error.status}).`;
  return failure(boundaryJobFaults.licenceRefused, text, { cause: error });
}

/** Words in an error code that point to the licence; the data manager documents no codes. */
const OF_LICENCE = /credential|licen[cs]e|secret|client|unauthori[sz]ed|forbidden|denied|quota|subscription/i;

/** An ingest that ended without success. */
export function ingestFailure({ status, errorCode = '' }: IngestJob): JobFailure {
  const code = /^[A-Za-z0-9_.-]{1,64}$/.test(errorCode) ? ` with the code ${errorCode}` : '';
  if (status === 'failed' && OF_LICENCE.test(errorCode)) {
    const text = `The ingest of satellite scenes failed${code}: the imagery provider refuses the licence.`;
    return failure(boundaryJobFaults.licenceRefused, text);
  }
  const end = status === 'cancelled' ? 'was cancelled in the data manager' : `failed${code}`;
  return failure(boundaryJobFaults.ingestFailed, `The ingest of satellite scenes ${end}.`);
}

/** The deadline passed while the job waited. */
export const tooLate = (phase: string): JobFailure => {
  const fault = phase === 'slot' ? boundaryJobFaults.noSlot : boundaryJobFaults.tooSlow;
  return failure(fault, fault.cause);
};

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
