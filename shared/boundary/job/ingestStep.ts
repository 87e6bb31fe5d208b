import { DataManagerError, SEARCH_REGION, type DataManager } from '../../jobs/dataManager/dataManager.js';
import type { DataManagerSceneQuery, IngestJob } from '../../jobs/dataManager/scenes.js';
import { deterministicId } from '../../kit/ids.js';
import type { LicenceStore } from '../../access/licence/imageryLicence.js';
import { isBeyondBelief } from '../../kit/retryDelay.js';
import { farmReadFailure, ingestStartFailure, licenceFailure, searchFieldFailure } from './boundaryFailures.js';
import { wantedImages } from '../stack/chosenScenes.js';
import type { Round, SearchRegion } from '../stack/searchRegion.js';
import type { BoundaryJobParameters } from '../form/smartBoundaryParameters.js';

/** What the steps of one round share. The ids follow from the insight id, so that every attempt uses the same ones. */
export interface IngestRound {
  readonly dataManager: DataManager;
  readonly parameters: BoundaryJobParameters;
  readonly region: SearchRegion;
  readonly fieldId: string;
  readonly ingestId: string;
  readonly tenant: string;
  readonly jobId: string;
  readonly signal: AbortSignal;
}

/** The ids of the search field and of the ingest of a round. */
export const roundIds = (insightId: string, round: Round): { readonly fieldId: string; readonly ingestId: string } => ({
  fieldId: deterministicId(insightId, 'search-field', String(round)),
  ingestId: deterministicId(insightId, 'ingest', String(round)),
});

/** The query for the scenes of a round. */
export const sceneQuery = ({ parameters, fieldId }: IngestRound): DataManagerSceneQuery => ({
  partyId: parameters.partyId,
  fieldId,
  from: parameters.imageStartDate,
  to: parameters.imageEndDate,
  collection: 'sentinel-2-l2a',
});

/** Checks that the farm exists. @throws JobFailure when the party has no such farm */
export async function requireFarm({ dataManager, parameters, signal }: IngestRound): Promise<void> {
  await dataManager.getFarm(parameters.partyId, parameters.resourceId, signal).catch((error: unknown) => {
    throw farmReadFailure(error, parameters);
  });
}

/** The data manager takes no further ingest now. */
export interface NoRoom {
  readonly status: 'no room';
  /** The pause that the data manager asks for; 0 when it names none. */
  readonly retryAfterSeconds: number;
}

/** Writes the search region as a field of the farm and orders its scenes. */
export async function startIngest(round: IngestRound, licences: LicenceStore): Promise<IngestJob | NoRoom> {
  const { dataManager, parameters, region, fieldId, ingestId, signal } = round;
  const field = {
    farmId: parameters.resourceId,
    name: 'Smart Boundary search region',
    description: `Rectangle in which the Smart Boundary job ${round.jobId} looks for a field; it is no field itself.`,
    geometry: region.polygon,
    status: SEARCH_REGION,
  };
  await dataManager.putField(parameters.partyId, fieldId, field, signal).catch((error: unknown) => {
    throw searchFieldFailure(error);
  });
  const credentials = await licences.get(round.tenant).catch((error: unknown) => {
    throw licenceFailure(error);
  });
  const licensed = credentials === undefined ? {} : { credentials };
  const request = { ...sceneQuery(round), images: wantedImages, resolution: 10, ...licensed } as const;
  try {
    return await dataManager.startSceneIngest(ingestId, request, signal);
  } catch (error) {
    if (isFull(error)) return { status: 'no room', retryAfterSeconds: error.retryAfterSeconds ?? 0 };
    throw ingestStartFailure(error);
  }
}

/**
 * Whether the data manager takes no further ingest: throttled, or a conflict with other ingests (then no ingest of our id
 * exists: `not_found`). A throttle with an unbelievably long pause has another cause.
 */
function isFull(error: unknown): error is DataManagerError {
  if (!(error instanceof DataManagerError)) return false;
  const isThrottled = error.kind === 'throttled' && !isBeyondBelief(error.retryAfterSeconds ?? 0);
  return isThrottled || error.kind === 'not_found';
}

/** The ingest of the round; undefined when the data manager has none of its id. */
export async function findIngest({ dataManager, ingestId, signal }: IngestRound): Promise<IngestJob | undefined> {
  try {
    return await dataManager.getSceneIngest(ingestId, signal);
  } catch (error) {
    if (error instanceof DataManagerError && error.kind === 'not_found') return undefined;
    throw error;
  }
}
