import { describe, expect, test } from '@jest/globals';
import { gddSolution } from '../../../shared/gdd/form/gddSolution.js';
import type { Job, Outage } from '../../../shared/jobs/job.js';
import {
  cancelledAnswer,
  createdAnswer,
  fetchedAnswer,
  retryAfterSeconds,
} from '../../../shared/jobs/operations/jobView.js';
import { aJob, START } from '../aJob.js';

const parameters = { partyId: 'p', resourceType: 'Field', resourceId: 'f', crop: 'CORN' };
const messageOf = (changes: Partial<Job>): unknown =>
  (fetchedAnswer(aJob(changes), gddSolution, START).json as { message: string }).message;

describe('the pause that a caller is told', () => {
  test.each([
    { ageSeconds: 0, seconds: 2 },
    { ageSeconds: 20, seconds: 2 },
    { ageSeconds: 60, seconds: 6 },
    { ageSeconds: 299, seconds: 30 },
    { ageSeconds: 86_400, seconds: 30 },
  ])('is $seconds s for a job that is $ageSeconds s old', ({ ageSeconds, seconds }) => {
    expect(retryAfterSeconds(aJob(), START + ageSeconds * 1_000)).toBe(seconds);
  });
});

describe('the answer to a create', () => {
  test('is 202 with the queued job, as the specification lists it', () => {
    const job = aJob({ parameters, lastActionAt: START + 1 });
    expect(createdAnswer(job, gddSolution)).toEqual({
      status: 202,
      json: {
        partnerRequestBody: gddSolution.echo(parameters),
        id: 'spring-corn',
        jobCreatedDateTime: '2026-06-15T12:00:00.000Z',
        jobLastActionDateTime: '2026-06-15T12:00:00.001Z',
        message: gddSolution.messages.WAITING,
        status: 'WAITING',
        e2eId: job.e2eId,
      },
      headers: { 'retry-after': '2' },
    });
  });
});

describe('the answer to a fetch', () => {
  test('of a job that has not begun has no start, no end and no insight', () => {
    const { json } = fetchedAnswer(aJob({ parameters, insightId: 'early' }), gddSolution, START + 30_000);
    expect(Object.keys(json as object).sort()).toEqual([
      'e2eId',
      'id',
      'jobCreatedDateTime',
      'jobLastActionDateTime',
      'jobProcessingDurationInSeconds',
      'message',
      'partnerRequestBody',
      'status',
    ]);
  });

  test('says when to ask again while the job is open, and nothing of it afterwards', () => {
    const headersOf = (changes: Partial<Job>) => fetchedAnswer(aJob(changes), gddSolution, START + 60_000).headers;
    expect(headersOf({ status: 'RUNNING' })).toEqual({ 'retry-after': '6' });
    expect(headersOf({ status: 'SUCCEEDED' })).toEqual({});
  });

  test('of a job that SUCCEEDED has its times and its insight', () => {
    const times = { startedAt: START + 1_000, endedAt: START + 4_500, lastActionAt: START + 4_500 };
    const { json } = fetchedAnswer(
      aJob({ status: 'SUCCEEDED', insightId: 'the-insight', ...times }),
      gddSolution,
      START + 60_000,
    );
    expect(json).toMatchObject({
      message: gddSolution.messages.SUCCEEDED,
      jobProcessingStartDateTime: '2026-06-15T12:00:01.000Z',
      jobProcessingEndDateTime: '2026-06-15T12:00:04.500Z',
      jobProcessingDurationInSeconds: 3,
      insightId: 'the-insight',
    });
  });
});

test('the answer to a cancel is 200 with the cancelled job and the parameters as they were sent', () => {
  const answer = cancelledAnswer(aJob({ status: 'CANCELLED', parameters }), gddSolution, START);
  expect(answer).toMatchObject({
    status: 200,
    json: { id: 'spring-corn', status: 'CANCELLED', partnerRequestBody: gddSolution.echo(parameters) },
  });
  expect(answer).not.toHaveProperty('headers');
});

describe('the message of a job that FAILED', () => {
  test.each([
    {
      why: 'is its reason, code first',
      failure: 'GDD-05005: The field is away.',
      said: 'GDD-05005: The field is away.',
    },
    { why: 'gets the code of the unexpected', failure: 'Cut short.', said: 'GDD-05000: Cut short.' },
    { why: 'has words when no reason is known', failure: undefined, said: 'GDD-05000: The job failed.' },
  ])('$why', ({ failure, said }) => {
    expect(messageOf({ status: 'FAILED', ...(failure === undefined ? {} : { failure }) })).toBe(said);
  });

  test('of an open job is not shown: it may still succeed', () => {
    expect(messageOf({ status: 'RUNNING', failure: 'GDD-05005: The field is away.' })).toBe(
      gddSolution.messages.RUNNING,
    );
  });
});

describe('the message of a job that is refused from outside', () => {
  const outage: Outage = {
    dependency: 'the weather services',
    code: 'GDD-05003',
    since: START - 60_000,
    until: START + 3_600_000,
    refusals: 2,
  };

  test('says for whom it waits, since when, when it is tried next and until when', () => {
    expect(messageOf({ status: 'RUNNING', outage: { ...outage, nextAt: START + 60_000 } })).toBe(
      `${gddSolution.messages.RUNNING} It waits for the weather services (GDD-05003) since 2026-06-15T11:59:00.000Z; ` +
        'the next try is at 2026-06-15T12:01:00.000Z, the last one at 2026-06-15T13:00:00.000Z.',
    );
  });

  test('says that it is being tried while it is', () => {
    expect(messageOf({ status: 'RUNNING', outage })).toContain('it is being tried now, the last one at');
  });

  test('names a pause that was asked for and that nobody believes', () => {
    const asked = (askedSeconds: number): unknown =>
      messageOf({ status: 'RUNNING', outage: { ...outage, askedSeconds } });
    expect(asked(900_000)).toContain('A pause of 900000 s was asked for; no pause is longer than 15 minutes.');
    expect(asked(60)).not.toContain('A pause of');
  });
});
