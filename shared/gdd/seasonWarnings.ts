import type { KnownDay } from './degreeDaySeries.js';
import { addDays } from '../validation/calendar.js';
import { forecastReach, type GatheredSeason, type WeatherUse } from './gatherSeason.js';
import type { Normals } from './normals.js';
import { fewestGoodYears } from './normals.js';
import { spansInWords } from './season.js';
import { roundHalfUp } from './temperature.js';

export interface WarningInput {
  readonly season: GatheredSeason;
  readonly days: readonly KnownDay[];
  readonly uses: readonly WeatherUse[];
  readonly normals: Normals | undefined;
}

/** What the reader of a result should know before using it, in whole sentences. */
export function seasonWarnings({ season, days, uses, normals }: WarningInput): string[] {
  const faults = new Set(season.faults.map(({ message }) => message));
  return [
    ...[...faults].map((message) => `${message} The result was made without this answer.`),
    ...uses.flatMap(({ notice }) => notice ?? []),
    ...gapWarning(season, days),
    ...forecastWarning(season, days),
    ...solarWarning(uses),
    ...heightWarnings(season, uses),
    ...normalsWarning(normals),
  ];
}

function gapWarning({ today }: GatheredSeason, days: readonly KnownDay[]): string[] {
  const missing = days.filter(({ date, source }) => date < today && source === 'NORMAL').map(({ date }) => date);
  return missing.length === 0 ? [] : [`No provider knows ${spansInWords(missing)}; normals stand in for these days.`];
}

/** A season that begins beyond every forecast is made of normals, and that is no shortcoming. */
function forecastWarning({ today, hasForecast }: GatheredSeason, days: readonly KnownDay[]): string[] {
  const isInReach = days.some(({ date }) => date >= today && date <= addDays(today, forecastReach.ahead));
  return isInReach && !hasForecast ? [`No forecast was available; normals are used from ${today} on.`] : [];
}

function solarWarning(uses: readonly WeatherUse[]): string[] {
  const solar = uses.flatMap(({ origin }) => (origin.dayBoundary === 'solar' ? [origin.provider] : []));
  return [...new Set(solar)].map(
    (provider) => `Days of ${provider} end at solar midnight, up to two hours from that of the clock.`,
  );
}

/** A cell further above or below the field than this is told: its values rest on the correction. */
const toldHeightM = 300;

function heightWarnings({ height, elevationM }: GatheredSeason, uses: readonly WeatherUse[]): string[] {
  if (height === undefined) return [unknownHeight(elevationM)];
  if (!height.isLand) return ['The terrain model has no land at this place; the field is taken to lie at sea level.'];
  const far = uses.flatMap(({ origin, correction }) => {
    const higherM = (origin.gridElevationM ?? height.elevationM) - height.elevationM;
    return Math.abs(higherM) > toldHeightM ? [farCell(origin.provider, higherM, correction)] : [];
  });
  return [...new Set(far)];
}

const unknownHeight = (elevationM: number | undefined): string =>
  elevationM === undefined
    ? 'The height of the field is not known for the moment; temperatures are those of the height of their grid cell.'
    : `The height of the field is not known for the moment; that of a weather source, ${elevationM} m, was taken.`;

function farCell(provider: string, higherM: number, { maxC, minC }: WeatherUse['correction']): string {
  const where = `${Math.round(Math.abs(higherM))} m ${higherM > 0 ? 'below' : 'above'} the grid cell of ${provider}`;
  const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(roundHalfUp(value, 1)).toFixed(1)} °C`;
  return `The field lies ${where}; its temperatures were corrected by ${signed(maxC)} by day and ${signed(minC)} by night.`;
}

function normalsWarning(normals: Normals | undefined): string[] {
  if (normals === undefined) return ['No provider has reference years for this season, so it can’t be compared.'];
  const count = normals.seasons.length;
  return count < fewestGoodYears ? [`Normals rest on ${count} reference years only.`] : [];
}
