import { countDays, type Day, type DaySpan } from '../weather/fieldDays.js';
import type { GroundPoint } from '../weather/weatherSource.js';
import type { Crop } from '../days/crops.js';
import { type DegreeDaySeries, degreeDaySeries, type SeriesInput } from '../days/degreeDaySeries.js';
import { type DegreeDayDefinition, limitsOf, nameOfDefinition } from '../days/degreeDays.js';
import type { StartEvent } from '../form/gddParameters.js';
import type { GddRecord, GddStageRecord } from '../form/gddRecord.js';
import type { StageModel } from './growthStages.js';
import { daysOfReach, type Reach, reachOfBand } from '../outlook/reachDates.js';
import type { KnownDay } from '../days/season.js';
import { seasonBand, type SeasonBand } from '../outlook/seasonBand.js';
import { sayer, type TemperatureUnit } from '../days/temperature.js';

/** The stages of a season and the model they come from. */
export interface StageDates {
  readonly model: NonNullable<GddRecord['stageModel']>;
  readonly stages: readonly GddStageRecord[];
}

/** Degree-days and range of a season under one definition. */
export interface SeasonSums {
  readonly definition: DegreeDayDefinition;
  readonly series: DegreeDaySeries;
  readonly band: SeasonBand;
}

/** A season whose stages are wanted. */
export interface StageDatesInput extends SeriesInput {
  /** The sums of the job: stages of the same definition rest on them. */
  readonly total?: SeasonSums;
  /** Whether the bias of the forecast was removed; default false. */
  readonly isBiasRemoved?: boolean;
  /** Unit of the thresholds in the record. */
  readonly unit: TemperatureUnit;
}

/** What the stages of a season follow from. */
export interface StageInput extends StageDatesInput {
  readonly crop: Crop;
  readonly startEvent: StartEvent;
  readonly place: GroundPoint;
}

/** The stages of a season; without a model, and with the reason among the warnings, where none can be told. */
export interface SeasonStages extends Partial<StageDates> {
  readonly stages: StageDates['stages'];
  readonly warnings: readonly string[];
  /** False where the first day is no likely planting date: then there is no crop that a frost could hit. */
  readonly isPlanted: boolean;
}

/**
 * When the season reaches each growth stage, by the stage model's own degree-days.
 *
 * @returns undefined when the model counts from a 1 January that is not in the season
 */
export function stageDatesOf(model: StageModel, input: StageDatesInput): StageDates | undefined {
  const countedFrom = countingStart(model, input.span);
  if (countedFrom === undefined) return undefined;
  const offset = countDays({ from: input.span.from, to: countedFrom }) - 1;
  const days = input.days.slice(offset);
  const { total, unit } = input;
  const span = { from: countedFrom, to: input.span.to };
  const isTotal = offset === 0 && total !== undefined && isSame(total.definition, model.definition);
  const { band } = isTotal ? total : seasonSums({ ...input, span, days }, model.definition);
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
        ...stageDays(reachOfBand(band, threshold, upTo), days),
      };
    }),
  };
}

/** Degree-days and range of a season under a definition. */
export function seasonSums(
  { isBiasRemoved = false, ...input }: SeriesInput & Pick<StageDatesInput, 'isBiasRemoved'>,
  definition: DegreeDayDefinition,
): SeasonSums {
  const series = degreeDaySeries(input, definition);
  const band = seasonBand({ ...input, series, limits: limitsOf(definition), isBiasRemoved });
  return { definition, series, band };
}

const isSame = (one: DegreeDayDefinition, other: DegreeDayDefinition): boolean =>
  one.method === other.method && one.lowerF === other.lowerF && one.upperF === other.upperF;

const celsiusDaysOf = (threshold: number, unit: TemperatureUnit): number =>
  unit === 'F' ? (threshold * 5) / 9 : threshold;

/** A season that begins between New Year and this day of the year is no autumn sowing. */
const autumnBegins = '07-01';

/** Whether a season has the sum from 1 January: it begins on that day, or was sown in the half year before. */
export const isKnownFromNewYear = ({ from }: DaySpan): boolean =>
  from.endsWith('-01-01') || from.slice(5) >= autumnBegins;

function countingStart({ countedFrom }: StageModel, span: DaySpan): Day | undefined {
  if (countedFrom === 'planting') return span.from;
  if (!isKnownFromNewYear(span)) return undefined;
  const newYear = span.from.endsWith('-01-01') ? span.from : `${Number(span.from.slice(0, 4)) + 1}-01-01`;
  return newYear <= span.to ? newYear : undefined;
}

/** The dates of a stage, with the source of its day; null where it is not reached within the days. */
export function stageDays(
  reach: Reach,
  days: readonly KnownDay[],
): Pick<GddStageRecord, 'date' | 'basis' | 'earliest' | 'latest'> {
  const { earliest, median, latest } = daysOfReach(reach, days);
  return { date: median, basis: days[reach.median]?.source ?? null, earliest, latest };
}
