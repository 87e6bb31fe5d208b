import { DataManagerError } from '../../jobs/dataManager/dataManager.js';
import { gddJobFaults } from '../../kit/errors/catalogue.js';
import type { JobFault } from '../../kit/errors/fault.js';
import { JobFailure } from '../../kit/errors/serviceError.js';
import type { Day } from '../weather/fieldDays.js';
import type { WeatherError } from '../weather/weatherSource.js';
import type { GatheredSeason } from './gatherSeason.js';
import type { StoredGddParameters } from '../form/gddParameters.js';
import { type Completeness, spansInWords } from '../days/season.js';

/** One message for an unknown party, a party of another tenant and an unknown field. */
const unknownField = ({ partyId, resourceId }: StoredGddParameters, options: ErrorOptions = {}): JobFailure =>
  failure(
    gddJobFaults.fieldNotFound,
    `The party ${partyId} has no field ${resourceId} that your tenant owns.`,
    options,
  );

/** A field without a geometry that encloses an area. */
export const noPlace = ({ resourceId }: StoredGddParameters): JobFailure =>
  failure(
    gddJobFaults.fieldWithoutGeometry,
    `The field ${resourceId} has no Polygon or MultiPolygon geometry that encloses an area.`,
  );

/** Ids that the data manager refuses with 400. */
const refusedIds = ({ partyId, resourceId }: StoredGddParameters, cause: DataManagerError): JobFailure =>
  failure(
    gddJobFaults.fieldNotFound,
    `The data manager refuses to look for the field ${resourceId} of the party ${partyId} (HTTP ${cause.status}).`,
    { cause },
  );

/** A fault of the data manager while the field was read, as a fault of the job; other errors unchanged. */
export function fieldReadFailure(error: unknown, parameters: StoredGddParameters): unknown {
  if (!(error instanceof DataManagerError)) return error;
  if (error.kind === 'not_found') return unknownField(parameters, { cause: error });
  if (error.kind === 'bad_request') return refusedIds(parameters, error);
  if (error.kind !== 'unavailable') return error;
  const { dataManagerUnavailable: fault } = gddJobFaults;
  const { retryAfterSeconds } = error;
  return failure(fault, fault.cause, { cause: error, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
}

/** No provider answered a needed request. Waiting helps unless all of them refuse the request itself. */
export function weatherAway(faults: readonly WeatherError[]): JobFailure {
  const waits = faults.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const isRefused = faults.every(({ kind }) => kind === 'refused');
  const fault = isRefused ? gddJobFaults.weatherRefused : gddJobFaults.weatherUnavailable;
  return failure(fault, [...new Set(faults.map(({ message }) => message))].join(' '), {
    cause: faults[0],
    ...(waits.length > 0 && { retryAfterSeconds: Math.max(...waits) }),
  });
}

/** Too many past days that no provider has. */
export function weatherTooIncomplete({ expected, missing }: Completeness, season: GatheredSeason): JobFailure {
  const asked = season.uses.filter(({ product }) => product !== 'reference').map(({ origin }) => origin.provider);
  const providers = [...new Set([...asked, ...season.faults.map(({ provider }) => provider)])].join(', ');
  return failure(
    gddJobFaults.weatherIncomplete,
    `No usable temperatures for ${missing.length} of ${expected} past days (${spansInWords(missing)}) at ${providers}; ` +
      'at most 10 % may be missing.',
    { cause: season.faults[0] },
  );
}

/** Days without weather and without normals. */
export const outOfReach = (open: readonly Day[]): JobFailure =>
  failure(
    gddJobFaults.weatherOutOfReach,
    `Neither weather nor normals are known for ${spansInWords(open)}: no provider has reference years there.`,
  );

function failure(
  fault: JobFault,
  text: string,
  options: ErrorOptions & { readonly retryAfterSeconds?: number } = {},
): JobFailure {
  return new JobFailure(fault, `${text} ${fault.remedy}`, options);
}
