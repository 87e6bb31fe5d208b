import { dayNumber } from '../../kit/validation/calendar.js';
import type { Day } from '../weather/fieldDays.js';
import { photoperiodHours } from '../days/dayLength.js';

/** A day's mean temperature, °C. */
interface MeanDay {
  readonly date: Day;
  readonly meanC: number;
}

/** When winter wheat reaches its stages, as indexes of days; absent: not within the days. */
interface WheatStages extends StagesBefore {
  readonly emergence?: number;
  readonly anthesis?: number;
  readonly maturity?: number;
  /** Whether the plant's cold need is met, so that it no longer holds development back. */
  readonly isColdMet: boolean;
}

type Table = readonly (readonly [x: number, y: number])[];

/** Sum above 0 °C, 30 °C at most, from sowing to emergence, °C·day. */
export const emergenceSum = 120;
/** The same from emergence to anthesis, slowed by cold need and day length. */
export const anthesisSum = 1000;
/** The same from anthesis to maturity. */
export const maturitySum = 950;
/**
 * Stages before anthesis, as shares of its sum: where Kansas' sums from 1 January put them in Milwaukee, sown on 25
 * September, median of 34 years (flowering: 0.98).
 */
export const shareOfAnthesis = { jointing: 0.42, boot: 0.64, heading: 0.76 } as const;
/** Effective temperature of a mean temperature, °C. */
const warmth: Table = [
  [0, 0],
  [30, 30],
  [45, 30],
];
/** Days of vernalisation of a day, by its mean temperature. */
const vernalisation: Table = [
  [-8, 0],
  [-4, 0],
  [3, 1],
  [10, 1],
  [17, 0],
  [20, 0],
];
/** Days of vernalisation at which development begins, and at which cold no longer holds it back. */
const coldNeed = { base: 14, full: 70 } as const;
/** From this share of development to anthesis on, cold no longer matters. */
const pastColdNeed = 0.3;
/** Day lengths at which development stands still and at which it is not slowed, hours. */
const dayLength = { critical: 8, optimal: 14 } as const;

function interpolate(table: Table, x: number): number {
  const [first, last] = [table[0], table.at(-1)];
  if (first === undefined || last === undefined) return NaN;
  if (x <= first[0]) return first[1];
  const above = table.findIndex(([at]) => at >= x);
  const [low, high] = [table[above - 1], table[above]];
  if (low === undefined || high === undefined) return last[1];
  return low[1] + ((high[1] - low[1]) * (x - low[0])) / (high[0] - low[0]);
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/**
 * Stages of winter wheat from sowing on, with development slowed until the cold need is met and by short days: the
 * phenology of WOFOST with its generic winter wheat.
 *
 * @param days from sowing on, without gaps
 * @see de Wit et al. (2019), Agricultural Systems 168, 154–167, doi 10.1016/j.agsy.2018.05.002
 */
export function winterWheatStages(days: readonly MeanDay[], latitude: number): WheatStages {
  const emergence = emergenceOf(days);
  if (emergence === undefined) return { isColdMet: false };
  let [cold, development] = [0, 0];
  let anthesis: number | undefined;
  const before: StagesBefore = {};
  for (const [index, { date, meanC }] of days.entries()) {
    if (index < emergence) continue;
    if (anthesis !== undefined) {
      development += interpolate(warmth, meanC) / maturitySum;
      if (development >= 2) return { emergence, ...before, anthesis, maturity: index + 1, isColdMet: true };
      continue;
    }
    cold += interpolate(vernalisation, meanC);
    const pace = vernalised(cold, development) * lightOf(date, latitude);
    development = Math.min(1, development + (interpolate(warmth, meanC) * pace) / anthesisSum);
    note(before, development, index);
    if (development === 1) anthesis = index;
  }
  const isColdMet = cold >= coldNeed.full || development >= pastColdNeed;
  return { emergence, ...before, isColdMet, ...(anthesis !== undefined && { anthesis }) };
}

const stagesBefore = ['jointing', 'boot', 'heading'] as const;
type StagesBefore = Partial<Record<(typeof stagesBefore)[number], number>>;

/** Notes the first day of each stage before anthesis. */
function note(before: StagesBefore, development: number, index: number): void {
  for (const stage of stagesBefore) if (development >= shareOfAnthesis[stage]) before[stage] ??= index;
}

/** The day after the one on which the sum to emergence is reached. */
function emergenceOf(days: readonly MeanDay[]): number | undefined {
  let sum = 0;
  const index = days.findIndex(({ meanC }) => (sum += Math.min(Math.max(meanC, 0), 30)) >= emergenceSum);
  return index === -1 ? undefined : index + 1;
}

const vernalised = (cold: number, development: number): number =>
  cold >= coldNeed.full || development >= pastColdNeed
    ? 1
    : clamp((cold - coldNeed.base) / (coldNeed.full - coldNeed.base));

function lightOf(date: Day, latitude: number): number {
  const dayOfYear = dayNumber(date) - dayNumber(`${date.slice(0, 4)}-01-01`) + 1;
  const hours = photoperiodHours(latitude, dayOfYear);
  return clamp((hours - dayLength.critical) / (dayLength.optimal - dayLength.critical));
}
