import {
  arrayOf,
  expectText,
  gridCellOf,
  memberOf,
  membersOf,
  numberOf,
  ShapeError,
  temperatureOf,
} from './answerShape.js';
import type { JsonMembers } from './answerShape.js';
import { isDay } from '../../../kit/validation/calendar.js';
import { type DayTemperatures, usableTemperatures, type WeatherOrigin } from '../weatherSource.js';

/** More days than any request of ours has: those of a century. */
const mostDays = 36_600;

/**
 * Usable days and origin of an answer of Open-Meteo's archive or forecast interface.
 *
 * @param model the model that was asked for: the answer does not name it
 * @throws ShapeError when units, lengths or kinds of value are not the documented ones
 * @see https://open-meteo.com/en/docs (daily temperature_2m_max and temperature_2m_min)
 */
export function readOpenMeteo(answer: unknown, model: string): { days: DayTemperatures[]; origin: WeatherOrigin } {
  const units = memberOf(answer, 'daily_units');
  expectText(units['temperature_2m_max'], '°C', 'unit of temperature_2m_max');
  expectText(units['temperature_2m_min'], '°C', 'unit of temperature_2m_min');
  return { days: readDays(memberOf(answer, 'daily')), origin: readOrigin(membersOf(answer, 'answer'), model) };
}

function readDays(daily: JsonMembers): DayTemperatures[] {
  const times = arrayOf(daily['time'], 'daily.time');
  const maxima = arrayOf(daily['temperature_2m_max'], 'daily.temperature_2m_max');
  const minima = arrayOf(daily['temperature_2m_min'], 'daily.temperature_2m_min');
  if (times.length !== maxima.length || times.length !== minima.length || times.length > mostDays) {
    throw new ShapeError(`lists of ${times.length}, ${maxima.length} and ${minima.length} days`);
  }
  const days: DayTemperatures[] = [];
  let previous = '';
  for (const [index, date] of times.entries()) {
    if (typeof date !== 'string' || !isDay(date) || date <= previous) throw new ShapeError(`day ${index} out of order`);
    previous = date;
    const usable = usableTemperatures({
      minC: temperatureOf(minima[index], 'temperature_2m_min'),
      maxC: temperatureOf(maxima[index], 'temperature_2m_max'),
    });
    if (usable !== undefined) days.push({ date, ...usable });
  }
  return days;
}

/** Open-Meteo brings its values to the height asked for, else to that of its own terrain model: `elevation`. */
function readOrigin(answer: JsonMembers, model: string): WeatherOrigin {
  const { timezone, utc_offset_seconds } = answer;
  return {
    provider: 'open-meteo',
    model,
    ...gridCellOf(answer),
    heightOf: 'point',
    dayBoundary: 'civil',
    ...(typeof timezone === 'string' && { timezone }),
    utcOffsetSeconds: numberOf(utc_offset_seconds, 'utc_offset_seconds'),
    attribution: 'Weather data by Open-Meteo.com',
    licence: 'CC-BY-4.0',
  };
}
