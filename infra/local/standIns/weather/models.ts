import { parseDay, type DayNumber } from './calendarDays.js';
import { persistentNoise } from './syntheticNoise.js';
import { meanHeightM, modelCell } from './terrain.js';
import type { DayWeather, Place, WeatherRecord } from './weatherRecord.js';

/**
 * How a weather model sees the synthetic weather: by cells whose ground is their mean height, with errors of its own
 * that last. Real models disagree by as much.
 */
export interface Model {
  readonly north: number;
  readonly east: number;
  readonly maxC: number;
  readonly minC: number;
}

/** ERA5-Land, ECMWF's forecast model, two that a provider may choose by itself, and NASA's reanalyses. */
export const MODELS = {
  era5Land: { north: 0.1, east: 0.1, maxC: 0.2, minC: -0.2 },
  ifs: { north: 0.1, east: 0.1, maxC: -0.8, minC: 0.5 },
  icon: { north: 0.1, east: 0.1, maxC: -0.2, minC: 0.1 },
  gfs: { north: 0.25, east: 0.25, maxC: 1.1, minC: -0.9 },
  merra2: { north: 0.5, east: 0.625, maxC: -0.4, minC: 0.8 },
  geosIt: { north: 0.5, east: 0.625, maxC: 0, minC: 0.3 },
  metNorway: { north: 0.1, east: 0.1, maxC: 0.4, minC: -0.6 },
} as const satisfies Record<string, Model>;

/** The model of a day; another day may come from another one. */
export type ModelOf = (day: DayNumber) => Model;

export interface ModelRequest {
  readonly place: Place;
  readonly days: readonly DayNumber[];
  readonly modelOf: ModelOf;
  /** The day a forecast was made on: what lies behind it is known, what lies ahead is known ever less. */
  readonly issued?: DayNumber;
}

export interface ModelAnswer {
  /** Height that the days hold for, m. */
  readonly cellM: number;
  readonly days: readonly DayWeather[];
}

/** Days as a model has them. A record that is measured throughout is shown as it is, at the height of its ground. */
export function modelDays(record: WeatherRecord, { place, days, modelOf, issued }: ModelRequest): ModelAnswer {
  if (record.isAllMeasured) return { cellM: record.elevationM(place), days: record.days(place, days) };
  const { north, east } = modelOf(issued ?? days[0] ?? 0);
  const cellM = meanHeightM(modelCell(place, north, east), (at) => record.elevationM(at));
  const errors = issued === undefined ? days.map(() => 0) : forecastErrors(place, days, issued);
  const truth = record.days(place, days, cellM);
  const seen = truth.map(({ maxC, minC }, index) => {
    const bias = modelOf(days[index] ?? 0);
    const error = errors[index] ?? 0;
    const high = maxC === null ? null : tenths(maxC + bias.maxC + error);
    const low = minC === null ? null : tenths(minC + bias.minC + error * 0.8);
    return { maxC: high, minC: high === null || low === null ? low : Math.min(low, high) };
  });
  return { cellM, days: seen };
}

/** °C: half a degree for today and nearly half a degree more for each day ahead, alike from one day to the next. */
function forecastErrors(place: Place, days: readonly DayNumber[], issued: DayNumber): number[] {
  const noise = persistentNoise(place, days, { daily: 0.4, memoryDays: 5, seed: 1000 + issued });
  return days.map((day, index) => (day < issued ? 0 : (0.5 + 0.45 * (day - issued)) * (noise[index] ?? 0)));
}

export const tenths = (value: number): number => Math.round(value * 10) / 10 + 0;

/** The provider's own choice of models: another one from 2017 on, and another again three days ahead. */
const SINCE_IFS = Number(parseDay('2017-01-01'));

/** What `models=` may name in Open-Meteo's archive, and what is taken when it is left out. */
export const ARCHIVE_MODELS: Readonly<Record<string, ModelOf>> = {
  era5_seamless: () => MODELS.era5Land,
  era5_land: () => MODELS.era5Land,
  ecmwf_ifs: () => MODELS.ifs,
  best_match: (day) => (day < SINCE_IFS ? MODELS.era5Land : MODELS.ifs),
};

/** The same for its forecast, made on a day. */
export const FORECAST_MODELS: Readonly<Record<string, (issued: DayNumber) => ModelOf>> = {
  ecmwf_ifs: () => () => MODELS.ifs,
  best_match: (issued) => (day) => (day < issued + 3 ? MODELS.icon : MODELS.gfs),
};
