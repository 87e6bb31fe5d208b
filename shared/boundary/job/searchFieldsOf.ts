import { insightIdOf } from '../../jobs/steps/insightId.js';
import { solutionOf, type Job } from '../../jobs/job.js';
import { searchFieldIdOf } from './searchField.js';
import type { Round } from '../stack/searchRegion.js';

const rounds: readonly Round[] = [0, 1];

/** The party of a Smart Boundary job and the search fields that it may have made there; undefined for other jobs. */
export function searchFieldsOf(
  job: Job,
): { readonly partyId: string; readonly fieldIds: readonly string[] } | undefined {
  const { partyId } = job.parameters;
  if (job.solution !== solutionOf('smartBoundary') || typeof partyId !== 'string') return undefined;
  const insightId = insightIdOf(job);
  return { partyId, fieldIds: rounds.map((round) => searchFieldIdOf(insightId, round)) };
}
