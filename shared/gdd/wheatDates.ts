import type { Day } from '../weather/calendar.js';
import { monthDayOf } from '../validation/calendar.js';
import { countDays } from '../weather/calendar.js';
import { lastYearOf, type ReferenceWeather } from '../weather/weatherCache.js';
import type { KnownDay } from './degreeDaySeries.js';
import type { GddStageModelRecord, GddStageRecord } from './gddRecord.js';
import { climateTrend } from './climateTrend.js';
import { ascending, quantileType6 } from './quantile.js';
import { sayer, temperatureIn, type TemperatureUnit } from './temperature.js';
import { recentYears } from './normals.js';
import type { SeasonStages, StageInput } from './seasonStages.js';
import {
  anthesisSum,
  emergenceSum,
  maturitySum,
  shareOfAnthesis,
  winterWheatStages,
  type WheatStages,
} from './winterWheat.js';

const reference =
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

/** Stages of winter wheat from its planting on, by a model that knows its need of cold and of long days. */
export function wheatDatesOf({ days, span, place, reference: years, unit }: StageInput): SeasonStages {
  const definition = definitionIn(unit);
  const say = sayer(unit);
  const paths = meansOf(days, years).map((means) =>
    winterWheatStages(
      means.map((meanC, index) => ({ date: days[index]?.date ?? span.from, meanC })),
      place.latitude,
    ),
  );
  if (paths.length === 0) return { stages: [], warnings: [], isPlanted: true };
  const model: GddStageModelRecord = {
    definition,
    unit,
    countedFrom: span.from,
    reference,
    caution:
      'a generic winter wheat: sums of varieties and regions differ; jointing, boot and heading lie on its way to ' +
      'anthesis where the sums of Kansas put them',
  };
  const isColdMet = paths.filter(({ isColdMet: isMet }) => isMet).length * 2 > paths.length;
  return {
    model,
    stages: stages.map(({ of, code, name, threshold }) => ({
      ...{ code, name, threshold: say(threshold), unit, definition },
      ...datesOf(paths, of, days),
    })),
    warnings: isColdMet ? [] : ['Winter wheat has not had the cold it needs to head by gddEndDate.'],
    isPlanted: true,
  };
}

/**
 * Mean temperatures of the season; where days rest on normals one path for each of the last complete years, moved by the
 * trend of its open days.
 */
function meansOf(days: readonly KnownDay[], years: ReferenceWeather | undefined): (readonly number[])[] {
  const known = days.map(({ temperatures }) => temperatures && (temperatures.minC + temperatures.maxC) / 2);
  if (!known.includes(undefined)) return [known.map((value) => value ?? NaN)];
  if (years === undefined) return [];
  const firstYear = Number(days[0]?.date.slice(0, 4));
  const last = lastYearOf(years) - (Number(days.at(-1)?.date.slice(0, 4)) - firstYear);
  const paths = Array.from({ length: recentYears }, (_, index) => last - index).flatMap((year) => {
    const means = days.map(({ date }, index) => known[index] ?? meanIn(years, date, year - firstYear));
    return means.includes(undefined) ? [] : [{ year, means: means.map((value) => value ?? NaN) }];
  });
  const meanOfOpen = (means: readonly number[]): number => {
    const open = means.filter((_, index) => known[index] === undefined);
    return open.reduce((sum, value) => sum + value, 0) / open.length;
  };
  const values = paths.map(({ means }) => meanOfOpen(means));
  const { shifts } = climateTrend({ years: paths.map(({ year }) => year), values, perDegree: 1 }, firstYear);
  return paths.map(({ means }, path) => means.map((value, index) => known[index] ?? value + (shifts[path] ?? 0)));
}

/** Mean temperature of a day as many years earlier. */
function meanIn({ from, minC, maxC }: ReferenceWeather, date: Day, years: number): number | undefined {
  const monthDay = monthDayOf(date);
  const index = countDays({ from, to: `${Number(date.slice(0, 4)) + years}-${monthDay}` }) - 1;
  const [low, high] = [minC[index] ?? null, maxC[index] ?? null];
  return low === null || high === null ? undefined : (low + high) / 2;
}

type Dates = Pick<GddStageRecord, 'date' | 'basis' | 'earliest' | 'latest'>;

function datesOf(paths: readonly WheatStages[], of: (typeof stages)[number]['of'], days: readonly KnownDay[]): Dates {
  const ordered = ascending(paths.map((path) => path[of] ?? Infinity));
  const at = (probability: number, round: (value: number) => number): KnownDay | undefined =>
    days[round(quantileType6(ordered, probability))];
  const [earliest, median, latest] = [at(0.1, Math.floor), at(0.5, Math.round), at(0.9, Math.ceil)];
  return { date: dateOf(median), basis: median?.source ?? null, earliest: dateOf(earliest), latest: dateOf(latest) };
}

const dateOf = (day: KnownDay | undefined): Day | null => day?.date ?? null;
