import { addDays } from '../../kit/validation/calendar.js';
import type { Day } from '../weather/fieldDays.js';
import { forecastReach, type GatheredSeason, type SeasonPorts } from './gatherSeason.js';
import type { GddShortcoming } from '../form/gddRecordSources.js';
import type { ShortcomingReason } from './makingDo.js';
import { publicationDelayDays } from '../days/season.js';

/** Days before today that the archive may not have yet and that the forecast interface has. */
const forecastBridgesDays = 5;

/**
 * Days that lack a source they should have, before they are bridged or filled with normals: days of a source that did not
 * answer, and past days of the last month that no source has although they should be there by now.
 */
export function shortcomingsOf(
  season: GatheredSeason,
  { trustedForecastDays, isMeasured }: Pick<SeasonPorts, 'trustedForecastDays' | 'isMeasured'>,
): GddShortcoming[] {
  const { days, today, hasForecast, isForecastKept, forecastFaults, archiveFaults } = season;
  const open = days.filter(({ source }) => source === undefined).map(({ date }) => date);
  const within = (from: Day, to: Day): Day[] => open.filter((date) => date >= from && date <= to);
  const isForecastAway = forecastFaults.length > 0 && (!hasForecast || isForecastKept);
  const late = addDays(today, -publicationDelayDays - 1);
  const forecast = within(addDays(today, -forecastBridgesDays), addDays(today, trustedForecastDays - 1));
  return [
    ...(isForecastAway ? shortcoming('forecast', forecast) : []),
    ...(archiveFaults.length > 0 ? shortcoming('archive', within('', late)) : []),
    ...(archiveFaults.length > 0 || isMeasured
      ? []
      : shortcoming('gap', within(addDays(today, -forecastReach.past), late))),
  ];
}

function shortcoming(reason: ShortcomingReason, days: readonly Day[]): GddShortcoming[] {
  const [from, to] = [days[0], days.at(-1)];
  return from === undefined || to === undefined ? [] : [{ reason, from, to }];
}

const inWords: Readonly<Record<ShortcomingReason, string>> = {
  forecast: 'the newest forecast',
  archive: 'past days of an archive that did not answer',
  normals: 'the reference years',
  gap: 'past days that no source has yet',
};

/** Missing parts of a season, for the message of its job; undefined when it is complete. */
export function lacksInWords(
  incomplete: readonly GddShortcoming[],
  { isForecastKept }: Pick<GatheredSeason, 'isForecastKept'>,
): string | undefined {
  const reasons = new Set([
    ...(isForecastKept ? ['forecast' as const] : []),
    ...incomplete.map(({ reason }) => reason),
  ]);
  if (reasons.size === 0) return undefined;
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format([...reasons].map((reason) => inWords[reason]));
}
