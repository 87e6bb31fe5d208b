/**
 * How the trend of the reference years is best carried on: the rest of a season by several rules, each from the years
 * before it alone, held against how it came. In made-up climates of several slopes, seasons of 2021 to 2050; of stations,
 * where their records lie beside the repository, those that have ten years before them.
 *
 *   npm run bench:season
 */
import { climateTrend, warmingPrior } from '../../shared/gdd/days/climateTrend.js';
import type { Crop } from '../../shared/gdd/days/crops.js';
import { cropModels } from '../../shared/gdd/days/crops.js';
import { degreeDaysOf, limitsOf } from '../../shared/gdd/days/degreeDays.js';
import { degreeDaysPerDegree } from '../../shared/gdd/days/degreeDaySeries.js';
import { recentYears } from '../../shared/gdd/days/normals.js';
import { ascending, deviationOf, quantileType6, sumOf } from '../../shared/gdd/days/quantiles.js';
import { daysOf } from '../../shared/gdd/weather/fieldDays.js';
import { referenceYears } from '../../shared/gdd/weather/cache/weatherCache.js';
import type { WeatherRecord } from '../gdd/forwardSeasons.js';
import { seededClimate, testedSlopes } from '../gdd/seededClimate.js';
import { stationRecords } from '../gdd/stationRecords.js';
import { say, sized } from './figures.js';

/** Sums of the rest of a season in the years before it, °C·day. */
interface Earlier {
  readonly years: readonly number[];
  readonly values: readonly number[];
  readonly seasonYear: number;
  readonly openDays: number;
}

interface Rule {
  readonly name: string;
  readonly isUsed: (year: number, seasonYear: number) => boolean;
  /** Change of the rest of the season, °C·day a year. */
  readonly slope: (earlier: Earlier) => number;
}

const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;

function leastSquaresSlope({ years, values }: Earlier): number {
  const [meanYear, mean] = [meanOf(years), meanOf(values)];
  const products = years.map((year, index) => (year - meanYear) * ((values[index] ?? NaN) - mean));
  return sumOf(products) / sumOf(years.map((year) => (year - meanYear) ** 2));
}

/** Half the trend, never more than the years spread: what the service did before. */
function halfSlope(earlier: Earlier): number {
  const half = leastSquaresSlope(earlier) / 2;
  const shift = Math.abs(half * (earlier.seasonYear - meanOf(earlier.years)));
  return half * Math.min(1, deviationOf(earlier.values) / shift);
}

const isRecent = (year: number, seasonYear: number): boolean => year >= seasonYear - recentYears;

const rules: readonly Rule[] = [
  { name: '1991–2020, half the trend', isUsed: (year) => year <= referenceYears.last, slope: halfSlope },
  { name: 'last 30, no trend', isUsed: isRecent, slope: () => 0 },
  { name: 'last 30, half the trend', isUsed: isRecent, slope: halfSlope },
  { name: 'last 30, whole trend, >= 0', isUsed: isRecent, slope: (earlier) => Math.max(0, leastSquaresSlope(earlier)) },
  {
    name: `last 30, with ${warmingPrior.perDecadeC} ± ${warmingPrior.deviationC} °C`,
    isUsed: isRecent,
    slope: (earlier) => {
      const perDegree = degreeDaysPerDegree * earlier.openDays;
      return climateTrend({ ...earlier, perDegree }, earlier.seasonYear).perDecade / 10;
    },
  },
];

/** What came of one rest of a season under a rule. */
interface Outcome {
  /** Mean pinball loss of the 10th, 50th and 90th percentile, °C·day: lower is better. */
  readonly loss: number;
  readonly side: 'below' | 'inside' | 'above';
  readonly bias: number;
}

const pinball = (told: number, probability: number, truth: number): number =>
  truth >= told ? probability * (truth - told) : (1 - probability) * (told - truth);

