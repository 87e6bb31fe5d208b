import { addDays } from '../../kit/validation/calendar.js';
import type { DegreeDayLimits } from '../days/degreeDays.js';
import { forecastReach, type GatheredSeason, type WeatherUse } from './gatherSeason.js';
import { fewestGoodYears } from '../days/normals.js';
import { type KnownDay, spansInWords } from '../days/season.js';
import { cellErrorC, heightUncertainty, perDegreeOf } from './placeUncertainty.js';
import { degreeDaysIn, roundHalfUp, type TemperatureUnit } from '../days/temperature.js';

interface WarningInput {
  readonly season: GatheredSeason;
  readonly days: readonly KnownDay[];
  readonly uses: readonly WeatherUse[];
  /** Number of reference years of the normals. */
  readonly goodYears: number;
  /** Limits of the crop: they turn degrees into degree-days. */
  readonly limits: DegreeDayLimits;
  readonly unit: TemperatureUnit;
  readonly trustedForecastDays: number;
  /** Whether the days were measured at the field: then there is no grid cell to warn about. */
  readonly isMeasured: boolean;
}

/** Warnings for the reader of a result, in whole sentences. */
export function seasonWarnings(input: WarningInput): string[] {
  const { season, days, uses, goodYears } = input;
  const faults = new Set(season.faults.map(({ message }) => message));
  const perDegree = perDegreeOf(days, input.limits);
  const say: SayDoubt = (degrees) => `${Math.round(degreeDaysIn(input.unit, degrees * perDegree))} °${input.unit}·day`;
  return [
    ...[...faults].map((message) => `${message} The result was made without this answer.`),
    ...uses.flatMap(({ notice }) => notice ?? []),
    ...gapWarning(season, days),
    ...bridgeWarning(days),
    ...forecastWarning(input),
    ...preliminaryWarning(uses),
    ...solarWarning(uses),
    ...heightWarnings(season, uses, say),
    ...(input.isMeasured ? [] : cellWarning(uses, say)),
    ...modelsWarning(uses, say),
    ...normalsWarning(goodYears),
  ];
}

/** Degree-days for so many degrees on all days of the season, in the unit of the job. */
type SayDoubt = (degrees: number) => string;

function gapWarning({ today }: GatheredSeason, days: readonly KnownDay[]): string[] {
  const missing = days.filter(({ date, source }) => date < today && source === 'NORMAL').map(({ date }) => date);
  return missing.length === 0 ? [] : [`No provider knows ${spansInWords(missing)}; normals stand in for these days.`];
}

function bridgeWarning(days: readonly KnownDay[]): string[] {
  const bridged = days.filter(({ source }) => source === 'INTERPOLATED').map(({ date }) => date);
  if (bridged.length === 0) return [];
  const [noun, verb] = bridged.length === 1 ? ['day', 'was'] : ['days', 'were'];
  return [`${bridged.length} ${noun} (${spansInWords(bridged)}) ${verb} bridged from the days around.`];
}

/** No warning for a season that begins after the last day of every forecast. */
function forecastWarning({ season: { today, hasForecast }, days, trustedForecastDays }: WarningInput): string[] {
  const last = addDays(today, hasForecast ? trustedForecastDays - 1 : forecastReach.ahead);
  const reached = days.filter(({ date }) => date >= today && date <= last);
  if (!hasForecast && reached.length > 0) return [`No forecast was available; normals are used from ${today} on.`];
  const open = reached.filter(({ source }) => source === 'NORMAL').map(({ date }) => date);
  return open.length === 0
    ? []
    : [`The forecast does not reach ${spansInWords(open)}; normals stand in for these days.`];
}

/** Days of a quick model, which the provider replaces with those of its final model. */
function preliminaryWarning(uses: readonly WeatherUse[]): string[] {
  return uses.flatMap(({ origin: { provider }, preliminary = [] }) => {
    const count = preliminary.length;
    if (count === 0) return [];
    const which = count === 1 ? 'day comes' : `${count} days come`;
    return [
      `The newest ${which} from the quick model of ${provider} and will be replaced, from ${preliminary[0] ?? ''} on.`,
    ];
  });
}

