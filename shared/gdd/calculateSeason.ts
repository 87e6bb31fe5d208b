import { addDays } from '../validation/calendar.js';
import type { DaySpan } from '../weather/calendar.js';
import type { ReferenceWeather } from '../weather/weatherCache.js';
import type { Place, WeatherError } from '../weather/weatherSource.js';
import type { Crop } from './crops.js';
import { cropModels } from './crops.js';
import { limitsOf } from './degreeDays.js';
import type { KnownDay } from './degreeDaySeries.js';
import { gatherReference } from './gatherReference.js';
import type { GatheredSeason, SeasonPorts, WeatherUse } from './gatherSeason.js';
import { gatherSeason } from './gatherSeason.js';
import { outOfReach, weatherAway, weatherTooIncomplete } from './gddFailures.js';
import { fewestGoodYears, normalsOf } from './normals.js';
import { completenessOf, fillWithNormals, isTooIncomplete } from './season.js';
import { seasonWarnings } from './seasonWarnings.js';

export interface CalculationRequest {
  readonly place: Place;
  readonly span: DaySpan;
  readonly crop: Crop;
  /** Whether a result without a forecast or without normals is better than another attempt. */
  readonly makesDo: boolean;
}

/** A season whose every day rests on something, with what is told about it. */
export interface CalculatedSeason {
  readonly season: GatheredSeason;
  readonly days: readonly KnownDay[];
  readonly reference: ReferenceWeather | undefined;
  readonly uses: readonly WeatherUse[];
  readonly warnings: readonly string[];
}

/**
 * Gathers the season and the reference years and fills what is left open with normals.
 *
 * @throws JobFailure when providers are away, too much of the past is missing, or normals are needed and unknown
 */
export const calculateSeason =
  (ports: SeasonPorts) =>
  async ({ place, span, crop, makesDo }: CalculationRequest, signal?: AbortSignal): Promise<CalculatedSeason> => {
    const season = await gatherSeason(ports)({ place, span }, signal);
    refuseIncomplete(season);
    if (!makesDo) refuseWithoutForecast(season);
    const limits = limitsOf(cropModels[crop]);
    const normals = (reference: ReferenceWeather) => normalsOf(span, reference, limits);
    const faults: WeatherError[] = [];
    const gathered = await gatherReference(ports.weather)(
      {
        place: { ...place, ...(season.height && { elevationM: season.height.elevationM }) },
        elevationM: season.elevationM,
        goodYears: (reference) => normals(reference)?.seasons.length ?? 0,
        enough: fewestGoodYears,
      },
      faults,
      signal,
    );
    if (gathered === undefined) refuseWithoutNormals(season, { faults, makesDo });
    const days = fillWithNormals(season.days);
    const uses = gathered === undefined ? season.uses : [...season.uses, gathered.use];
    const warnings = seasonWarnings({
      season: { ...season, faults: [...season.faults, ...faults] },
      days,
      uses,
      normals: gathered && normals(gathered.reference),
    });
    return { season, days, reference: gathered?.reference, uses, warnings };
  };

/** Nothing answered, or too much of the past is missing: a later attempt may do better. */
function refuseIncomplete(season: GatheredSeason): void {
  if (season.uses.length === 0 && season.faults.length > 0) throw weatherAway(season.faults);
  const completeness = completenessOf(season.days, season.today, season.hasForecast);
  if (!isTooIncomplete(completeness)) return;
  const hasArchive = season.uses.some(({ product }) => product === 'archive');
  throw hasArchive || season.faults.length === 0
    ? weatherTooIncomplete(completeness, season)
    : weatherAway(season.faults);
}

/** A forecast that is away for a moment is worth another attempt. */
function refuseWithoutForecast({ days, today, hasForecast, faults }: GatheredSeason): void {
  const bridged = addDays(today, -forecastBridgesDays);
  const isWanted = days.some(({ date, source }) => date >= bridged && source === undefined);
  if (isWanted && !hasForecast && faults.length > 0) throw weatherAway(faults);
}

/** Days before today that the archive may not have yet and the forecast interface has. */
const forecastBridgesDays = 5;

function refuseWithoutNormals(
  { days }: GatheredSeason,
  { faults, makesDo }: { readonly faults: readonly WeatherError[]; readonly makesDo: boolean },
): void {
  const open = days.filter(({ source }) => source === undefined).map(({ date }) => date);
  if (faults.length > 0 && (open.length > 0 || !makesDo)) throw weatherAway(faults);
  if (open.length > 0) throw outOfReach(open);
}
