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
    ...uses.flatMap(heightWarning),
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

function heightWarning({ product, origin, correctionC }: WeatherUse): string[] {
  if (correctionC === 0) return [];
  const change = `${correctionC > 0 ? 'raised' : 'lowered'} by ${roundHalfUp(Math.abs(correctionC), 1)} °C`;
  return [
    `Temperatures of ${origin.provider} (${product}) were ${change} for the height of the field (6.5 °C per km).`,
  ];
}

function normalsWarning(normals: Normals | undefined): string[] {
  if (normals === undefined) return ['No provider has reference years for this season, so it can’t be compared.'];
  const count = normals.seasons.length;
  return count < fewestGoodYears ? [`Normals rest on ${count} reference years only.`] : [];
}
