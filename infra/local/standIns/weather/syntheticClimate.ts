import { spatialNoise } from './syntheticNoise.js';
import type { Place } from './weatherRecord.js';

/** The climate of a place that does not exist in any data set: made up by formula, shaped like the real one. */
export interface Climate {
  /** Height of the ground, whole metres. */
  readonly elevationM: number;
  /** Mean of the year at the ground, °C. */
  readonly meanC: number;
  /** Half of the difference between the warmest and the coldest time of the year, °C. */
  readonly amplitudeC: number;
  /** Day of the year with the highest normal temperature. */
  readonly warmestDay: number;
  /** Standard deviation of a day from its normal, °C, midsummer and midwinter. */
  readonly summerSpreadC: number;
  readonly winterSpreadC: number;
  /** Mean difference between the day's maximum and minimum, °C. */
  readonly rangeC: number;
}

/** Middle of each large land mass and the distance, km, over which its inland climate fades. */
const INTERIORS: readonly (Place & { readonly reachKm: number })[] = [
  { latitude: 50, longitude: -100, reachKm: 2300 },
  { latitude: 55, longitude: 90, reachKm: 4600 },
  { latitude: 15, longitude: 20, reachKm: 2000 },
  { latitude: -12, longitude: -57, reachKm: 1700 },
  { latitude: -25, longitude: 134, reachKm: 1300 },
];
const ELEVATION_SEED = 11;
const LAPSE_C_PER_M = 0.0065;

/** 0 at an ocean, 1 in the middle of a continent. */
export function continentality(place: Place): number {
  return Math.max(...INTERIORS.map((middle) => Math.exp(-((distanceKm(place, middle) / middle.reachKm) ** 2))));
}

/** Plausible by latitude, hemisphere and distance from the sea; no claim beyond that. */
export function climateOf(place: Place): Climate {
  const inland = continentality(place);
  const polar = Math.sin((place.latitude * Math.PI) / 180) ** 2;
  const seasonality = Math.min(1, Math.abs(place.latitude) / 45);
  const elevationM = Math.round(Math.max(5, 60 + 250 * inland + 90 * spatialNoise(place, 0, ELEVATION_SEED)));
  const lagDays = 30 - 8 * inland;
  return {
    elevationM,
    meanC: Math.min(27, 30 - 38 * polar + 7 * (1 - inland) * polar) - LAPSE_C_PER_M * elevationM,
    amplitudeC: seasonality * (7.5 + 9.5 * inland),
    warmestDay: (place.latitude >= 0 ? 172 : 355) + lagDays,
    summerSpreadC: 1 + 2.2 * seasonality,
    winterSpreadC: 1 + (2 + 3.2 * inland) * seasonality,
    rangeC: 8 + 3.5 * inland,
  };
}

/** @see https://en.wikipedia.org/wiki/Haversine_formula */
function distanceKm(one: Place, other: Place): number {
  const radians = Math.PI / 180;
  const half = (difference: number): number => Math.sin((difference * radians) / 2) ** 2;
  const cosines = Math.cos(one.latitude * radians) * Math.cos(other.latitude * radians);
  const chord = half(one.latitude - other.latitude) + cosines * half(one.longitude - other.longitude);
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(chord)));
}
