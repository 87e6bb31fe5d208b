import { typeOfLand } from '../insights/farmInsight.js';
import type { WireObject } from '../wire/resourceRules.js';
import { wireTime } from '../wire/wireTime.js';
import type { CascadeJob } from './cascadeJob.js';

/** A cascade delete as callers see it: `CascadeDeleteJob` of the wire. */
export function cascadeView(job: CascadeJob): WireObject {
  const { id, target, status, message, errorCode, createdAt, lastActionAt, startedAt, endedAt } = job;
  const ended =
    startedAt === undefined || endedAt === undefined
      ? {}
      : { endTime: wireTime(endedAt), durationInSeconds: Math.round((endedAt - startedAt) / 1000) };
  return {
    id,
    partyId: target.partyId,
    resourceId: target.id,
    resourceType: typeOfLand[target.kind],
    status,
    ...(message === undefined ? {} : { message }),
    ...(errorCode === undefined ? {} : { errorCode }),
    createdDateTime: wireTime(createdAt),
    lastActionDateTime: wireTime(lastActionAt),
    ...(startedAt === undefined ? {} : { startTime: wireTime(startedAt) }),
    ...ended,
  };
}
