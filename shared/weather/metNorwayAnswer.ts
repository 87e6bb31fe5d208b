import type { JsonMembers } from './answerShape.js';
import { arrayOf, expectText, geoJsonCellOf, memberOf, membersOf, numberOf, ShapeError } from './answerShape.js';
import { type ForecastStep, usableTemperatures, type WeatherOrigin } from './weatherSource.js';

/** More steps than any answer has (about 90). */
const mostSteps = 1000;

/**
 * Steps and origin of an answer of MET Norway's Locationforecast 2.0 `complete`.
 *
 * @throws ShapeError when units, order or kinds of value are not the documented ones
 * @see https://api.met.no/doc/locationforecast/HowTO
 */
export function readMetNorway(answer: unknown): { steps: ForecastStep[]; origin: WeatherOrigin } {
  const properties = memberOf(answer, 'properties');
  const units = memberOf(memberOf(properties, 'meta'), 'units');
  for (const name of ['air_temperature', 'air_temperature_max', 'air_temperature_min']) {
    expectText(units[name], 'celsius', `unit of ${name}`);
  }
  const timeseries = arrayOf(properties['timeseries'], 'timeseries');
  if (timeseries.length > mostSteps) throw new ShapeError(`${timeseries.length} steps`);
  return { steps: readSteps(timeseries), origin: readOrigin(answer) };
}

function readSteps(timeseries: readonly unknown[]): ForecastStep[] {
  const steps: ForecastStep[] = [];
  for (const [index, entry] of timeseries.entries()) {
    const { time, data } = membersOf(entry, 'step');
    const at = typeof time === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) ? Date.parse(time) : NaN;
    if (Number.isNaN(at) || at <= (steps.at(-1)?.at ?? -Infinity)) throw new ShapeError(`step ${index} out of order`);
    const parts = membersOf(data, 'data');
    const { air_temperature: value } = memberOf(memberOf(parts, 'instant'), 'details');
    const temperatureC = numberOf(value, 'air_temperature');
    if (usableTemperatures({ minC: temperatureC, maxC: temperatureC }) === undefined) continue;
    const nextSixHours = extremesOf(parts);
    steps.push({ at, temperatureC, ...(nextSixHours && { nextSixHours }) });
  }
  return steps;
}

/** Extremes of the next six hours; undefined where the step does not have both. */
function extremesOf(parts: JsonMembers): ForecastStep['nextSixHours'] {
  if (parts['next_6_hours'] === undefined) return undefined;
  const details = membersOf(parts['next_6_hours'], 'next_6_hours')['details'];
  if (details === undefined) return undefined;
  const { air_temperature_max: maxC = null, air_temperature_min: minC = null } = membersOf(details, 'details');
  if (maxC === null || minC === null) return undefined;
  return usableTemperatures({
    minC: numberOf(minC, 'air_temperature_min'),
    maxC: numberOf(maxC, 'air_temperature_max'),
  });
}

/** MET Norway brings its values to the height that the answer tells. */
const readOrigin = (answer: unknown): WeatherOrigin => ({
  provider: 'met-norway',
  model: 'locationforecast',
  ...geoJsonCellOf(answer),
  heightOf: 'point',
  dayBoundary: 'solar',
  attribution: 'Based on data from MET Norway (CC BY 4.0)',
  licence: 'CC-BY-4.0',
});
