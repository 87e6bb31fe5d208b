import type { InteriorPoint } from '../geo/interiorPoint.js';
import type { Day, DaySpan } from '../weather/calendar.js';
import type { ReferenceWeather } from '../weather/weatherCache.js';
import type { ClimateTrend } from './climateTrend.js';
import type { CropModel } from './crops.js';
import { cropModels, cropModelVersion } from './crops.js';
import type { DegreeDaySeries, KnownDay } from './degreeDaySeries.js';
import { cumulativeOf, sumOf } from './degreeDaySeries.js';
import { limitsOf } from './degreeDays.js';
import type { GddParameters } from './gddParameters.js';
import type {
  GddCoverage,
  GddDayRecord,
  GddHistoryRecord,
  GddMethodRecord,
  GddQuantiles,
  GddRecord,
  GddShortcoming,
  GddSourceRecord,
} from './gddRecord.js';
import type { GatheredSeason, WeatherUse } from './gatherSeason.js';
import { normalRecord } from './normalRecord.js';
import type { Quantiles } from './quantile.js';
import { placeUncertainty } from './placeUncertainty.js';
import type { SeasonBand } from './seasonBand.js';
import type { DaySource } from './season.js';
import { pastGaps } from './season.js';
import { seasonSums } from './stageDates.js';
import { stagesAndFrost } from './stagesAndFrost.js';
import type { Say, TemperatureUnit } from './temperature.js';
import { roundHalfUp, sayer, temperatureIn } from './temperature.js';

/** Everything a record is made from; nothing of it is read from outside. */
export interface RecordInput {
  readonly insightId: string;
  readonly jobId: string;
  readonly parameters: GddParameters;
  readonly point: InteriorPoint;
  readonly season: GatheredSeason;
  /** The season's days without a gap left. */
  readonly days: readonly KnownDay[];
  readonly reference: ReferenceWeather | undefined;
  /** Providers of the season and of the reference years. */
  readonly uses: readonly WeatherUse[];
  readonly warnings: readonly string[];
  readonly incomplete: readonly GddShortcoming[];
  /** Earlier results of the job. */
  readonly history?: readonly GddHistoryRecord[];
  readonly asOf: Date;
  /** Whether the days were measured at the field: there is no cell that it could differ from. */
  readonly isMeasured: boolean;
}

const description =
  'Sum of daily growing degree-days from gddStartDate to gddEndDate, both included. Every figure is rounded from its ' +
  'unrounded value, so rounded days and parts need not add up to the rounded total. The range holds ' +
  'eight of ten seasons: the error of the forecast and the days that rest on the last thirty complete years and their ' +
  'trend. uncertainty.place is not in it: one standard deviation by which the field may differ from the ' +
  'grid cell, alike in all years.';

/** The record of a calculated season. */
export function buildGddRecord(input: RecordInput): GddRecord {
  const { parameters, days, reference } = input;
  const span: DaySpan = { from: parameters.gddStartDate, to: parameters.gddEndDate };
  const model = cropModels[parameters.crop];
  const limits = limitsOf(model);
  const isBiasRemoved = input.uses.some(({ bias }) => bias !== undefined);
  const sums = seasonSums({ span, days, reference, isBiasRemoved, definition: model });
  const { series, band } = sums;
  const [longitude, latitude] = input.point.position;
  const { crop, startEvent = 'PLANTING' } = parameters;
  const place = { latitude, longitude };
  const unit = parameters.temperatureUnit;
  const season = { crop, startEvent, place, span, days, reference, isBiasRemoved, unit, total: sums };
  const { warnings, ...cropRecord } = stagesAndFrost({ ...season, daily: series.daily });
  const say = sayer(unit);
  return {
    insightId: input.insightId,
    kind: 'GDD',
    modelVersion: cropModelVersion,
    jobId: input.jobId,
    ...parameters,
    description,
    method: methodRecord(model, unit),
    location: locationRecord(input),
    total: say(sumOf(series.daily)),
    ...partsOf(series, days, say),
    days: days.length,
    asOf: input.asOf.toISOString(),
    asOfDate: input.season.today,
    coverage: coverageOf(days, input.season.today),
    sources: [...input.uses.map(sourceRecord), ...heightSource(input)],
    daily: dailyRecords(series, days, unit),
    ...(series.normals &&
      reference && { normal: normalRecord(series.normals, { series, days, reference, latitude, say }) }),
    range: rangeRecord(band, days, say),
    ...(series.trend && { rest: restRecord(series.trend, say) }),
    uncertainty: {
      place: input.isMeasured
        ? 0
        : say(placeUncertainty({ days, uses: input.uses, elevationM: input.season.elevationM, limits })),
    },
    ...cropRecord,
    warnings: [...input.warnings, ...warnings],
    ...(input.incomplete.length > 0 && { incomplete: input.incomplete }),
    ...(input.history && { history: input.history }),
    citations: citationsOf(model, cropRecord.stageModel?.reference),
  };
}

function methodRecord(model: CropModel, unit: TemperatureUnit): GddMethodRecord {
  const { method, lowerC, upperC } = limitsOf(model);
  return {
    name: method,
    formula:
      method === 'CLIP'
        ? '(min(max(tmax, lower), upper) + min(max(tmin, lower), upper)) / 2 - lower'
        : 'max(0, min((tmax + tmin) / 2, upper) - lower)',
    lower: roundHalfUp(temperatureIn(unit, lowerC), 4),
    upper: upperC === Infinity ? null : roundHalfUp(temperatureIn(unit, upperC), 4),
    reference: model.reference,
  };
}

