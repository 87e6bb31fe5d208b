import type { Day } from '../weather/fieldDays.js';
import type { ReferenceWeather } from '../weather/cache/weatherCache.js';
import type { GroundPoint } from '../weather/weatherSource.js';
import type { Crop } from '../days/crops.js';
import { type StageModel, stageModels, type StageRegion } from './growthStages.js';
import { daysAround } from '../days/referenceDays.js';
import { isKnownFromNewYear, type SeasonStages, stageDatesOf, type StageInput } from './stageDates.js';
import { meanOf } from '../days/quantiles.js';
import { wheatDatesOf } from './wheatDates.js';

/** When the season reaches each growth stage, by the model for its crop, its place and its first day. */
export function stagesOfSeason(input: StageInput): SeasonStages {
  const usesKansas = isLikeKansas(input);
  const isFromNewYear = usesKansas && input.span.from.endsWith('-01-01');
  const doubted = isFromNewYear ? undefined : doubtedStart(input);
  if (doubted !== undefined) return doubted;
  if (input.crop === 'WINTER_WHEAT' && !usesKansas) return wheatDatesOf(input);
  const model = startedBy(input);
  const dates = stageDatesOf(model, input);
  const warnings = dates === undefined ? [] : regionWarning(model, input.place);
  return { ...dates, stages: dates?.stages ?? [], warnings, isPlanted: true };
}

/** No stages, with the reason: none are published from this event, or the crop is not planted at this time of the year. */
function doubtedStart(input: StageInput): SeasonStages | undefined {
  const event = eventDoubt(input);
  if (event !== undefined) return { stages: [], warnings: [event], isPlanted: true };
  const planting = plantingDoubt(input);
  return planting === undefined ? undefined : { stages: [], warnings: [planting], isPlanted: false };
}

/** Whether the sums of Kansas hold for a season: their region, and a sowing before winter or a count from 1 January. */
const isLikeKansas = ({ crop, place, span }: StageInput): boolean =>
  crop === 'WINTER_WHEAT' && isKnownFromNewYear(span) && isIn(stageModels.WINTER_WHEAT.region, place);

const isIn = ({ south, north, west, east }: StageRegion, { latitude, longitude }: GroundPoint): boolean =>
  latitude >= south && latitude <= north && longitude >= west && longitude <= east;

function regionWarning({ region }: StageModel, place: GroundPoint): string[] {
  if (isIn(region, place)) return [];
  const differ = 'outside of it varieties and the length of the day differ, and with them the dates.';
  return [`The thresholds of these growth stages come from ${region.name}: ${differ}`];
}

/**
 * Degree-days from planting to emergence, °F·day (Purdue, Oklahoma State): thresholds are published from planting, and
 * those of these two crops can be counted from emergence.
 */
const fromEmergence: Partial<Record<Crop, { readonly lower: number; readonly upper: number }>> = {
  CORN: { lower: 115, upper: 115 },
  COTTON: { lower: 50, upper: 60 },
};

function eventDoubt({ crop, startEvent }: StageInput): string | undefined {
  if (startEvent === 'PLANTING' || (startEvent === 'EMERGENCE' && fromEmergence[crop] !== undefined)) return undefined;
  return startEvent === 'EMERGENCE'
    ? 'Growth stages are left out: for this crop they are published from planting only.'
    : `Growth stages are left out: none are published from ${startEvent}.`;
}

/** The model of a crop, counted from the event of its first day. */
function startedBy({ crop, startEvent }: StageInput): StageModel {
  const [model, earlier] = [stageModels[crop], fromEmergence[crop]];
  if (startEvent !== 'EMERGENCE' || earlier === undefined) return model;
  const stages = model.stages.flatMap(({ upTo, ...stage }) => {
    const threshold = stage.threshold - earlier.lower;
    return threshold <= 0 ? [] : [{ ...stage, threshold, ...(upTo !== undefined && { upTo: upTo - earlier.upper }) }];
  });
  return { ...model, stages, caution: `${model.caution}; counted from emergence` };
}

/** Mean temperatures of the week from planting on at which a crop is sown, °C. */
const plantingC: Readonly<Record<Crop, readonly [least: number, most: number]>> = {
  CORN: [8, Infinity],
  SOYBEAN: [8, Infinity],
  COTTON: [13, Infinity],
  SUGAR_BEET: [3, Infinity],
  CANOLA: [3, Infinity],
  WINTER_WHEAT: [0, 20],
};

function plantingDoubt({ crop, startEvent, span, reference }: StageInput): string | undefined {
  if (startEvent !== 'PLANTING' || reference === undefined) return undefined;
  const meanC = meanOfWeek(span.from, reference);
  const [least, most] = plantingC[crop];
  if (Number.isNaN(meanC) || (meanC >= least && meanC <= most)) return undefined;
  const usual = `the week from it on has ${String(Math.round(meanC)).replace('-', '−')} °C on average`;
  return `Growth stages are left out: ${span.from} is no likely planting date here (${usual}). Name the start in startEvent.`;
}

/** Mean temperature of the week that begins on a date, over all years of the reference, °C; NaN without any day. */
const meanOfWeek = (day: Day, reference: ReferenceWeather): number =>
  meanOf(daysAround(reference, day, { after: 6 }).map(({ minC, maxC }) => (minC + maxC) / 2));
