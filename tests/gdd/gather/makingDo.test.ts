import { describe, expect, test } from '@jest/globals';
import { gddJobFaults } from '../../../shared/kit/errors/catalogue.js';
import type { GatheredSeason } from '../../../shared/gdd/gather/gatherSeason.js';
import type { GddShortcoming } from '../../../shared/gdd/form/gddRecordSources.js';
import { doesWithout, weatherPatienceOf, type ShortcomingReason } from '../../../shared/gdd/gather/makingDo.js';
import { lacksInWords, shortcomingsOf } from '../../../shared/gdd/gather/shortcomings.js';
import type { Job } from '../../../shared/jobs/job.js';
import { WeatherError } from '../../../shared/gdd/weather/weatherSource.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';

type Outage = NonNullable<Job['outage']>;
const outage = (changes: Partial<Outage> = {}): Outage =>
  ({ dependency: gddJobFaults.weatherUnavailable.dependency, refusals: 2, until: 1_000, ...changes }) as Outage;

describe('the patience of a job with the weather services', () => {
  test.each([
    { why: 'a first try', job: {}, now: 0, patience: { refusals: 0, isOver: false } },
    { why: 'tries that failed', job: { outage: outage() }, now: 999, patience: { refusals: 2, isOver: false } },
    { why: 'the end of waiting', job: { outage: outage() }, now: 1_000, patience: { refusals: 2, isOver: true } },
    {
      why: 'an outage of something else',
      job: { outage: outage({ dependency: gddJobFaults.dataManagerUnavailable.dependency }) },
      now: 2_000,
      patience: { refusals: 0, isOver: false },
    },
    {
      why: 'a run again, which has an insight already',
      job: { rerun: { dueAt: 0, runs: 1, lacks: '' }, outage: outage() },
      now: 0,
      patience: { refusals: 0, isOver: true },
    },
  ])('after $why', ({ job, now, patience }) => {
    expect(weatherPatienceOf(job, now)).toEqual(patience);
  });

  test.each<{ what: ShortcomingReason; refusals: number; isOver: boolean; does: boolean; why: string }>([
    { what: 'forecast', refusals: 1, isOver: false, does: false, why: 'a forecast gets three tries' },
    { what: 'forecast', refusals: 2, isOver: false, does: true, why: 'the third is the last' },
    { what: 'archive', refusals: 9, isOver: false, does: false, why: 'days that were stay the same' },
    { what: 'normals', refusals: 9, isOver: false, does: false, why: 'so do reference years' },
    { what: 'gap', refusals: 0, isOver: false, does: true, why: 'no source has these days' },
    { what: 'archive', refusals: 0, isOver: true, does: true, why: 'the job waits no longer' },
  ])('$what after $refusals refusals, over: $isOver: does without: $does, for $why', ({ what, does, ...patience }) => {
    expect(doesWithout(what, patience)).toBe(does);
  });
});

const today = '2026-06-15';
const fault = new WeatherError('unavailable', 'one', 'is away.');
const ports = { trustedForecastDays: 8, isMeasured: false };

/** A season from 1 May to 31 July of which these days rest on nothing. */
const seasonWithout = (open: readonly string[], changes: Partial<GatheredSeason> = {}): GatheredSeason =>
  ({
    days: Array.from({ length: 92 }, (_, index) => {
      const date = addDays('2026-05-01', index);
      return open.includes(date) ? { date } : { date, source: 'OBSERVED' };
    }),
    today,
    hasForecast: true,
    isForecastKept: false,
    forecastFaults: [],
    archiveFaults: [],
    ...changes,
  }) as unknown as GatheredSeason;

describe('what a season lacks', () => {
  const everyDay = Array.from({ length: 92 }, (_, index) => addDays('2026-05-01', index));

  test.each<{ why: string; changes: Partial<GatheredSeason>; lacks: GddShortcoming[] }>([
    {
      why: 'nothing for a forecast that answered, but what no source has of the last month but its last week',
      changes: {},
      lacks: [{ reason: 'gap', from: '2026-05-15', to: '2026-06-07' }],
    },
    {
      why: 'the days of a forecast that is away: five before today, eight from today on',
      changes: { hasForecast: false, forecastFaults: [fault] },
      lacks: [
        { reason: 'forecast', from: '2026-06-10', to: '2026-06-22' },
        { reason: 'gap', from: '2026-05-15', to: '2026-06-07' },
      ],
    },
    {
      why: 'the same when a kept one stands in',
      changes: { isForecastKept: true, forecastFaults: [fault] },
      lacks: [
        { reason: 'forecast', from: '2026-06-10', to: '2026-06-22' },
        { reason: 'gap', from: '2026-05-15', to: '2026-06-07' },
      ],
    },
    {
      why: 'no forecast while another provider gave one',
      changes: { forecastFaults: [fault] },
      lacks: [{ reason: 'gap', from: '2026-05-15', to: '2026-06-07' }],
    },
    {
      why: 'no forecast where none is set up',
      changes: { hasForecast: false },
      lacks: [{ reason: 'gap', from: '2026-05-15', to: '2026-06-07' }],
    },
    {
      why: 'all days of an archive that is away, but the week that it may be late with',
      changes: { archiveFaults: [fault] },
      lacks: [{ reason: 'archive', from: '2026-05-01', to: '2026-06-07' }],
    },
  ])('is $why', ({ changes, lacks }) => {
    expect(shortcomingsOf(seasonWithout(everyDay, changes), ports)).toEqual(lacks);
  });

  test('is nothing when every day rests on something, whatever was away', () => {
    const away = { hasForecast: false, forecastFaults: [fault], archiveFaults: [fault] };
    expect(shortcomingsOf(seasonWithout([], away), ports)).toEqual([]);
  });

  test('is no gap where the days are measured at the field: nobody else has them', () => {
    expect(shortcomingsOf(seasonWithout(everyDay), { ...ports, isMeasured: true })).toEqual([]);
  });

  test('reaches from the first open day to the last', () => {
    expect(shortcomingsOf(seasonWithout(['2026-05-20', '2026-05-25']), ports)).toEqual([
      { reason: 'gap', from: '2026-05-20', to: '2026-05-25' },
    ]);
  });
});

describe('what a season lacks, in words', () => {
  const span = { from: today, to: today };
  test.each<{ reasons: ShortcomingReason[]; isForecastKept: boolean; words: string | undefined }>([
    { reasons: [], isForecastKept: false, words: undefined },
    { reasons: [], isForecastKept: true, words: 'the newest forecast' },
    { reasons: ['forecast', 'forecast'], isForecastKept: true, words: 'the newest forecast' },
    {
      reasons: ['archive', 'normals', 'gap'],
      isForecastKept: false,
      words: 'past days of an archive that did not answer, the reference years and past days that no source has yet',
    },
  ])('of $reasons, kept forecast: $isForecastKept: $words', ({ reasons, isForecastKept, words }) => {
    const incomplete = reasons.map((reason) => ({ reason, ...span }));
    expect(lacksInWords(incomplete, { isForecastKept })).toBe(words);
  });
});
