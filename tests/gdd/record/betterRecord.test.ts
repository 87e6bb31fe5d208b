/** A result that had to do without the newest forecast, and the better one that takes its place. */
import { describe, expect, test } from '@jest/globals';
import { isBetter } from '../../../shared/gdd/record/betterRecord.js';
import { isGddRecord, type GddRecord } from '../../../shared/gdd/form/gddRecord.js';
import { runGddJob } from '../../../shared/gdd/runGddJob.js';
import type { Insight } from '../../../shared/jobs/insight/jobInsight.js';
import type { Job } from '../../../shared/jobs/job.js';
import type { WorkOutcome } from '../../../shared/jobs/steps/jobWork.js';
import { lateBy, openMeteoAnswers, plainWeather } from '../weather/fakeProviders.js';
import { aJob, insightId, jobWorld, refusedBefore } from '../gddJobUnderTest.js';

const DAY_MS = 24 * 3_600_000;
/** A job's row when it runs again. */
const again: Pick<Job, 'rerun'> = { rerun: { dueAt: 0, runs: 1, lacks: 'the newest forecast' } };

/** 28 August is day 0; the forecast interface is away when it is told to be. */
function world() {
  const state = { isAway: false, archive: plainWeather };
  const made = jobWorld({
    answer: (url, { clock }) =>
      state.isAway && url.pathname.endsWith('forecast')
        ? new Response(null, { status: 503 })
        : openMeteoAnswers({ clock, archive: lateBy(clock, 5, state.archive), forecast: plainWeather })(url),
  });
  const look = (job: Partial<Job>, earlier?: GddRecord): Promise<WorkOutcome<Insight>> =>
    runGddJob(made.ports)({ ...aJob(), ...job }, insightId, new AbortController().signal, earlier);
  return { ...made, state, look };
}

const recordOf = (outcome: WorkOutcome<Insight>): GddRecord => {
  if (outcome.kind !== 'done' || !isGddRecord(outcome.insight.record)) throw new Error(`no record: ${outcome.kind}`);
  return outcome.insight.record;
};
const labels = (record: GddRecord, from: string, to: string): string[] =>
  record.daily.filter(({ date }) => date >= from && date <= to).map(({ source }) => source);

describe('a forecast that is away', () => {
  test('is taken from the last days while they are at most 72 hours old, and the job runs again', async () => {
    const { clock, state, look, run } = world();
    expect((await look({})).kind).toBe('done');
    expect(await look({})).not.toHaveProperty('lacks');
    await run();
    state.isAway = true;
    clock.jump(2 * DAY_MS);
    const outcome = await look(refusedBefore(2));
    expect(outcome).toMatchObject({ lacks: 'the newest forecast' });
    const record = recordOf(outcome);
    expect(labels(record, '2026-08-30', '2026-09-05')).toEqual(Array(7).fill('FORECAST'));
    // Of the eight days that are believed, the answer of the day before yesterday has seven.
    expect(labels(record, '2026-09-06', '2026-09-06')).toEqual(['NORMAL']);
    expect(record.incomplete).toEqual([{ reason: 'forecast', from: '2026-09-06', to: '2026-09-06' }]);
  });

  test('for four days: normals at first, the forecast when it is back, and the history of it', async () => {
    const { clock, state, look, run } = world();
    await run();
    state.isAway = true;
    clock.jump(4 * DAY_MS);
    const poor = recordOf(await look(refusedBefore(2)));
    expect(poor.coverage.forecast).toBe(0);
    expect(poor.incomplete).toMatchObject([{ reason: 'forecast', to: '2026-09-08' }]);
    clock.jump(6 * 3_600_000);
    expect(await look(again, poor)).toEqual({ kind: 'unchanged', lacks: 'the newest forecast' });
    state.isAway = false;
    const outcome = await look(again, poor);
    expect(outcome).not.toHaveProperty('lacks');
    const better = recordOf(outcome);
    expect(labels(better, '2026-09-01', '2026-09-08')).toEqual(Array(8).fill('FORECAST'));
    expect(better).not.toHaveProperty('incomplete');
    expect(better.insightId).toBe(poor.insightId);
    expect(better.history).toEqual([{ asOf: poor.asOf, total: poor.total, incomplete: poor.incomplete }]);
    const { history, ...rest } = better;
    expect(history).toHaveLength(1);
    expect(rest).toEqual(await run());
  });

  test('a season of which the last month has a hole that cannot be bridged lacks past days', async () => {
    const { look, state } = world();
    state.archive = (date) => (date > '2026-07-25' && date < '2026-08-05' ? undefined : plainWeather(date));
    const hidden = jobWorld({
      answer: (url, { clock }) =>
        openMeteoAnswers({
          clock,
          archive: lateBy(clock, 5, state.archive),
          forecast: (date) => (date < '2026-08-20' ? undefined : plainWeather(date)),
        })(url),
    });
    const outcome = await runGddJob(hidden.ports)(aJob(), insightId, new AbortController().signal);
    expect(outcome).toMatchObject({ lacks: 'past days that no source has yet' });
    expect(recordOf(outcome).incomplete).toEqual([{ reason: 'gap', from: '2026-07-28', to: '2026-08-04' }]);
    // Here the forecast interface knows them.
    expect(await look({})).not.toHaveProperty('lacks');
  });

  test('days measured at the field lack nothing', async () => {
    const { insight } = jobWorld({
      answer: (url, { clock }) =>
        openMeteoAnswers({
          clock,
          archive: lateBy(clock, 5, (date) =>
            date > '2026-07-28' && date < '2026-08-05' ? undefined : plainWeather(date),
          ),
          forecast: (date) => (date < '2026-08-20' ? undefined : plainWeather(date)),
        })(url),
      ports: { isMeasured: true },
    });
    expect((await insight()).record).not.toHaveProperty('incomplete');
  });
});

describe('a better record', () => {
  const record = (incomplete: GddRecord['incomplete'], retrievedAt?: string): GddRecord =>
    ({ incomplete, sources: retrievedAt === undefined ? [] : [{ product: 'forecast', retrievedAt }] }) as never;
  const week = [{ reason: 'forecast' as const, from: '2026-06-01', to: '2026-06-07' }];
  const day = [{ reason: 'forecast' as const, from: '2026-06-01', to: '2026-06-01' }];

  test.each([
    { why: 'it lacks fewer days', next: record(day), earlier: record(week), is: true },
    { why: 'it lacks nothing', next: record(undefined), earlier: record(week), is: true },
    { why: 'it lacks as much', next: record(week), earlier: record(week), is: false },
    { why: 'it lacks more', next: record(week), earlier: record(day), is: false },
    { why: 'its forecast is newer', next: record(day, '2026-06-02'), earlier: record(day, '2026-06-01'), is: true },
    { why: 'its forecast is the same', next: record(day, '2026-06-01'), earlier: record(day, '2026-06-01'), is: false },
    {
      why: 'a newer forecast is no comfort for lost days',
      next: record(week, '2026-06-02'),
      earlier: record(day),
      is: false,
    },
  ])('$why: $is', ({ next, earlier, is }) => {
    expect(isBetter(next, earlier)).toBe(is);
  });
});
