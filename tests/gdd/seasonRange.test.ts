import { beforeAll, describe, expect, test } from '@jest/globals';
import { dayNumber } from '../../shared/kit/validation/calendar.js';
import { forwardSeasons, type ForwardSeason } from './forwardSeasons.js';
import { seededClimate, testedSlopes } from './seededClimate.js';
import { stationRecords } from './stationRecords.js';

/** How many of some truths lay below, within and above what was told of them, as shares. */
interface Shares {
  readonly count: number;
  readonly below: number;
  readonly inside: number;
  readonly above: number;
}

interface Told {
  readonly truth: number;
  readonly low: number;
  readonly high: number;
}

function sharesOf(told: readonly Told[]): Shares {
  const count = told.length;
  const below = told.filter(({ truth, low }) => truth < low).length / count;
  const above = told.filter(({ truth, high }) => truth > high).length / count;
  return { count, below, inside: 1 - below - above, above };
}

const totals = (seasons: readonly ForwardSeason[]): Told[] =>
  seasons.flatMap(({ outcomes, record: { range } }) =>
    outcomes.map((sums) => ({ truth: sums.at(-1) ?? NaN, low: range.p10, high: range.p90 })),
  );

/** Days of stages that had not come when they were told, as numbers of days; Infinity: after the season. */
const stageDays = (seasons: readonly ForwardSeason[]): Told[] =>
  seasons.flatMap(({ today, record, outcomes }) =>
    record.stages.flatMap(({ threshold, unit, thresholdUpTo, date, earliest, latest }) => {
      const isOpen = date === null || date >= today;
      // A stage between two sums is a span of days and not one of them.
      if (thresholdUpTo !== undefined || !isOpen || earliest === null) return [];
      const sum = unit === 'F' ? (threshold * 5) / 9 : threshold;
      const numberOf = (day: string | null): number => (day === null ? Infinity : dayNumber(day));
      return outcomes.map((sums) => {
        const reached = sums.findIndex((value) => value >= sum - roundingNoise);
        const truth = reached === -1 ? Infinity : dayNumber(record.gddStartDate) + reached;
        return { truth, low: numberOf(earliest), high: numberOf(latest) };
      });
    }),
  );

/** Thresholds and sums of a record have two decimals. */
const roundingNoise = 0.01;

/** What an interval of 80 % has to hold of seasons that it knew nothing of. */
const held = { least: 0.76, most: 0.84 } as const;
/** By so much the sides may differ: more would be a bias. */
const mostLopsided = 0.05;
/** No climate may be told so cold that more end above: twice the share would be 20 %. */
const mostAbove = 0.15;

/** Years of the future, so that 1991–2020 lies further and further back. */
const years = [2021, 2025, 2029, 2033, 2037, 2041];
const seeds = [1, 2, 3];
/** So many ways to go on for each season, so that chance in one summer decides nothing. */
const continued = 19;

async function seasonsOf(perDecadeC: number): Promise<ForwardSeason[]> {
  const seasons: ForwardSeason[] = [];
  for (const seed of seeds) {
    for (const isMirrored of [false, true]) {
      const span = { from: '1991-01-01', to: '2041-12-31' };
      const { weather, continuations } = seededClimate({
        seed: seed + 1000 * perDecadeC,
        isMirrored,
        perDecadeC,
        span,
      });
      const asked = { weather, years, on: ['06-01', '08-01'] };
      seasons.push(...(await forwardSeasons({ ...asked, continuations: (rest) => continuations(rest, continued) })));
    }
  }
  return seasons;
}

/** Whether the lines of the range never fall, and never lie below what was already known to have come. */
function expectLawsOf({ record: { range, daily, observedTotal, provisionalTotal } }: ForwardSeason): void {
  for (const line of [range.cumulative?.p10 ?? [], range.cumulative?.p90 ?? []]) {
    expect(line).toEqual(line.toSorted((one, other) => one - other));
  }
  const before = daily.findLast(({ source }) => source === 'OBSERVED' || source === 'PROVISIONAL')?.cumulative ?? 0;
  expect(before).toBeCloseTo(observedTotal + provisionalTotal, 1);
  const lowest = Math.min(range.p10, ...(range.cumulative?.p10 ?? []));
  expect(lowest).toBeGreaterThanOrEqual(before - roundingNoise);
}

describe('the range of a season, held against what came after it was told', () => {
  const climates = new Map<number, ForwardSeason[]>();
  const all = (): ForwardSeason[] => [...climates.values()].flat();
  beforeAll(async () => {
    for (const slope of testedSlopes) climates.set(slope, await seasonsOf(slope));
  });

  test('holds eight of ten totals', () => {
    const { inside } = sharesOf(totals(all()));
    expect(inside).toBeGreaterThanOrEqual(held.least);
    expect(inside).toBeLessThanOrEqual(held.most);
  });

  test('is missed on both sides alike', () => {
    const { below, above } = sharesOf(totals(all()));
    expect(Math.abs(above - below)).toBeLessThanOrEqual(mostLopsided);
  });

  test.each(testedSlopes)('is exceeded by few in a climate that warms by %s °C a decade', (slope) => {
    expect(sharesOf(totals(climates.get(slope) ?? [])).above).toBeLessThanOrEqual(mostAbove);
  });

  test('never falls, and is never below what was already observed', () => {
    for (const season of all()) expectLawsOf(season);
  });

  test('and the days from the first to the last of a stage hold eight of ten of its dates', () => {
    const { inside, below, above } = sharesOf(stageDays(all()));
    expect(inside).toBeGreaterThanOrEqual(held.least);
    expect(inside).toBeLessThanOrEqual(held.most);
    expect(Math.abs(above - below)).toBeLessThanOrEqual(mostLopsided);
  });
});

const stations = stationRecords();
const inWords = ({ count, below, inside, above }: Shares): string =>
  [`inside ${inside.toFixed(3)}`, `below ${below.toFixed(3)}`, `above ${above.toFixed(3)}`, `of ${count}`].join(', ');
/** Fewer earlier years make a warning instead of a range to rely on. */
const leastYears = 10;

(stations.length > 0 ? describe : describe.skip)('the range of a season of a recorded station', () => {
  test.each(stations)('keeps its laws, and what it holds is printed: $name', async ({ name, years: span, weather }) => {
    const [first, last] = [span[0] + leastYears, span[1]];
    const recorded = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const seasons = await forwardSeasons({ weather, years: recorded, on: ['06-01', '08-01'] });
    for (const season of seasons) expectLawsOf(season);
    console.log(
      `${name}, ${first}–${last}, corn, from earlier years alone: totals ${inWords(sharesOf(totals(seasons)))}`,
    );
    console.log(`${name}: days of stages ${inWords(sharesOf(stageDays(seasons)))}`);
  });
});
