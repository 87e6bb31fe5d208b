import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WeatherRecord } from './forwardSeasons.js';

/** Days that a station has measured, which lie beside the repository where somebody has them. */
export interface StationRecord {
  readonly name: string;
  /** First and last whole year. */
  readonly years: readonly [first: number, last: number];
  readonly weather: WeatherRecord;
}

/** From the root of the repository, where tests and benches run: a bench is bundled and lies elsewhere then. */
const folder = '../shared/data/gdd';
const files = [
  { name: 'Milwaukee (WI), GHCN', years: [1991, 2025], file: 'ghcnd_USW00014839_milwaukee_wi.csv' },
  { name: 'Shorter (AL), NASA POWER', years: [1999, 2019], file: 'nasapower_AUSH_shorter_al.csv' },
] as const;

/** Lines of `date,tmax_c,tmin_c` after a header. */
function read(file: string): WeatherRecord {
  const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n').slice(1);
  return new Map(
    lines.map((line) => {
      const [date = '', maxC, minC] = line.split(',');
      return [date, { minC: Number(minC), maxC: Number(maxC) }];
    }),
  );
}

/** The stations that are here; none in a checkout alone. */
export const stationRecords = (): readonly StationRecord[] =>
  files
    .filter(({ file }) => existsSync(join(folder, file)))
    .map(({ name, years, file }) => ({ name, years, weather: read(file) }));
