import type { Clock } from '../../kit/clock.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { listPage, type CursorKeys, type PageRequest } from '../../kit/listCursor.js';
import { jobKinds, solutionOf, type JobKind, type JobStatus } from '../job.js';
import type { JobPages, ListedJob } from '../jobPorts.js';

export interface ListJobsPorts {
  readonly jobPages: JobPages;
  readonly cursorKeys: CursorKeys;
  readonly clock: Pick<Clock, 'now'>;
}

export interface JobListRequest extends PageRequest {
  readonly kind?: JobKind;
  readonly status?: JobStatus;
}

const MAX_LIMIT = 200;

/**
 * One page of the tenant's jobs, newest first.
 *
 * Every job that was there at the first page and keeps to the filter is shown exactly once, whatever is created
 * meanwhile.
 *
 * @throws ServiceError 400 for a cursor that is not of this tenant and filter
 */
export const listJobs =
  ({ jobPages, cursorKeys: keys, clock }: ListJobsPorts) =>
  async (
    tenant: string,
    { kind, status, ...request }: JobListRequest,
  ): Promise<{ readonly items: readonly ListedJob[]; readonly cursor: string | null }> => {
    const solutions = (kind === undefined ? jobKinds : [kind]).map(solutionOf);
    const filter = status === undefined ? { solutions } : { solutions, status };
    const scope = ['job-list', tenant, kind ?? null, status ?? null];
    const list = { scope, most: MAX_LIMIT, keys, now: clock.now().getTime() };
    const page = await listPage(request, list, (after, limit) =>
      jobPages.listOf(tenant, { ...filter, ...(after === undefined ? {} : { after }), limit }),
    );
    if (page === undefined) throw badCursor();
    return { items: page.entries.map(({ job }) => job), cursor: page.cursor };
  };

const badCursor = (): ServiceError =>
  new ServiceError(
    commonFaults.badRequest,
    'query.cursor is not a cursor of this list; begin at the first page, with the same kind and status throughout.',
  );
