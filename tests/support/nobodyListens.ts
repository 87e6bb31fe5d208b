import type { Tellers } from '../../shared/wiring/areas/noticeServices.js';
import { noOutbox } from '../../shared/notices/log/outbox.js';
import { tellOfJob } from '../../shared/jobs/steps/jobNotices.js';

/** Where no tenant and no customer listens: nothing is told. */
export const nobodyListens: Tellers = {
  tellOfJob: tellOfJob(noOutbox),
  tellOfEnrollment: (_key, write) => write(),
  tellOfImages: () => Promise.resolve([]),
  tellOfBackfill: () => Promise.resolve(),
};
