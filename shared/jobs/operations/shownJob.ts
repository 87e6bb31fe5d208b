import type { WorkItem } from '../../work/item/workItem.js';
import type { Job } from '../job.js';

/** A job for operators, with what is still to be done about it: its instants are texts. */
export const shownJob = (job: Job, work?: WorkItem): unknown =>
  JSON.parse(
    JSON.stringify({ ...job, work }, (name, value: unknown) =>
      instants.has(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
    ),
  );

const instants = new Set([
  ...['createdAt', 'lastActionAt', 'startedAt', 'endedAt', 'dueAt', 'nextAt', 'notBefore', 'checkAt', 'askedAt'],
  ...['at', 'since', 'until', 'untoldSince'],
]);
