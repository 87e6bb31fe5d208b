import type { Answer } from '../../kit/answer/answer.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { foldedId, isUuid } from '../../kit/ids.js';
import type { JobStore } from '../jobStore.js';
import type { InsightStore, StoredInsight } from './jobInsight.js';
import { preferredType } from '../../kit/answer/preferredType.js';

/** How a representation is made: from the record, or as a file that the job has stored. */
export type Representation = (() => string) | 'file';

/** The ports of `readInsight`. */
export interface ReadInsightPorts {
  readonly jobs: Pick<JobStore, 'find'>;
  readonly insights: Pick<InsightStore, 'find' | 'findFile'>;
  /** The representations of an insight by content type, the default first. */
  readonly representationsOf: (insight: StoredInsight) => Readonly<Record<string, Representation>>;
}

/**
 * The insight of a SUCCEEDED job of the tenant, in the representation the caller prefers.
 *
 * An insight written for a job that was then cancelled is not answered: the job's status decides.
 *
 * @param accept the `Accept` header
 * @throws ServiceError 404 for an id that is no insight of this tenant, 406 when no representation is acceptable
 */
export const readInsight =
  ({ jobs, insights, representationsOf }: ReadInsightPorts) =>
  async (tenant: string, insightId: string, accept: string): Promise<Answer> => {
    const unknown = new ServiceError(commonFaults.notFound, 'No insight has this id.');
    if (!isUuid(insightId)) throw unknown;
    const id = foldedId(insightId);
    const stored = await insights.find(tenant, id);
    if (stored === undefined || (await jobs.find(stored.job))?.job.insightId !== id) throw unknown;
    const representations = representationsOf(stored);
    const type = preferredType(accept, Object.keys(representations));
    const make = type === undefined ? undefined : representations[type];
    if (type === undefined || make === undefined) {
      const offered = Object.keys(representations).join(', ');
      throw new ServiceError(commonFaults.notAcceptable, `This insight is available as ${offered}.`);
    }
    return make === 'file'
      ? fileAnswer(insights, stored, { tenant, id, type })
      : { status: 200, content: { type, data: make() } };
  };

async function fileAnswer(
  insights: Pick<InsightStore, 'findFile'>,
  stored: StoredInsight,
  { tenant, id, type }: { readonly tenant: string; readonly id: string; readonly type: string },
): Promise<Answer> {
  const file = await insights.findFile(tenant, id, type);
  if (file === undefined) throw new Error(`The insight of job ${stored.job.jobId} has no file of type ${type}.`);
  return { status: 200, content: { type, data: file.data } };
}
