import { describe, expect, test } from '@jest/globals';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import { preferredType } from '../../../shared/kit/answer/preferredType.js';
import { readInsight } from '../../../shared/jobs/insight/readInsight.js';
import { representationsOf } from '../../../shared/wiring/areas/insightKinds.js';
import type { JobStatus } from '../../../shared/jobs/job.js';
import { JobStore } from '../../../shared/jobs/jobStore.js';
import { aJob, workOfJob } from '../aJob.js';
import { MemoryRows } from '../../support/memoryRows.js';

const ID = '0c5d8a1e-7b1f-5e0a-9f55-5a0b8b1d3c77';

async function aService(status: JobStatus, insightId?: string) {
  const jobs = new JobStore(new MemoryRows());
  const job = aJob({ status, ...(insightId === undefined ? {} : { insightId }) });
  await jobs.insert(job, workOfJob(job));
  const insights = {
    findFile: () => Promise.resolve(undefined),
    find: (tenant: string, id: string) =>
      Promise.resolve(
        tenant === 'tenant-a' && id === ID ? { job: aJob(), record: { insightId: ID, kind: 'GDD' } } : undefined,
      ),
  };
  return readInsight({ jobs, insights, representationsOf });
}

describe('an insight', () => {
  test('of a SUCCEEDED job is read as JSON', async () => {
    const { status, content } = await (await aService('SUCCEEDED', ID))('tenant-a', ID, '*/*');
    expect(status).toBe(200);
    expect(JSON.parse(content!.data as string)).toMatchObject({ insightId: ID });
  });

  test.each<[string, JobStatus, string | undefined, string, string]>([
    ['that an attempt left behind before the job was cancelled', 'CANCELLED', undefined, 'tenant-a', ID],
    ['that is written but not yet announced', 'RUNNING', undefined, 'tenant-a', ID],
    ['of an earlier job of the same id', 'SUCCEEDED', '11111111-1111-5111-8111-111111111111', 'tenant-a', ID],
    ['of another tenant', 'SUCCEEDED', ID, 'tenant-b', ID],
    ['whose id is none', 'SUCCEEDED', ID, 'tenant-a', '../secret'],
  ])('%s is unknown', async (_what, status, insightId, tenant, id) => {
    const read = await aService(status, insightId);
    await expect(read(tenant, id, '*/*')).rejects.toMatchObject({ fault: commonFaults.notFound });
  });
});

describe('the preferred media type', () => {
  const offered = ['application/json; charset=utf-8', 'text/csv; charset=utf-8', 'image/svg+xml'];
  test.each([
    ['*/*', 'application/json; charset=utf-8'],
    ['', undefined],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['TEXT/CSV', 'text/csv; charset=utf-8'],
    ['text/*', 'text/csv; charset=utf-8'],
    ['application/json;q=0.5, image/svg+xml', 'image/svg+xml'],
    ['*/*;q=0.1, text/csv;q=0.2', 'text/csv; charset=utf-8'],
    ['application/json;q=0, */*', 'text/csv; charset=utf-8'],
    ['image/png', undefined],
    ['text/csv;q=nonsense', undefined],
  ])('of %j is %j', (accept, expected) => {
    expect(preferredType(accept, offered)).toBe(expected);
  });
});
