import type { DayNumber } from './calendarDays.js';
import { type Climate, climateOf } from './syntheticClimate.js';
import { groundM } from './terrain.js';
import { persistentNoise } from './syntheticNoise.js';
import { gridCell, type Place, type WeatherRecord } from './weatherRecord.js';

/** Temperatures fall faster with height by day than by night, when cold air gathers in the valleys; °C per metre. */
const DAY_LAPSE = 0.0065;
const NIGHT_LAPSE = 0.0045;
const YEAR_DAYS = 365.2425;
const LEAST_RANGE_C = 2;

/** A warm or cold spell lasts days, a warm or cold month some weeks, clouds change from day to day. */
const SPELL = { daily: 0.72, memoryDays: 25, seed: 1 };
const MONTH = { daily: 0.96, memoryDays: 120, seed: 2 };
const CLOUD = { daily: 0.45, memoryDays: 10, seed: 3 };

/**
 * Synthetic days: annual cycle of the place's made-up climate, spells of warm and cold weather that are shared by
 * neighbouring places, a difference between day and night that varies with the clouds. The same place and day always
 * give the same values, whichever span is asked for.
 */
export const syntheticWeather: WeatherRecord = {
  source: 'synthetic',
  isAllMeasured: false,
  elevationM: groundM,
  days: (place, days, elevationM) => {
    const cell = gridCell(place);
    const climate = climateOf(cell);
    const lowerM = climate.elevationM - (elevationM ?? groundM(place));
    return synthesize(cell, climate, days).map(({ meanC, rangeC }) => {
      const maxC = meanC + rangeC / 2 + lowerM * DAY_LAPSE;
      return {
        maxC: oneDecimal(maxC),
        minC: oneDecimal(Math.min(maxC - 0.1, meanC - rangeC / 2 + lowerM * NIGHT_LAPSE)),
      };
    });
  },
};

interface SyntheticDay {
  readonly meanC: number;
  readonly rangeC: number;
}

function synthesize(cell: Place, climate: Climate, days: readonly DayNumber[]): readonly SyntheticDay[] {
  const spells = persistentNoise(cell, days, SPELL);
  const months = persistentNoise(cell, days, MONTH);
  const clouds = persistentNoise(cell, days, CLOUD);
  return days.map((day, index) => {
    // 1 at the warmest time of the year, −1 at the coldest.
    const season = Math.cos((2 * Math.PI * (day - climate.warmestDay)) / YEAR_DAYS);
    const spreadC = (climate.summerSpreadC * (1 + season) + climate.winterSpreadC * (1 - season)) / 2;
    const anomalyC = spreadC * (0.88 * (spells[index] ?? 0) + 0.47 * (months[index] ?? 0));
    const rangeC = climate.rangeC * (1 + 0.15 * season + 0.3 * (clouds[index] ?? 0));
    return { meanC: climate.meanC + climate.amplitudeC * season + anomalyC, rangeC: Math.max(LEAST_RANGE_C, rangeC) };
  });
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
