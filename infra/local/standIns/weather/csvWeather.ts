import { readFileSync } from 'node:fs';
import { type DayNumber, parseDay } from './calendarDays.js';
import type { DayWeather, WeatherRecord } from './weatherRecord.js';

const HEADER = 'date,tmax_c,tmin_c';
/** The file's days were measured at the field: its world is flat, so that no height can change them. */
const FLAT_M = 200;
const MISSING: DayWeather = { maxC: null, minC: null };

/**
 * The days of a file, unchanged and the same for every place and height; a day or value that is not in it is missing.
 *
 * @throws Error that names file and line when the file is not a table `date,tmax_c,tmin_c`
 */
export function readCsvWeather(file: string): WeatherRecord {
  const days = parse(readText(file), file);
  return {
    source: 'csv',
    isAllMeasured: true,
    elevationM: () => FLAT_M,
    days: (_place, asked) => asked.map((day) => days.get(day) ?? MISSING),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`The weather file ${file} cannot be read: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}

function parse(text: string, file: string): ReadonlyMap<DayNumber, DayWeather> {
  const [header = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/);
  if (header.trim() !== HEADER) throw new Error(`${file}: the first line must be ${HEADER}.`);
  const days = new Map<DayNumber, DayWeather>();
  for (const [index, line] of lines.entries()) {
    const row = parseRow(line);
    if (row === undefined || days.has(row.day)) {
      throw new Error(`${file}, line ${index + 2}: expected a new date, tmax_c and tmin_c, found "${line}".`);
    }
    days.set(row.day, row.weather);
  }
  return days;
}

function parseRow(line: string): { readonly day: DayNumber; readonly weather: DayWeather } | undefined {
  const [date = '', ...values] = line.split(',').map((value) => value.trim());
  const day = parseDay(date);
  const [maxC, minC, ...rest] = values.map(temperature);
  if (day === undefined || maxC === undefined || minC === undefined || rest.length > 0) return undefined;
  return isNumberOrNull(maxC) && isNumberOrNull(minC) ? { day, weather: { maxC, minC } } : undefined;
}

/** An empty cell is missing, never zero. */
function temperature(text: string): number | null {
  return text === '' ? null : Number(text);
}

function isNumberOrNull(value: number | null): boolean {
  return value === null || Number.isFinite(value);
}