function outcomeOf({ isUsed, slope }: Rule, all: Earlier, truth: number): Outcome {
  const used = all.years.map((year) => isUsed(year, all.seasonYear));
  const years = all.years.filter((_, index) => used[index]);
  const values = all.values.filter((_, index) => used[index]);
  const perYear = slope({ ...all, years, values });
  const moved = ascending(values.map((value, index) => value + perYear * (all.seasonYear - (years[index] ?? NaN))));
  const [low, middle, high] = [0.1, 0.5, 0.9].map((probability) => quantileType6(moved, probability)) as Three;
  const losses = [pinball(low, 0.1, truth), pinball(middle, 0.5, truth), pinball(high, 0.9, truth)];
  const side = truth < low ? 'below' : truth > high ? 'above' : 'inside';
  return { loss: meanOf(losses), side, bias: middle - truth };
}

type Three = [number, number, number];

interface Place {
  readonly weather: WeatherRecord;
  readonly crop: Crop;
  readonly firstYear: number;
  /** First and last season that is told. */
  readonly told: readonly [first: number, last: number];
}

/** Days on which the rest of a season to 30 September is told. */
const toldOn = ['05-01', '06-01', '07-01', '08-01', '09-01'];

/** Outcomes of each rule, in the order of the rules. */
function outcomesAt({ weather, crop, firstYear, told: [first, last] }: Place): Outcome[][] {
  const limits = limitsOf(cropModels[crop]);
  const outcomes = rules.map((): Outcome[] => []);
  for (const from of toldOn) {
    const restOf = (year: number): number[] =>
      daysOf({ from: `${year}-${from}`, to: `${year}-09-30` }).map((day) => degreeDaysOf(weather.get(day)!, limits));
    const years = Array.from({ length: last - firstYear + 1 }, (_, index) => firstYear + index);
    const values = years.map((year) => sumOf(restOf(year)));
    for (let seasonYear = first; seasonYear <= last; seasonYear += 1) {
      const count = seasonYear - firstYear;
      const openDays = restOf(seasonYear).length;
      const earlier = { years: years.slice(0, count), values: values.slice(0, count), seasonYear, openDays };
      for (const [index, rule] of rules.entries()) {
        outcomes[index]!.push(outcomeOf(rule, earlier, values[count] ?? NaN));
      }
    }
  }
  return outcomes;
}

function print(title: string, places: readonly Outcome[][][]): void {
  const rows = rules.map(({ name }, index) => {
    const outcomes = places.flatMap((place) => place[index] ?? []);
    const share = (of: Outcome['side']): string =>
      (outcomes.filter(({ side }) => side === of).length / outcomes.length).toFixed(3);
    return {
      rule: name,
      loss: meanOf(outcomes.map(({ loss }) => loss)).toFixed(2),
      below: share('below'),
      inside: share('inside'),
      above: share('above'),
      bias: meanOf(outcomes.map(({ bias }) => bias)).toFixed(1),
      told: outcomes.length,
    };
  });
  say(title);
  if (JSON.stringify(rows).includes('NaN')) throw new Error(`A figure is no number: ${title}`);
  console.table(rows);
}

const seeds = sized(30);
const span = { from: '1991-01-01', to: '2050-12-31' };
const pooled = testedSlopes.flatMap((perDecadeC) => {
  const places = Array.from({ length: seeds }, (_, seed) => seed + 1).flatMap((seed) =>
    [false, true].map((isMirrored) => {
      const { weather } = seededClimate({ seed: seed + 1000 * perDecadeC, isMirrored, perDecadeC, span });
      return outcomesAt({ weather, crop: 'CORN', firstYear: 1991, told: [2021, 2050] });
    }),
  );
  print(`A climate that warms by ${perDecadeC} °C a decade, corn`, places);
  return places;
});
print('These climates together', pooled);
const fewestYears = 10;
for (const { name, weather, years } of stationRecords()) {
  const crops: readonly Crop[] = ['CORN', 'COTTON', 'SUGAR_BEET', 'CANOLA'];
  const [firstYear, last] = years;
  const told = [firstYear + fewestYears, last] as const;
  print(
    `${name}, ${told[0]}–${last}: ${crops.join(', ')}`,
    crops.map((crop) => outcomesAt({ weather, crop, firstYear, told })),
  );
}
