import { monthDayOf } from '../validation/calendar.js';
import { countDays, type Day } from '../weather/calendar.js';
import type { ReferenceWeather } from '../weather/weatherCache.js';
import type { GroundPoint } from '../weather/weatherSource.js';
import type { Crop } from './crops.js';
import type { StartEvent } from './gddParameters.js';
import type { StageModel, StageRegion } from './growthStages.js';
import { stageModels } from './growthStages.js';
import { isKnownFromNewYear, stageDatesOf } from './stageDates.js';
import { wheatDatesOf } from './wheatDates.js';
import type { SeasonStages, StageInput } from './seasonStages.js';

/** When the season reaches each growth stage, by the model that was made for its crop, its place and its start. */
export function stagesOfSeason(input: StageInput): SeasonStages {
  const { crop, startEvent } = input;
  const usesKansas = isLikeKansas(input);
  const isFromNewYear = usesKansas && input.span.from.endsWith('-01-01');
  const doubted = isFromNewYear ? undefined : doubtedStart(input);
  if (doubted !== undefined) return doubted;
  if (crop === 'WINTER_WHEAT' && !usesKansas) return wheatDatesOf(input);
  const model = stageModels[crop];
  const dates = stageDatesOf(startedBy(model, startEvent), input);
  const warnings = dates === undefined ? [] : regionWarning(model, input.place);
  return { ...dates, stages: dates?.stages ?? [], warnings, isPlanted: true };
}

/** No stages, and why: they are not published from this event, or the crop is not planted at this time of the year. */
function doubtedStart(input: StageInput): SeasonStages | undefined {
  const event = eventDoubt(input.crop, input.startEvent);
  if (event !== undefined) return { stages: [], warnings: [event], isPlanted: true };
  const planting = plantingDoubt(input);
  return planting === undefined ? undefined : { stages: [], warnings: [planting], isPlanted: false };
}

/** Whether the sums of Kansas hold for a season: their region, and a sowing before winter or a count from 1 January. */
function isLikeKansas({ crop, place, span }: StageInput): boolean {
  return crop === 'WINTER_WHEAT' && isKnownFromNewYear(span) && isIn(stageModels.WINTER_WHEAT.region, place);
}

const isIn = ({ south, north, west, east }: StageRegion, { latitude, longitude }: GroundPoint): boolean =>
  latitude >= south && latitude <= north && longitude >= west && longitude <= east;

function regionWarning({ region }: StageModel, place: GroundPoint): string[] {
  if (isIn(region, place)) return [];
  const differ = 'outside of it varieties and the length of the day differ, and with them the dates.';
  return [`The thresholds of these growth stages come from ${region.name}: ${differ}`];
}

/** Thresholds are published from planting; those of two crops are known from emergence too. */
const fromEmergence: Partial<Record<Crop, { readonly lower: number; readonly upper: number }>> = {
  CORN: { lower: 115, upper: 115 },
  COTTON: { lower: 50, upper: 60 },
};

function eventDoubt(crop: Crop, startEvent: StartEvent): string | undefined {
  if (startEvent === 'PLANTING' || (startEvent === 'EMERGENCE' && fromEmergence[crop] !== undefined)) return undefined;
  return startEvent === 'EMERGENCE'
    ? 'Growth stages are left out: for this crop they are published from planting only.'
    : `Growth stages are left out: none are published from ${startEvent}.`;
}

/** The model counted from the start: less what planting to emergence takes, °F·day (Purdue, Oklahoma State). */
function startedBy(model: StageModel, startEvent: StartEvent): StageModel {
  const crop = (Object.keys(fromEmergence) as Crop[]).find((each) => stageModels[each] === model);
  const earlier = crop === undefined ? undefined : fromEmergence[crop];
  if (startEvent !== 'EMERGENCE' || earlier === undefined) return model;
  const stages = model.stages.flatMap(({ upTo, ...stage }) => {
    const threshold = stage.threshold - earlier.lower;
    return threshold <= 0 ? [] : [{ ...stage, threshold, ...(upTo !== undefined && { upTo: upTo - earlier.upper }) }];
  });
  return { ...model, stages, caution: `${model.caution}; counted from emergence` };
}

/** Mean temperatures of the week from planting on in which a crop is sown, °C. */
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
  if (meanC === undefined || (meanC >= least && meanC <= most)) return undefined;
  const usual = `the week from it on has ${String(Math.round(meanC)).replace('-', '−')} °C on average`;
  return `Growth stages are left out: ${span.from} is no likely planting date here (${usual}). Name the start in startEvent.`;
}

const daysOfWeek = 7;

/** Mean temperature of the week that begins on a day of the year, over the reference years, °C. */
function meanOfWeek(day: Day, { from, minC, maxC }: ReferenceWeather): number | undefined {
  const firstYear = Number(from.slice(0, 4));
  const means: number[] = [];
  for (let year = firstYear; year < firstYear + Math.floor(minC.length / 365); year += 1) {
    const start = countDays({ from, to: `${year}-${monthDayOf(day)}` }) - 1;
    for (let index = start; index < start + daysOfWeek; index += 1) {
      const [low, high] = [minC[index] ?? null, maxC[index] ?? null];
      if (low !== null && high !== null) means.push((low + high) / 2);
    }
  }
  return means.length === 0 ? undefined : means.reduce((sum, value) => sum + value, 0) / means.length;
}
