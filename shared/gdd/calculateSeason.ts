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
  async ({ place, span, crop }: CalculationRequest, signal?: AbortSignal): Promise<CalculatedSeason> => {
    const season = await gatherSeason(ports)({ place, span }, signal);
    refuseIncomplete(season);
    const limits = limitsOf(cropModels[crop]);
    const normals = (reference: ReferenceWeather) => normalsOf(span, reference, limits);
    const faults: WeatherError[] = [];
    const gathered = await gatherReference(ports.weather)(
      {
        place,
        elevationM: season.elevationM,
        goodYears: (reference) => normals(reference)?.seasons.length ?? 0,
        enough: fewestGoodYears,
      },
      faults,
      signal,
    );
    refuseOpenDays(season, { hasNormals: gathered !== undefined, faults });
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

function refuseOpenDays(
  { days }: GatheredSeason,
  { hasNormals, faults }: { readonly hasNormals: boolean; readonly faults: readonly WeatherError[] },
): void {
  const open = days.filter(({ source }) => source === undefined).map(({ date }) => date);
  if (open.length === 0 || hasNormals) return;
  throw faults.length > 0 ? weatherAway(faults) : outOfReach(open);
}
