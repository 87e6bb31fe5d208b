import { serviceDuty } from '../../shared/wiring/declare.js';
import { expireNotices } from '../../shared/notices/managing/expireNotices.js';
import { dailyAt } from '../../shared/work/upkeep/duty.js';

/** Every night at 04:10 UTC — deletes events and deliveries older than NOTICES_RETENTION_DAYS, and seals secrets with the newest key. */
export const upkeepNotices = serviceDuty({
  name: 'upkeepNotices',
  times: () => dailyAt('04:10'),
  run: async ({ notices, config }) =>
    notices === undefined
      ? { owners: 0, events: 0, keyVersions: {} }
      : expireNotices(notices, config.NOTICES_RETENTION_DAYS)(),
});
