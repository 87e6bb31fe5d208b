import { commonFaults } from '../../kit/errors/catalogue.js';
import type { Place, WorkKey } from '../../work/item/workItem.js';
import type { RemovedParts } from '../insights/insightStore.js';
import { idKeyOf, type LandKey } from '../land/land.js';
import { FARM_WORK_PREFIX } from '../upkeep/farmWorkStore.js';

/** The kind of the work that deletes a party, farm or field with all that lies below it. */
export const CASCADE = 'cascade';

/** What the keys of cascade deletes begin with, as their callers see them. */
export const CASCADE_PREFIX = `${FARM_WORK_PREFIX}${CASCADE}|`;

/** How many were deleted below a resource. */
export interface CascadeCounts extends Omit<RemovedParts, 'days'> {
  readonly farms: number;
  readonly fields: number;
}

/** How far the work has come behind the mark of its resource. */
export interface CascadeProgress {
  /** Number of the step that comes next. */
  readonly step: number;
  readonly counts: CascadeCounts;
}

/** A cascade delete as its caller sees it. Instants are milliseconds since 1970 UTC. */
export interface CascadeJob {
  readonly id: string;
  /** What is deleted with all that lies below it. */
  readonly target: LandKey;
  readonly status: 'Waiting' | 'Running' | 'Succeeded' | 'Failed';
  readonly message?: string;
  readonly errorCode?: string;
  readonly createdAt: number;
  readonly lastActionAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** The work of the cascade delete of this id; each kind of resource has ids of its own. */
export const workOfCascade = ({ tenant, kind }: Pick<LandKey, 'tenant' | 'kind'>, jobId: string): WorkKey => ({
  kind: CASCADE,
  id: `${tenant}|${kind}|${idKeyOf(jobId)}`,
});

const STEP = 'delete';

export const placeOfCascade = (progress: CascadeProgress): Place => ({
  step: STEP,
  state: { step: progress.step, counts: { ...progress.counts } },
});

/** Undefined before the resource is marked. */
export const progressOfCascade = (place: Place | undefined): CascadeProgress | undefined =>
  place?.state as CascadeProgress | undefined;

export const runningJob = (job: CascadeJob, now: number): CascadeJob => ({
  ...job,
  status: 'Running',
  startedAt: job.startedAt ?? now,
  lastActionAt: now,
});

export function succeededJob(job: CascadeJob, counts: CascadeCounts, now: number): CascadeJob {
  const message = `Deleted the ${job.target.kind} with ${wordsOf(counts)}.`;
  return { ...job, status: 'Succeeded', message, ...endedAt(job, now) };
}

export const failedJob = (job: CascadeJob, now: number): CascadeJob => ({
  ...job,
  status: 'Failed',
  message: 'Every attempt failed; ask for the deletion again under another id.',
  errorCode: commonFaults.internal.code,
  ...endedAt(job, now),
});

const endedAt = ({ startedAt }: CascadeJob, now: number) => ({
  startedAt: startedAt ?? now,
  endedAt: now,
  lastActionAt: now,
});

const wordsOf = ({ farms, fields, insights, attachments }: CascadeCounts): string =>
  `${farms} farms, ${fields} fields, ${insights} insights and ${attachments} attachments`;
