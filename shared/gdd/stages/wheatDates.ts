import type { Day } from '../weather/fieldDays.js';
import { lastYearOf, type ReferenceWeather } from '../weather/cache/weatherCache.js';
import { climateTrend } from '../days/climateTrend.js';
import { recentYears } from '../days/normals.js';
import { wholeDaysOf } from '../outlook/reachDates.js';
import { indexInYear, temperaturesAt } from '../days/referenceDays.js';
import type { KnownDay } from '../days/season.js';
import { type SeasonStages, stageDays, type StageInput } from './stageDates.js';
import { meanOf, quantileType6 } from '../days/quantiles.js';
import { sayer, temperatureIn, type TemperatureUnit } from '../days/temperature.js';
import { anthesisSum, emergenceSum, maturitySum, shareOfAnthesis, winterWheatStages } from './winterWheat.js';

const source =
  'WOFOST crop parameters, generic winter wheat (github.com/ajwdewit/WOFOST_crop_parameters; doi 10.1016/j.agsy.2018.05.002)';
const definitionIn = (unit: TemperatureUnit): string =>
  `mean ${temperatureIn(unit, 0)}–${temperatureIn(unit, 30)} °${unit}, held back by cold need and short days`;

const sumTo = (stage: keyof typeof shareOfAnthesis): number => emergenceSum + shareOfAnthesis[stage] * anthesisSum;

const stages = [
  { code: 'emergence', name: 'emergence', of: 'emergence', threshold: emergenceSum },
  { code: 'jointing', name: 'jointing', of: 'jointing', threshold: sumTo('jointing') },
  { code: 'boot', name: 'boot', of: 'boot', threshold: sumTo('boot') },
  { code: 'heading', name: 'heading', of: 'heading', threshold: sumTo('heading') },
  { code: 'anthesis', name: 'flowering', of: 'anthesis', threshold: emergenceSum + anthesisSum },
  { code: 'mature', name: 'maturity', of: 'maturity', threshold: emergenceSum + anthesisSum + maturitySum },
] as const;

/** Stages of winter wheat from planting on, by a model of its cold need and of the length of the day. */
export function wheatDatesOf({ days, span, place, reference, unit }: StageInput): SeasonStages {
  const definition = definitionIn(unit);
  const say = sayer(unit);
  const paths = meansOf(days, reference).map((means) =>
    winterWheatStages(
      means.map((meanC, index) => ({ date: days[index]?.date ?? span.from, meanC })),
      place.latitude,
    ),
  );
  if (paths.length === 0) return { stages: [], warnings: [], isPlanted: true };
  const isColdMet = paths.filter((path) => path.isColdMet).length * 2 > paths.length;
  return {
    model: {
      definition,
      unit,
      countedFrom: span.from,
      reference: source,
      caution:
        'a generic winter wheat: sums of varieties and regions differ; jointing, boot and heading lie on its way to ' +
        'anthesis where the sums of Kansas put them',
    },
    stages: stages.map(({ of, code, name, threshold }) => {
      const reached = paths.map((path) => path[of] ?? Infinity);
      const dates = stageDays(wholeDaysOf(reached, quantileType6), days);
      return { code, name, threshold: say(threshold), unit, definition, ...dates };
    }),
    warnings: isColdMet ? [] : ['Winter wheat has not had the cold it needs to head by gddEndDate.'],
    isPlanted: true,
  };
}

/**
 * Mean temperatures of the season. Where days rest on normals, one series for each of the last complete years, in which
 * these days are moved by their trend.
 */
function meansOf(days: readonly KnownDay[], reference: ReferenceWeather | undefined): (readonly number[])[] {
  const known = days.map(({ temperatures }) => temperatures && (temperatures.minC + temperatures.maxC) / 2);
  if (!known.includes(undefined)) return [known.map((value) => value ?? NaN)];
  if (reference === undefined) return [];
  const firstYear = Number(days[0]?.date.slice(0, 4));
  const last = lastYearOf(reference) - (Number(days.at(-1)?.date.slice(0, 4)) - firstYear);
  const paths = Array.from({ length: recentYears }, (_, index) => last - index).flatMap((year) => {
    const means = days.map(({ date }, index) => known[index] ?? meanIn(reference, date, year - firstYear));
    return means.includes(undefined) ? [] : [{ year, means: means.map((value) => value ?? NaN) }];
  });
  const values = paths.map(({ means }) => meanOf(means.filter((_, index) => known[index] === undefined)));
  const { shifts } = climateTrend({ years: paths.map(({ year }) => year), values, perDegree: 1 }, firstYear);
  return paths.map(({ means }, path) => means.map((value, index) => known[index] ?? value + (shifts[path] ?? 0)));
}

/** Mean temperature of a day in an earlier (negative) or later year, °C. */
function meanIn(reference: ReferenceWeather, date: Day, yearsLater: number): number | undefined {
  const index = indexInYear(reference, date, Number(date.slice(0, 4)) + yearsLater);
  const temperatures = temperaturesAt(reference, index);
  return temperatures && (temperatures.minC + temperatures.maxC) / 2;
}
