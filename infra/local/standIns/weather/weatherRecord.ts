import type { DayNumber } from './calendarDays.js';

/** WGS 84, decimal degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Highest and lowest temperature of a day, °C with one decimal; null when the day is missing. */
export interface DayWeather {
  readonly maxC: number | null;
  readonly minC: number | null;
}

/** Where the days come from that the weather stand-in shows. */
export interface WeatherRecord {
  /** Told in every answer, so that nobody takes the numbers for measured ones where they are not. */
  readonly source: 'synthetic' | 'csv';
  /** True when every day of the record counts as measured, however young it is. */
  readonly isAllMeasured: boolean;
  /** Height of the ground there, whole metres. */
  elevationM(place: Place): number;
  /** @param elevationM height the values are asked for; that of the ground at the place when left out */
  days(place: Place, days: readonly DayNumber[], elevationM?: number): readonly DayWeather[];
}

/** The centre of the cell of 0.25° that a place lies in: the synthetic weather is the same all over it but for height. */
export function gridCell({ latitude, longitude }: Place): Place {
  return { latitude: Math.round(latitude * 4) / 4, longitude: Math.round(longitude * 4) / 4 };
}
