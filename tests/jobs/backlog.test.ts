import { expect, test } from '@jest/globals';
import type { JobWork } from '../../shared/jobs/steps/jobWork.js';
import { CrowdedService, jobIds } from './crowdedService.js';
import { insightOf } from './works.js';

const JOBS = 10_000;
const WORKERS = 32;
/** With so many at a time the last of them waits for 26 minutes. */
const JOB_MS = 5_000;

const slowly =
  ({ clock }: CrowdedService): JobWork =>
  async (_job, insightId) => {
    await clock.sleep(JOB_MS);
    return { kind: 'done', insight: insightOf(insightId) };
  };

test('a backlog of 10,000 jobs of many tenants sends at most 1.05 messages a job, and loses none of them', async () => {
  const service = new CrowdedService({
    solution: 'partnerAgPowered.gdd',
    work: slowly,
    workers: WORKERS,
    slots: () => JOBS * 2,
  });
  const ids = jobIds('job', JOBS);
  // One message of a hundred gets lost.
  let count = 0;
  service.queue.loses = () => (count += 1) % 100 === 0;
  for (const id of ids) await service.create('tenant-a', id);
  // Callers ask for their jobs again and again meanwhile.
  const asking = service.clock.every(30_000, () => {
    for (const id of ids.slice(-20)) void service.fetch('tenant-a', id);
  });
  await service.untilEnded(ids, 12 * 3_600_000);
  asking();
  expect(await service.outcomes('tenant-a', ids)).toEqual({ SUCCEEDED: JOBS });
  expect(service.queue.count).toBeGreaterThan(JOBS);
  expect(service.queue.count / JOBS).toBeLessThanOrEqual(1.05);
});
