/**
 * What the intervals of winter wheat's stages hold by the phenology of WOFOST: in made-up climates of several slopes, told
 * on three days of a season from the thirty years before it, and held against how the season came.
 *
 *   npm run bench:wheat
 */
import type { KnownDay } from '../../shared/gdd/days/season.js';
import { wheatDatesOf } from '../../shared/gdd/stages/wheatDates.js';
import { daysOf } from '../../shared/gdd/weather/fieldDays.js';
import { referenceOf } from '../../shared/gdd/weather/cache/weatherCache.js';
import type { WeatherRecord } from '../gdd/forwardSeasons.js';
import { seededClimate, testedSlopes } from '../gdd/seededClimate.js';
import { say, sized } from './figures.js';

const seeds = sized(10);
const sownIn = [2022, 2026, 2030, 2034, 2038, 2042];
const span = { from: '1991-01-01', to: '2043-12-31' };
const later = '9999-12-31';

interface Asked {
  readonly weather: WeatherRecord;
  readonly year: number;
  /** Last day that is known. */
  readonly until: string;
}

/** Stages of a season sown on 25 September, as told when the days up to one are known. */
function stagesOf({ weather, year, until }: Asked) {
  const season = { from: `${year}-09-25`, to: `${year + 1}-08-31` };
  const days = daysOf(season).map((date): KnownDay => {
    const temperatures = weather.get(date)!;
    return date <= until ? { date, source: 'OBSERVED', temperatures } : { date, source: 'NORMAL' };
  });
  const all = [...weather].map(([date, temperatures]) => ({ date, ...temperatures }));
  const years = { from: span.from, to: `${year - 1}-12-31` };
  const reference = referenceOf({ origin: {} as never, retrievedAt: 0, days: all }, years);
  const wheat = { crop: 'WINTER_WHEAT', startEvent: 'PLANTING', isBiasRemoved: true, unit: 'C' } as const;
  return wheatDatesOf({ ...wheat, place: { latitude: 43, longitude: -75 }, span: season, days, reference }).stages;
}

/** 0 before an interval, 1 within, 2 after it. */
function placeOf(date: string, first: string, last: string): number {
  if (date < first) return 0;
  return date <= last ? 1 : 2;
}

/** Dates before, within and after the intervals that were told of stages still to come. */
function countsOf(weather: WeatherRecord): number[] {
  const counts = [0, 0, 0];
  for (const year of sownIn) {
    const came = stagesOf({ weather, year, until: later });
    for (const until of [`${year}-09-30`, `${year + 1}-03-15`, `${year + 1}-05-01`]) {
      for (const [index, { earliest, latest }] of stagesOf({ weather, year, until }).entries()) {
        if (earliest === null || earliest <= until) continue;
        const place = placeOf(came[index]?.date ?? later, earliest, latest ?? later);
        counts[place] = (counts[place] ?? 0) + 1;
      }
    }
  }
  return counts;
}

const rows = testedSlopes.map((perDecadeC) => {
  const climates = Array.from({ length: seeds }, (_, seed) => seed + 1).flatMap((seed) =>
    [false, true].map((isMirrored) => seededClimate({ seed: seed + 1000 * perDecadeC, isMirrored, perDecadeC, span })),
  );
  return climates.map(({ weather }) => countsOf(weather));
});
for (const [index, counted] of [...rows, rows.flat()].entries()) {
  const total = [0, 1, 2].map((place) => counted.reduce((sum, counts) => sum + (counts[place] ?? 0), 0));
  const count = total.reduce((sum, value) => sum + value, 0);
  const [before, within, after] = total.map((value) => (value / count).toFixed(3));
  const which = testedSlopes[index] === undefined ? 'together' : `${testedSlopes[index]} °C a decade`;
  say(`${which}: ${before} before, ${within} within, ${after} after, of ${count} dates`);
}
