import { describe, expect, test } from '@jest/globals';
import { noticeOfEnrollment } from '../../../shared/enrollments/ingest/enrollmentNotices.js';
import { deterministicId } from '../../../shared/kit/ids.js';
import type { Job } from '../../../shared/jobs/job.js';
import { noticeOfEnd, noticeOfInsight } from '../../../shared/jobs/steps/jobNotices.js';
import { cloudEventOf } from '../../../shared/notices/log/cloudEvent.js';
import { takesType, type Notice } from '../../../shared/notices/log/notice.js';
import { noticeEvents, type NoticeSchemaName } from '../../../shared/notices/log/noticeSchemas.js';
import { faultsOf } from '../../../shared/kit/validation/validator.js';
import { deliveryNamed, vectors } from './vectors.js';

const source = 'https://api.partner.example';
const job: Job = {
  tenant: '11111111-2222-4333-8444-555555555555',
  solution: 'partnerAgPowered.gdd',
  jobId: 'spring-corn-2026',
  e2eId: '7a4e8f2b-3c5d-4e6f-8a9b-0c1d2e3f4a5b',
  status: 'SUCCEEDED',
  parameters: { crop: 'corn', partyId: 'secret-party' },
  createdAt: Date.parse('2026-05-04T06:00:00Z'),
  lastActionAt: Date.parse('2026-05-04T06:00:09.412Z'),
  startedAt: Date.parse('2026-05-04T06:00:01Z'),
  endedAt: Date.parse('2026-05-04T06:00:09.412Z'),
  insightId: '60e0629d-49bc-5a4a-8736-07097a0a74a1',
  epoch: 1,
};
const failed: Job = {
  ...job,
  status: 'FAILED',
  failure: 'GDD-05103: the field of Mr Miller',
  lastActionAt: Date.parse('2026-05-04T06:20:00Z'),
  endedAt: Date.parse('2026-05-04T06:20:00Z'),
};
const { startedAt: _started, endedAt: _ended, ...neverStarted } = job;
const cancelled: Job = { ...neverStarted, status: 'CANCELLED', lastActionAt: Date.parse('2026-05-04T06:00:02Z') };
const enrollment = {
  customer: 'demo-farm',
  enrollmentId: '0d5b3c1a-6f2e-4b7d-9c8a-1e2f3a4b5c6d',
  status: 'completed',
  request: {
    imageSource: 'sentinel-2-l2a',
    startDate: '2026-04-01',
    endDate: '2026-10-31',
    layers: ['ndvi'],
    description: 'Été 2026 – côté nord 🌽',
  },
  totalFields: 250,
  processedFields: 249,
  failedFields: 1,
  errors: [],
  createdAt: Date.parse('2026-05-04T10:30:00Z'),
  completedAt: Date.parse('2026-05-04T10:30:12.345Z'),
} as const;

describe('an event is made to the byte as the vectors have it', () => {
  const insight = { insightId: job.insightId!, run: 1, isFinal: true };
  test.each<{ readonly name: string; readonly notice: Notice }>([
    { name: 'jobSucceeded', notice: noticeOfEnd(job) },
    { name: 'jobFailed', notice: noticeOfEnd(failed) },
    { name: 'jobCancelledNeverStarted', notice: noticeOfEnd(cancelled) },
    { name: 'insightUpdated', notice: noticeOfInsight(job, insight, Date.parse('2026-05-04T12:00:31.007Z')) },
    { name: 'enrollmentCompleted', notice: noticeOfEnrollment(enrollment) },
  ])('$name', ({ name, notice }) => {
    const { body } = deliveryNamed(name);
    const { sequence, id } = JSON.parse(body) as { readonly sequence: string; readonly id: string };
    // Ids of customers' events depend on a customer that the vectors do not name.
    const known = name.startsWith('enrollment') ? { ...notice, id } : notice;
    expect(cloudEventOf({ notice: known, sequence: Number(sequence) }, source)).toBe(body);
  });
});

describe('the id of an event', () => {
  test('follows from what it is about', () => {
    const { parts, id } = vectors.idRule.example;
    expect(deterministicId(...parts)).toBe(id);
    expect(noticeOfEnd(job).id).toBe(id);
  });
  test('is another one for the end of a job that an operator has opened again', () => {
    const again: Job = { ...failed, redrives: [{ at: 1, by: 'operator', failure: 'GDD-05000: x' }] };
    expect(noticeOfEnd(again).id).not.toBe(noticeOfEnd(failed).id);
  });
});

describe('what events hold', () => {
  test('keeps the parameters and the text of a failure to those who ask with a credential', () => {
    const text = JSON.stringify([job, failed, cancelled].map(noticeOfEnd));
    expect(text).not.toMatch(/secret-party|Miller/);
    expect(text).toContain('GDD-05103');
  });
  test.each([
    { failure: 'GDD-05103: the field of Mr Miller', code: 'GDD-05103' },
    { failure: 'Every attempt was cut short.', code: 'GDD-05000' },
    { failure: undefined, code: 'GDD-05000' },
  ])('names a code of the service for a job that FAILED: $failure', ({ failure, code }) => {
    const { failure: _failure, ...rest } = failed;
    expect(noticeOfEnd({ ...rest, ...(failure === undefined ? {} : { failure }) }).data['code']).toBe(code);
  });
  test('names the code of its own kind', () => {
    const boundary: Job = { ...failed, solution: 'partnerAgPowered.smartBoundary', failure: 'Cut short.' };
    expect(noticeOfEnd(boundary).data['code']).toBe('IMG-05000');
  });
  test.each(vectors.symmetric.filter(({ name }) => name.endsWith('one secret')))(
    'keeps to its schema: $name',
    ({ body }) => {
      const event = JSON.parse(body) as { readonly type: string };
      expect(faultsOf(noticeEvents[event.type.split('.')[1] as NoticeSchemaName], event)).toEqual([]);
    },
  );
});

describe('a filter of types', () => {
  test.each([
    { filters: undefined, type: 'partner.job.failed', takes: true },
    { filters: ['partner.job.failed'], type: 'partner.job.failed', takes: true },
    { filters: ['partner.job.*'], type: 'partner.job.failed', takes: true },
    { filters: ['partner.job.*'], type: 'partner.jobs', takes: false },
    { filters: ['partner.imagery.*'], type: 'partner.job.failed', takes: false },
    { filters: [], type: 'partner.job.failed', takes: false },
  ])('$filters takes $type: $takes', ({ filters, type, takes }) => {
    expect(takesType(filters, type)).toBe(takes);
  });
});
