import type { JsonMembers } from './answerShape.js';
import {
  arrayOf,
  expectText,
  geoJsonCellOf,
  memberOf,
  membersOf,
  optionalMembersOf,
  ShapeError,
  temperatureOf,
} from './answerShape.js';
import { type ForecastStep, usableTemperatures, type WeatherOrigin } from '../weatherSource.js';

/** More steps than any answer has (about 90). */
const mostSteps = 1000;
const celsius = 'celsius';

/**
 * Steps and origin of an answer of MET Norway's Locationforecast 2.0 `complete`, in order of time.
 *
 * All values are optional there: a step without a temperature is left out. Of two steps of one instant the later one in
 * the list counts.
 *
 * @throws ShapeError when units or kinds of value are not the documented ones, or no step has a temperature
 * @see https://api.met.no/doc/locationforecast/HowTO
 */
export function readMetNorway(answer: unknown): { steps: ForecastStep[]; origin: WeatherOrigin } {
  const properties = memberOf(answer, 'properties');
  const units = memberOf(memberOf(properties, 'meta'), 'units');
  expectText(units['air_temperature'], celsius, 'unit of air_temperature');
  for (const name of ['air_temperature_max', 'air_temperature_min']) {
    expectText(units[name] ?? celsius, celsius, `unit of ${name}`);
  }
  const timeseries = arrayOf(properties['timeseries'], 'timeseries');
  if (timeseries.length > mostSteps) throw new ShapeError(`${timeseries.length} steps`);
  const steps = new Map(timeseries.flatMap(stepOf).map((step) => [step.at, step]));
  if (steps.size === 0) throw new ShapeError('no step with a temperature');
  return { steps: [...steps.values()].sort((a, b) => a.at - b.at), origin: readOrigin(answer) };
}

/** The step of an entry; none where the entry has no usable temperature. */
function stepOf(entry: unknown): ForecastStep[] {
  const { time, data } = membersOf(entry, 'step');
  const at = typeof time === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) ? Date.parse(time) : NaN;
  if (Number.isNaN(at)) throw new ShapeError('a step without a time');
  const { instant, next_6_hours: next } = optionalMembersOf(data, 'data');
  const value = temperatureOf(detailsOf(instant)['air_temperature'], 'air_temperature');
  const temperatureC = usableTemperatures({ minC: value, maxC: value })?.minC;
  if (temperatureC === undefined) return [];
  const { air_temperature_max: maxC, air_temperature_min: minC } = detailsOf(next);
  const nextSixHours = usableTemperatures({
    minC: temperatureOf(minC, 'air_temperature_min'),
    maxC: temperatureOf(maxC, 'air_temperature_max'),
  });
  return [{ at, temperatureC, ...(nextSixHours && { nextSixHours }) }];
}

/** The values of an instant or of the hours after it. */
const detailsOf = (part: unknown): JsonMembers =>
  optionalMembersOf(optionalMembersOf(part, 'part')['details'], 'details');

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
