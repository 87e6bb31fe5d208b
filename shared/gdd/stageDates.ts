import type { Day, DaySpan } from '../weather/calendar.js';
import { countDays } from '../weather/calendar.js';
import type { DegreeDaySeries, KnownDay, SeriesInput } from './degreeDaySeries.js';
import { degreeDaySeries } from './degreeDaySeries.js';
import type { DegreeDayDefinition } from './degreeDays.js';
import { limitsOf, nameOfDefinition } from './degreeDays.js';
import type { GddStageModelRecord, GddStageRecord } from './gddRecord.js';
import type { StageModel } from './growthStages.js';
import type { Reach } from './reachDates.js';
import { reachOfBand } from './reachDates.js';
import { seasonBand, type SeasonBand } from './seasonBand.js';
import { sayer, type TemperatureUnit } from './temperature.js';

/** The stages of a season and the model they come from. */
export interface StageDates {
  readonly model: GddStageModelRecord;
  readonly stages: readonly GddStageRecord[];
}

/** A season under one definition: what its days and its range are worth. */
export interface SeasonSums {
  readonly definition: DegreeDayDefinition;
  readonly series: DegreeDaySeries;
  readonly band: SeasonBand;
}

export interface StageDatesInput extends SeriesInput {
  /** The sums of the job itself: stages of the same definition rest on them. */
  readonly total?: SeasonSums;
  /** Whether the bias of the forecast was removed; default false. */
  readonly isBiasRemoved?: boolean;
  /** Unit that thresholds are told in. */
  readonly unit: TemperatureUnit;
}

/**
 * When the season reaches each growth stage, by the stage model's own degree-days.
 *
 * @returns undefined when the model counts from a 1 January that the season does not hold
 */
export function stageDatesOf(model: StageModel, input: StageDatesInput): StageDates | undefined {
  const countedFrom = countingStart(model, input.span);
  if (countedFrom === undefined) return undefined;
  const offset = countDays({ from: input.span.from, to: countedFrom }) - 1;
  const days = input.days.slice(offset);
  const { reference, isBiasRemoved = false, unit } = input;
  const span = { from: countedFrom, to: input.span.to };
  const isTotal = offset === 0 && input.total !== undefined && isSame(input.total.definition, model.definition);
  const { band } = isTotal
    ? input.total
    : seasonSums({ span, days, reference, isBiasRemoved, definition: model.definition });
  const definition = nameOfDefinition(model.definition, unit);
  const say = sayer(unit);
  return {
    model: { definition, unit, countedFrom, reference: model.reference, caution: model.caution },
    stages: model.stages.map(({ code, name, ...published }) => {
      const threshold = celsiusDaysOf(published.threshold, model.unit);
      const upTo = published.upTo === undefined ? undefined : celsiusDaysOf(published.upTo, model.unit);
      return {
        ...{ code, name, threshold: say(threshold) },
        ...(upTo !== undefined && { thresholdUpTo: say(upTo) }),
        ...{ unit, definition },
        ...datesOf(reachOfBand(band, threshold, upTo), days),
      };
    }),
  };
}

interface SumsInput extends SeriesInput {
  readonly isBiasRemoved: boolean;
  readonly definition: DegreeDayDefinition;
}

/** Degree-days and range of a season under a definition. */
export function seasonSums({ span, days, reference, isBiasRemoved, definition }: SumsInput): SeasonSums {
  const series = degreeDaySeries({ span, days, reference }, definition);
  const band = seasonBand({ days, series, limits: limitsOf(definition), reference, isBiasRemoved });
  return { definition, series, band };
}

const isSame = (one: DegreeDayDefinition, other: DegreeDayDefinition): boolean =>
  one.method === other.method && one.lowerF === other.lowerF && one.upperF === other.upperF;

const celsiusDaysOf = (threshold: number, unit: StageModel['unit']): number =>
  unit === 'F' ? (threshold * 5) / 9 : threshold;

/** A season that begins before this day of the year is no autumn sowing. */
const autumnBegins = '07-01';

/** Whether the sum from 1 January is known: of a season that begins on that day, or was sown in the half year before. */
export const isKnownFromNewYear = ({ from }: DaySpan): boolean =>
  from.endsWith('-01-01') || from.slice(5) >= autumnBegins;

function countingStart({ countedFrom }: StageModel, span: DaySpan): Day | undefined {
  if (countedFrom === 'planting') return span.from;
  if (!isKnownFromNewYear(span)) return undefined;
  const newYear = span.from.endsWith('-01-01') ? span.from : `${Number(span.from.slice(0, 4)) + 1}-01-01`;
  return newYear <= span.to ? newYear : undefined;
}

type Dates = Pick<GddStageRecord, 'date' | 'basis' | 'earliest' | 'latest'>;

function datesOf({ earliest, median, latest }: Reach, days: readonly KnownDay[]): Dates {
  const dayAt = (index: number | undefined): Day | null => (index === undefined ? null : (days[index]?.date ?? null));
  const reached = median === undefined ? undefined : days[median];
  return {
    date: reached?.date ?? null,
    basis: reached?.source ?? null,
    earliest: dayAt(earliest),
    latest: dayAt(latest),
  };
}
