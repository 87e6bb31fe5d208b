import type { Clock } from '../clock.js';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import { openCursor, sealCursor, type CursorKeys } from '../listCursor.js';
import { jobKinds, solutionOf, type JobKind, type JobStatus } from './job.js';
import type { JobPages, ListedJob } from './jobPorts.js';

export interface ListJobsPorts {
  readonly jobPages: JobPages;
  readonly cursorKeys: CursorKeys;
  readonly clock: Pick<Clock, 'now'>;
}

export interface JobListRequest {
  readonly kind?: JobKind;
  readonly status?: JobStatus;
  readonly cursor?: string;
  readonly limit?: number;
}

const DEFAULT_LIMIT = 50;
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
    { kind, status, cursor, limit = DEFAULT_LIMIT }: JobListRequest,
  ): Promise<{ readonly items: readonly ListedJob[]; readonly cursor: string | null }> => {
    const seal = { keys, now: clock.now().getTime() };
    const scope = ['job-list', tenant, kind ?? null, status ?? null];
    const after = cursor === undefined ? undefined : openCursor(cursor, scope, seal);
    if (cursor !== undefined && after === undefined) throw badCursor();
    const size = Math.min(limit, MAX_LIMIT);
    const found = await jobPages.listOf(tenant, {
      solutions: (kind === undefined ? jobKinds : [kind]).map(solutionOf),
      ...(status === undefined ? {} : { status }),
      ...(after === undefined ? {} : { after }),
      limit: size + 1,
    });
    const page = found.slice(0, size);
    const last = found.length > size ? page.at(-1) : undefined;
    const next = last === undefined ? null : sealCursor(scope, last.position, seal);
    return { items: page.map(({ job }) => job), cursor: next };
  };

const badCursor = (): ServiceError =>
  new ServiceError(
    commonFaults.badRequest,
    'query.cursor is not a cursor of this list; begin at the first page, with the same kind and status throughout.',
  );
