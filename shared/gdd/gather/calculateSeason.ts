import type { DaySpan } from '../weather/fieldDays.js';
import type { ReferenceWeather } from '../weather/cache/weatherCache.js';
import type { GroundPoint, WeatherError } from '../weather/weatherSource.js';
import { bridgeableGaps, bridgeGaps } from './bridgeGaps.js';
import { type Crop, cropModels } from '../days/crops.js';
import { limitsOf } from '../days/degreeDays.js';
import { gatherReference } from './gatherReference.js';
import { type GatheredSeason, gatherSeason, type SeasonPorts, type WeatherUse } from './gatherSeason.js';
import { outOfReach, weatherAway, weatherTooIncomplete } from './gddFailures.js';
import type { GddShortcoming } from '../form/gddRecordSources.js';
import { doesWithout, type WeatherPatience } from './makingDo.js';
import { fewestGoodYears, goodYearsOf } from '../days/normals.js';
import { completenessOf, fillWithNormals, isTooIncomplete, type KnownDay } from '../days/season.js';
import { seasonWarnings } from './seasonWarnings.js';
import { shortcomingsOf } from './shortcomings.js';
import type { TemperatureUnit } from '../days/temperature.js';

interface CalculationRequest {
  readonly place: GroundPoint;
  readonly span: DaySpan;
  readonly crop: Crop;
  readonly unit: TemperatureUnit;
  readonly patience: WeatherPatience;
}

/** A season whose every day has a source. */
export interface CalculatedSeason {
  readonly season: GatheredSeason;
  readonly days: readonly KnownDay[];
  readonly reference: ReferenceWeather | undefined;
  /** Providers of the season and of the reference years. */
  readonly uses: readonly WeatherUse[];
  readonly warnings: readonly string[];
  /** Days that lack a source they should have. */
  readonly incomplete: readonly GddShortcoming[];
}

/**
 * Gathers the season and the reference years, and fills unknown days with normals.
 *
 * @throws JobFailure when providers are away and the job can still wait, when too much of the past is missing, or when
 * normals are needed and unknown
 */
export const calculateSeason =
  (ports: SeasonPorts) =>
  async (
    { place, span, crop, unit, patience }: CalculationRequest,
    signal?: AbortSignal,
  ): Promise<CalculatedSeason> => {
    const mayUseKeptForecast = doesWithout('forecast', patience);
    const season = await gatherSeason(ports)({ place, span, mayUseKeptForecast }, signal);
    refuseIncomplete(season, ports);
    const missing = shortcomingsOf(season, ports);
    refuseToMakeDo(season, missing, patience);
    const faults: WeatherError[] = [];
    const gathered = await gatherReference(ports.weather)(
      {
        place: { ...place, ...(season.height && { elevationM: season.height.elevationM }) },
        elevationM: season.elevationM,
        goodYears: (reference) => goodYearsOf(span, reference),
        enough: fewestGoodYears,
      },
      faults,
      signal,
    );
    if (gathered === undefined) refuseWithoutNormals(season, { faults, patience });
    const days = filledDays(season, gathered?.reference, ports);
    const uses = gathered === undefined ? season.uses : [...season.uses, gathered.use];
    const warnings = seasonWarnings({
      season: { ...season, faults: [...season.faults, ...faults] },
      days,
      uses,
      goodYears: gathered?.goodYears ?? 0,
      limits: limitsOf(cropModels[crop]),
      unit,
      trustedForecastDays: ports.trustedForecastDays,
      isMeasured: ports.isMeasured,
    });
    const lacksNormals = gathered === undefined && faults.length > 0;
    const incomplete = lacksNormals ? [...missing, { reason: 'normals' as const, ...span }] : missing;
    return { season, days, reference: gathered?.reference, uses, warnings, incomplete };
  };

/** No provider answered, or too much of the past is missing: a later attempt may succeed. */
function refuseIncomplete(season: GatheredSeason, { isMeasured }: Pick<SeasonPorts, 'isMeasured'>): void {
  if (season.uses.length === 0 && season.faults.length > 0) throw weatherAway(season.faults);
  const bridgeable = isMeasured ? [] : bridgeableGaps(season.days, season.today);
  const completeness = completenessOf({ ...season, bridgeable });
  if (!isTooIncomplete(completeness)) return;
  const faults = [...season.archiveFaults, ...season.forecastFaults];
  throw faults.length === 0 ? weatherTooIncomplete(completeness, season) : weatherAway(faults);
}

/** Days without a gap: bridged where possible, else NORMAL. */
function filledDays(
  { days, today }: GatheredSeason,
  reference: ReferenceWeather | undefined,
  { isMeasured }: Pick<SeasonPorts, 'isMeasured'>,
): KnownDay[] {
  return fillWithNormals(reference === undefined || isMeasured ? days : bridgeGaps(days, today, reference));
}

function refuseToMakeDo(
  { forecastFaults, archiveFaults }: GatheredSeason,
  missing: readonly GddShortcoming[],
  patience: WeatherPatience,
): void {
  const waitedFor = missing.find(({ reason }) => !doesWithout(reason, patience));
  if (waitedFor !== undefined) throw weatherAway(waitedFor.reason === 'archive' ? archiveFaults : forecastFaults);
}

function refuseWithoutNormals(
  { days }: GatheredSeason,
  { faults, patience }: { readonly faults: readonly WeatherError[]; readonly patience: WeatherPatience },
): void {
  const open = days.filter(({ source }) => source === undefined).map(({ date }) => date);
  if (faults.length > 0 && (open.length > 0 || !doesWithout('normals', patience))) throw weatherAway(faults);
  if (open.length > 0) throw outOfReach(open);
}
