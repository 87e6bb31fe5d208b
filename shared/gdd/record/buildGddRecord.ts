import type { InteriorPoint } from '../../geo/shapes/interiorPoint.js';
import type { Day, DaySpan } from '../weather/fieldDays.js';
import type { CalculatedSeason } from '../gather/calculateSeason.js';
import { type CropModel, cropModels, cropModelVersion } from '../days/crops.js';
import { cumulativeOf, type DegreeDaySeries } from '../days/degreeDaySeries.js';
import { limitsOf } from '../days/degreeDays.js';
import type { WeatherUse } from '../gather/gatherSeason.js';
import type { StoredGddParameters } from '../form/gddParameters.js';
import type { GddRecord } from '../form/gddRecord.js';
import { normalRecord } from './normalRecord.js';
import { placeUncertainty } from '../gather/placeUncertainty.js';
import { type DaySource, type KnownDay, pastGaps } from '../days/season.js';
import type { SeasonBand } from '../outlook/seasonBand.js';
import { seasonSums } from '../stages/stageDates.js';
import { stagesAndFrost } from '../stages/stagesAndFrost.js';
import { mappedQuantiles, sumOf } from '../days/quantiles.js';
import { roundHalfUp, type Say, sayer, temperatureIn, type TemperatureUnit } from '../days/temperature.js';

/** Everything that a record is made from. */
interface RecordInput extends CalculatedSeason {
  readonly insightId: string;
  readonly jobId: string;
  readonly parameters: StoredGddParameters;
  readonly point: InteriorPoint;
  /** Earlier results of the job. */
  readonly history?: GddRecord['history'];
  readonly asOf: Date;
  /** Whether the days were measured at the field: then no grid cell can differ from the field. */
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
  const { crop, startEvent = 'PLANTING', temperatureUnit: unit } = parameters;
  const span: DaySpan = { from: parameters.gddStartDate, to: parameters.gddEndDate };
  const model = cropModels[crop];
  const isBiasRemoved = input.uses.some(({ bias }) => bias !== undefined);
  const weather = { span, days, reference, isBiasRemoved };
  const total = seasonSums(weather, model);
  const { series, band } = total;
  const [longitude, latitude] = input.point.position;
  const place = { latitude, longitude };
  const { warnings, ...cropRecord } = stagesAndFrost({ ...weather, crop, startEvent, place, unit, total });
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
    ...(series.trend && { rest: { trendPerDecade: say(series.trend.perDecade), shift: say(series.trend.shift) } }),
    uncertainty: {
      place: input.isMeasured
        ? 0
        : say(placeUncertainty({ ...input, elevationM: input.season.elevationM, limits: limitsOf(model) })),
    },
    ...cropRecord,
    warnings: [...input.warnings, ...warnings],
    ...(input.incomplete.length > 0 && { incomplete: input.incomplete }),
    ...(input.history && { history: input.history }),
    citations: citationsOf(model, cropRecord.stageModel?.reference),
  };
}

function methodRecord(model: CropModel, unit: TemperatureUnit): GddRecord['method'] {
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

function coverageOf(days: readonly KnownDay[], today: Day): GddRecord['coverage'] {
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

type SourceRecord = GddRecord['sources'][number];

function sourceRecord({ product, origin, retrievedAt, correction, bias }: WeatherUse): SourceRecord {
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

/** The terrain model behind the height of the field, with the words that its licence requires (article 6 b and c). */
function heightSource({ point, season: { height } }: RecordInput): SourceRecord[] {
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
): GddRecord['daily'] {
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
  const last = mappedQuantiles(band.at(-1) ?? { p10: NaN, p50: NaN, p90: NaN }, say);
  const first = band.findIndex(({ p10, p90 }) => p10 < p90);
  const from = days[first]?.date;
  if (from === undefined) return last;
  const open = band.slice(first);
  return { ...last, from, cumulative: { p10: open.map(({ p10 }) => say(p10)), p90: open.map(({ p90 }) => say(p90)) } };
}

const citationsOf = (model: CropModel, stageReference: string | undefined): string[] => [
  'McMaster, G. S. & Wilhelm, W. W. (1997): Growing degree-days: one equation, two interpretations. ' +
    'Agricultural and Forest Meteorology 87, 291–300. doi:10.1016/S0168-1923(97)00027-0',
  model.reference,
  ...(stageReference === undefined ? [] : [stageReference]),
];
