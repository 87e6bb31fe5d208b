import type { Day } from '../weather/fieldDays.js';
import type { Crop } from '../days/crops.js';
import type { GddRecord, GddStageRecord } from '../form/gddRecord.js';
import type { StartEvent } from '../form/gddParameters.js';
import { reachIndex } from '../outlook/reachDates.js';
import type { DaySource, KnownDay } from '../days/season.js';

/**
 * Effect of a night on a crop. NEAR: within a degree of damage, because the ground of a hollow is colder than its grid
 * cell.
 */
export type FrostSeverity = GddRecord['frost'][number]['severity'];

/** A night that is cold for the crop. */
export interface Frost {
  readonly date: Day;
  readonly minC: number;
  readonly source: DaySource;
  readonly severity: FrostSeverity;
  /** Whether the crop is above ground and not ripe yet. */
  readonly hitsCrop: boolean;
  /** Whether the night is at most a degree warmer than one that kills the crop. */
  readonly isNearKilling: boolean;
}

/** Temperatures at or below which a crop is damaged and killed, °C. */
interface FrostLimits {
  readonly damageC: number;
  readonly killingC: number;
}

/** 28 °F kills corn, soybean and cotton; beet and canola bear lower temperatures, and are killed when damaged. */
const limitsFromPlanting: Readonly<Partial<Record<Crop, FrostLimits>>> = {
  CORN: { damageC: 0, killingC: -2.2 },
  SOYBEAN: { damageC: 0, killingC: -2.2 },
  COTTON: { damageC: 0, killingC: -2.2 },
  SUGAR_BEET: { damageC: -4, killingC: -4 },
  CANOLA: { damageC: -4, killingC: -4 },
};

/**
 * Winter wheat is hardened until jointing; after it, the limits rise.
 *
 * @see Kansas State University, Spring Freeze Injury to Kansas Wheat: 24, 28, 30, 30, 28 °F
 */
const limitsByStage: Readonly<Record<string, FrostLimits>> = {
  jointing: { damageC: -4.4, killingC: -4.4 },
  boot: { damageC: -2.2, killingC: -2.2 },
  heading: { damageC: -1.1, killingC: -2.2 },
  flowering: { damageC: -1.1, killingC: -2.2 },
  anthesis: { damageC: -1.1, killingC: -2.2 },
  milk: { damageC: -2.2, killingC: -2.2 },
};

/** Assumed difference between a hollow and its grid cell, °C. */
const hollowC = 1;

/**
 * Degree-days from planting to emergence by the crop's own definition, °C·day. Corn: Purdue, 115 °F·day. Soybean: the
 * least of Iowa State's 90 to 130. Cotton: Oklahoma State, 50. Sugar beet: a week at 60 °F (North Dakota State).
 * Canola: 152 °C·day above 0 °C (Montana State) in a spring of 10 °C.
 */
const toEmergence: Readonly<Partial<Record<Crop, number>>> = {
  CORN: (115 * 5) / 9,
  SOYBEAN: (90 * 5) / 9,
  COTTON: (50 * 5) / 9,
  SUGAR_BEET: (180 * 5) / 9,
  CANOLA: 76,
};

interface FrostInput {
  readonly crop: Crop;
  readonly startEvent: StartEvent;
  readonly days: readonly KnownDay[];
  /** Degree-days of the days, °C·day. */
  readonly daily: readonly number[];
  readonly stages: readonly GddStageRecord[];
}

/** Nights of the season, from planting on, that are cold for the crop; days without temperatures are left out. */
export function frostsOf(input: FrostInput): Frost[] {
  const { days, stages } = input;
  const limitsOn = limitsOfSeason(input);
  const [emerged, ripeOn] = [emergenceIndex(input), ripeDay(stages)];
  return days.flatMap(({ date, source, temperatures }, index) => {
    const limits = limitsOn(date);
    if (temperatures === undefined || limits === undefined) return [];
    const { minC } = temperatures;
    const severity = severityOf(minC, limits);
    if (severity === undefined) return [];
    const hitsCrop = index > emerged && (ripeOn === undefined || date < ripeOn);
    return [{ date, minC, source, severity, hitsCrop, isNearKilling: isAtMost(minC, limits.killingC + hollowC) }];
  });
}

function limitsOfSeason({ crop, stages }: FrostInput): (date: Day) => FrostLimits | undefined {
  const always = limitsFromPlanting[crop];
  if (always !== undefined) return () => always;
  return (date) => {
    const stage = stages.findLast((each) => each.date !== null && each.date <= date);
    return stage && limitsByStage[stage.code];
  };
}

/** Corrected temperatures have rounding errors, which must not decide. */
const isAtMost = (minC: number, limitC: number): boolean => minC <= limitC + 1e-9;

function severityOf(minC: number, { damageC, killingC }: FrostLimits): FrostSeverity | undefined {
  if (isAtMost(minC, killingC)) return 'KILLING';
  if (isAtMost(minC, damageC)) return 'DAMAGE';
  return isAtMost(minC, damageC + hollowC) ? 'NEAR' : undefined;
}

/** Index of the day of emergence; −1 when it lies before the season. */
function emergenceIndex({ crop, startEvent, daily }: FrostInput): number {
  const sum = toEmergence[crop];
  return startEvent === 'PLANTING' && sum !== undefined ? reachIndex(daily, sum) : -1;
}

/** Names of a last stage that ends the crop; of several varieties, the latest one counts. */
const ripe: readonly string[] = ['maturity', 'harvest'];

function ripeDay(stages: readonly GddStageRecord[]): Day | undefined {
  const last = stages.at(-1);
  return last !== undefined && ripe.includes(last.name) ? (last.date ?? undefined) : undefined;
}

/** The first frost that kills a standing crop. */
export const killingFrostOf = (frosts: readonly Frost[]): Frost | undefined =>
  frosts.find(({ severity, hitsCrop }) => severity === 'KILLING' && hitsCrop);

/** Stages without those after a killing frost, which have a date only for the case that the crop survives. */
export function stagesUntil(killing: Frost | undefined, stages: readonly GddStageRecord[]): GddStageRecord[] {
  if (killing === undefined) return [...stages];
  const upTo = (day: Day | null): Day => (day === null || day > killing.date ? killing.date : day);
  return stages.map((stage) => {
    const { date, earliest, latest } = stage;
    if (date !== null && date <= killing.date) return { ...stage, latest: upTo(latest) };
    const isPossible = earliest !== null && earliest <= killing.date;
    return {
      ...stage,
      date: null,
      basis: null,
      earliest: isPossible ? earliest : null,
      latest: null,
      ...(date !== null && { dateIfSurvived: date }),
    };
  });
}