function locationRecord({ point, season }: RecordInput): GddRecord['location'] {
  const [longitude, latitude] = point.position;
  return {
    latitude: roundHalfUp(latitude, 6),
    longitude: roundHalfUp(longitude, 6),
    ...(season.elevationM !== undefined && { elevationM: season.elevationM }),
    ...(season.timezone !== undefined && { timezone: season.timezone }),
    how: point.how,
  };
}

type Parts = Pick<GddRecord, 'observedTotal' | 'provisionalTotal' | 'forecastTotal' | 'normalTotal'>;

function partsOf({ daily }: DegreeDaySeries, days: readonly KnownDay[], say: Say): Parts {
  const part = (...sources: readonly DaySource[]): number =>
    say(sumOf(daily.filter((_, index) => sources.includes(days[index]?.source ?? 'NORMAL'))));
  return {
    observedTotal: part('OBSERVED', 'INTERPOLATED'),
    provisionalTotal: part('PROVISIONAL'),
    forecastTotal: part('FORECAST'),
    normalTotal: part('NORMAL'),
  };
}

function coverageOf(days: readonly KnownDay[], today: Day): GddCoverage {
  const count = (...sources: readonly DaySource[]): number => days.filter((day) => sources.includes(day.source)).length;
  const withoutOwn = days.map(({ date, source, temperatures }) =>
    temperatures === undefined || source === 'INTERPOLATED' ? { date } : { date, temperatures },
  );
  return {
    observed: count('OBSERVED', 'INTERPOLATED'),
    provisional: count('PROVISIONAL'),
    forecast: count('FORECAST'),
    normal: count('NORMAL'),
    interpolated: count('INTERPOLATED'),
    longestGap: Math.max(0, ...pastGaps(withoutOwn, today).map(({ first, last }) => last - first + 1)),
  };
}

function sourceRecord({ product, origin, retrievedAt, correction, bias }: WeatherUse): GddSourceRecord {
  return {
    product,
    provider: origin.provider,
    model: origin.model,
    gridLatitude: origin.gridLatitude,
    gridLongitude: origin.gridLongitude,
    ...(origin.gridElevationM !== undefined && { gridElevationM: origin.gridElevationM }),
    dayBoundary: origin.dayBoundary,
    ...(correction.maxC !== 0 && {
      elevationCorrectionC: { tmax: roundHalfUp(correction.maxC), tmin: roundHalfUp(correction.minC) },
    }),
    ...(bias && {
      biasCorrectionC: { tmax: roundHalfUp(bias.maxC), tmin: roundHalfUp(bias.minC), days: bias.days },
    }),
    retrievedAt: new Date(retrievedAt).toISOString(),
    attribution: origin.attribution,
    licence: origin.licence,
  };
}

/** The terrain model behind the height of the field, with the words its licence asks for (article 6 b and c). */
function heightSource({ point, season: { height } }: RecordInput): GddSourceRecord[] {
  if (height?.isLand !== true) return [];
  const [gridLongitude, gridLatitude] = point.position;
  return [
    {
      product: 'height',
      provider: 'copernicus-dem',
      model: 'GLO-90',
      gridLatitude: roundHalfUp(gridLatitude),
      gridLongitude: roundHalfUp(gridLongitude),
      gridElevationM: height.elevationM,
      attribution:
        'produced using Copernicus WorldDEM-90 © DLR e.V. 2010-2014 and © Airbus Defence and Space GmbH 2014-2018 ' +
        'provided under COPERNICUS by the European Union and ESA; all rights reserved',
      licence:
        'free of charge; the organisations in charge of the Copernicus programme by law or by delegation do not ' +
        'incur any liability for any use of the Copernicus WorldDEM-90',
    },
  ];
}

function dailyRecords(
  { daily }: DegreeDaySeries,
  days: readonly KnownDay[],
  unit: TemperatureUnit,
): readonly GddDayRecord[] {
  const cumulative = cumulativeOf(daily);
  const say = sayer(unit);
  const degrees = (celsius: number | undefined): number | null =>
    celsius === undefined ? null : roundHalfUp(temperatureIn(unit, celsius));
  return days.map(({ date, source, temperatures }, index) => ({
    date,
    tmin: degrees(temperatures?.minC),
    tmax: degrees(temperatures?.maxC),
    gdd: say(daily[index] ?? NaN),
    cumulative: say(cumulative[index] ?? NaN),
    source,
  }));
}

/** The range of the total, and the band of the running sum from the first day on that is not certain. */
function rangeRecord(band: SeasonBand, days: readonly KnownDay[], say: Say): GddRecord['range'] {
  const said = ({ p10, p50, p90 }: Quantiles): GddQuantiles => ({ p10: say(p10), p50: say(p50), p90: say(p90) });
  const last = band.at(-1) ?? { p10: NaN, p50: NaN, p90: NaN };
  const first = band.findIndex(({ p10, p90 }) => p10 < p90);
  const from = days[first]?.date;
  if (from === undefined) return said(last);
  const open = band.slice(first).map(said);
  return { ...said(last), from, cumulative: { p10: open.map(({ p10 }) => p10), p90: open.map(({ p90 }) => p90) } };
}

const restRecord = ({ perDecade, shift }: ClimateTrend, say: Say): NonNullable<GddRecord['rest']> => ({
  trendPerDecade: say(perDecade),
  shift: say(shift),
});

const citationsOf = (model: CropModel, stageReference: string | undefined): string[] => [
  'McMaster, G. S. & Wilhelm, W. W. (1997): Growing degree-days: one equation, two interpretations. ' +
    'Agricultural and Forest Meteorology 87, 291–300. doi:10.1016/S0168-1923(97)00027-0',
  model.reference,
  ...(stageReference === undefined ? [] : [stageReference]),
];