/** The archive answer with most of the season's days. */
const mainArchive = (uses: readonly WeatherUse[]): WeatherUse | undefined =>
  uses
    .filter(({ product, dayCount = 0 }) => product === 'archive' && dayCount > 0)
    .toSorted((one, other) => (other.dayCount ?? 0) - (one.dayCount ?? 0))[0];

/** Only the coarse grids have values at the height of their cell. */
function cellWarning(uses: readonly WeatherUse[], say: SayDoubt): string[] {
  const main = mainArchive(uses);
  if (main?.origin.heightOf !== 'cell') return [];
  const differ = `a station near the field may differ by ${cellErrorC.coarse} °C, ${say(cellErrorC.coarse)} in this season.`;
  return [`The weather is that of one cell of about 50 km of ${main.origin.provider}: ${differ}`];
}

/** Usual difference between good models, °C, which is part of the departure from normal. */
const betweenModelsC = 0.5;

function modelsWarning(uses: readonly WeatherUse[], say: SayDoubt): string[] {
  const season = mainArchive(uses)?.origin;
  const normals = uses.find(({ product }) => product === 'reference')?.origin;
  if (season === undefined || normals === undefined || isOneModel(season, normals)) return [];
  const named = ({ provider, model }: WeatherUse['origin']): string => `${provider} (${model})`;
  const effect = `${betweenModelsC} °C between them are worth ${say(betweenModelsC)} of the departure from normal.`;
  return [`The season is that of ${named(season)}, its normals are those of ${named(normals)}: ${effect}`];
}

/** A provider's quick model counts as its final one. */
function isOneModel(one: WeatherUse['origin'], other: WeatherUse['origin']): boolean {
  const names = new Set(one.model.split(', '));
  return one.provider === other.provider && other.model.split(', ').some((name) => names.has(name));
}

function solarWarning(uses: readonly WeatherUse[]): string[] {
  const solar = uses.flatMap(({ origin }) => (origin.dayBoundary === 'solar' ? [origin.provider] : []));
  return [...new Set(solar)].map(
    (provider) => `Days of ${provider} end at solar midnight, up to two hours from that of the clock.`,
  );
}

/** A larger difference between the heights of cell and field has a warning, m. */
const toldHeightM = 300;

function heightWarnings({ height, elevationM }: GatheredSeason, uses: readonly WeatherUse[], say: SayDoubt): string[] {
  if (height === undefined) return [unknownHeight(elevationM)];
  if (!height.isLand) return ['The terrain model has no land at this place; the field is taken to lie at sea level.'];
  const archiveDays = uses.reduce((sum, { dayCount = 0 }) => sum + dayCount, 0);
  const far = uses.flatMap((use) => {
    const { origin, dayCount = archiveDays } = use;
    const higherM = (origin.gridElevationM ?? height.elevationM) - height.elevationM;
    if (Math.abs(higherM) <= toldHeightM) return [];
    // The days of a provider that filled a gap are uncertain, and no others.
    const degrees = heightUncertainty(higherM, archiveDays === 0 ? 1 : dayCount / archiveDays);
    return [farCell(use, higherM, say(degrees))];
  });
  return [...new Set(far)];
}

const unknownHeight = (elevationM: number | undefined): string =>
  elevationM === undefined
    ? 'The height of the field is not known for the moment; temperatures are those of the height of their grid cell.'
    : `The height of the field is not known for the moment; that of a weather source, ${elevationM} m, was taken.`;

function farCell({ origin, correction }: WeatherUse, higherM: number, doubt: string): string {
  const side = higherM > 0 ? 'below' : 'above';
  const where = `${Math.round(Math.abs(higherM))} m ${side} the grid cell of ${origin.provider}`;
  const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(roundHalfUp(value, 1)).toFixed(1)} °C`;
  const change = `${signed(correction.maxC)} by day and ${signed(correction.minC)} by night`;
  return `The field lies ${where}; its temperatures were corrected by ${change} (±${doubt}).`;
}

function normalsWarning(goodYears: number): string[] {
  if (goodYears === 0) return ['No provider has reference years for this season, so it can’t be compared.'];
  return goodYears < fewestGoodYears ? [`Normals rest on ${goodYears} reference years only.`] : [];
}
