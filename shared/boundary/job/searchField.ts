import { DataManagerError, SEARCH_REGION, type DataManager } from '../../jobs/dataManager/dataManager.js';
import { deterministicId } from '../../kit/ids.js';
import { farmReadFailure } from './boundaryFailures.js';
import type { Round, SearchRegion } from '../stack/searchRegion.js';
import type { BoundaryJobParameters } from '../form/smartBoundaryParameters.js';

/** What a job asks farm data for. */
export interface FarmSearch {
  readonly dataManager: DataManager;
  readonly parameters: BoundaryJobParameters;
  readonly jobId: string;
  readonly signal: AbortSignal;
}

/** A search in one region, which is written as a field of the farm. */
export interface RegionSearch extends FarmSearch {
  readonly region: SearchRegion;
  readonly fieldId: string;
}

/** The id of the search field of a round; it follows from the insight id, so that every attempt uses the same one. */
export const searchFieldIdOf = (insightId: string, round: Round): string =>
  deterministicId(insightId, 'search-field', String(round));

/** Checks that the farm exists. @throws JobFailure when the party has no such farm */
export async function requireFarm({ dataManager, parameters, signal }: FarmSearch): Promise<void> {
  await dataManager.getFarm(parameters.partyId, parameters.resourceId, signal).catch((error: unknown) => {
    throw farmReadFailure(error, parameters);
  });
}

/**
 * Writes the region as a field of the farm.
 *
 * @throws JobFailure when the farm has gone meanwhile, DataManagerError while the field itself is being deleted
 */
export async function writeSearchField(search: RegionSearch): Promise<void> {
  const { dataManager, parameters, region, fieldId, signal } = search;
  const field = {
    farmId: parameters.resourceId,
    name: 'Smart Boundary search region',
    description: `Rectangle in which the Smart Boundary job ${search.jobId} looks for a field; it is no field itself.`,
    geometry: region.polygon,
    status: SEARCH_REGION,
  };
  await dataManager.putField(parameters.partyId, fieldId, field, signal).catch(async (error: unknown) => {
    // The refusal doesn't say whether the farm has gone or somebody deletes the field, which a later attempt writes anew.
    if (error instanceof DataManagerError && error.kind !== 'unavailable') await requireFarm(search);
    throw error;
  });
}
