import { expectText, geoJsonCellOf, memberOf, numberOf, ShapeError, temperatureOf } from './answerShape.js';
import { isDay } from '../../../kit/validation/calendar.js';
import { type DayTemperatures, type Revision, usableTemperatures, type WeatherOrigin } from '../weatherSource.js';

/** The documented value for "missing", for a header that names none. */
const usualFill = -999;

/**
 * Usable days and origin of an answer of NASA POWER's daily point interface (JSON). The value that stands for "missing"
 * is read from the header.
 *
 * @throws ShapeError when units, time standard or kinds of value are not the documented ones
 * @see https://power.larc.nasa.gov/docs/services/api/temporal/daily/
 */
export function readNasaPower(answer: unknown): { days: DayTemperatures[]; origin: WeatherOrigin } {
  const header = memberOf(answer, 'header');
  expectText(header['time_standard'], 'LST', 'header.time_standard');
  const units = memberOf(answer, 'parameters');
  expectText(memberOf(units, 'T2M_MAX')['units'], 'C', 'unit of T2M_MAX');
  expectText(memberOf(units, 'T2M_MIN')['units'], 'C', 'unit of T2M_MIN');
  const sources = sourcesOf(header['sources']);
  const revision = revisionOf(sources);
  const days = readDays(answer, numberOf(header['fill_value'] ?? usualFill, 'header.fill_value'));
  return { days: days.map((day) => ({ ...day, revision })), origin: readOrigin(answer, sources) };
}

/** The models behind the values, such as `MERRA2` and `POWER`; none when the header does not name them. */
const sourcesOf = (sources: unknown): readonly string[] =>
  Array.isArray(sources) ? sources.filter((each): each is string => typeof each === 'string') : [];

/**
 * GEOS-IT covers the weeks that MERRA-2 has not closed yet; the header holds for all days of an answer. Versions of POWER
 * write the names differently: `merra2` in 2.5, `MERRA2` in 2.8.
 */
function revisionOf(sources: readonly string[]): Revision {
  const names = sources.map((source) => source.toUpperCase().replaceAll('-', ''));
  return names.includes('MERRA2') && !names.includes('GEOSIT') ? 'final' : 'preliminary';
}

/** A day that one of the lists lacks, or that is null or filled in one of them, is missing. */
function readDays(answer: unknown, fill: number): DayTemperatures[] {
  const parameter = memberOf(memberOf(answer, 'properties'), 'parameter');
  const maxima = memberOf(parameter, 'T2M_MAX');
  const minima = memberOf(parameter, 'T2M_MIN');
  const value = (given: unknown, name: string): number | null => {
    const number = temperatureOf(given, name);
    return number === fill ? null : number;
  };
  return Object.keys({ ...maxima, ...minima })
    .sort()
    .flatMap((name) => {
      const date = name.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
      if (!isDay(date)) throw new ShapeError('a day that is no day');
      const usable = usableTemperatures({
        minC: value(minima[name], 'T2M_MIN'),
        maxC: value(maxima[name], 'T2M_MAX'),
      });
      return usable === undefined ? [] : [{ date, ...usable }];
    });
}

const readOrigin = (answer: unknown, sources: readonly string[]): WeatherOrigin => ({
  provider: 'nasa-power',
  model: sources.join(', ').slice(0, 100) || 'POWER',
  ...geoJsonCellOf(answer),
  heightOf: 'cell',
  dayBoundary: 'solar',
  attribution: 'NASA POWER Project, NASA Langley Research Center, Earth Science/Applied Science Program',
  licence: 'free of charge, acknowledgement asked',
});
