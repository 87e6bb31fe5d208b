import type { GddRecord, GddStageRecord } from '../../../shared/gdd/form/gddRecord.js';

const sources = [
  ...['OBSERVED', 'OBSERVED', 'INTERPOLATED', 'OBSERVED', 'OBSERVED', 'PROVISIONAL'],
  ...['FORECAST', 'FORECAST', 'NORMAL', 'NORMAL'],
] as const;
const gdd = [9.5, 9.5, 8, 8, 9.5, 9.5, 9, 9, 9, 9] as const;
const cumulative = [9.5, 19, 27, 35, 44.5, 54, 63, 72, 81, 90] as const;
const upTo = (eachDay: number): number[] => gdd.map((_, index) => eachDay * (index + 1));

/** `2026-05-04` of 4. */
export const may = (day: number): string => `2026-05-${String(day).padStart(2, '0')}`;

/**
 * Ten days of May with a total of 90 °C·day, seen on the seventh: what a picture reads of a record. The largest sum, 94,
 * and 6 % of room above it make a scale of 100; the largest day, 9.5, and 5 % one of 10.
 */
export const aChartRecord = (changes: Partial<GddRecord> = {}): GddRecord =>
  ({
    kind: 'GDD',
    crop: 'CORN',
    gddStartDate: may(1),
    gddEndDate: may(10),
    temperatureUnit: 'C',
    method: { lower: 10, upper: 30 },
    location: { elevationM: 203 },
    total: 90,
    asOf: '2026-05-07T17:00:00.000Z',
    asOfDate: may(7),
    sources: [],
    daily: gdd.map((value, index) => ({
      date: may(index + 1),
      tmin: 10,
      tmax: 30,
      gdd: value,
      cumulative: cumulative[index],
      source: sources[index],
    })),
    normal: {
      years: [1991, 2020],
      departure: 0,
      departurePercent: 0,
      cumulative: { mean: upTo(9), p10: upTo(8), p90: upTo(9.2) },
    },
    range: { p10: 86, p50: 90, p90: 94, from: may(7), cumulative: { p10: [62, 70, 78, 86], p90: [64, 74, 84, 94] } },
    uncertainty: { place: 0 },
    frost: [],
    stages: [],
    ...changes,
  }) as unknown as GddRecord;

/** A stage that is reached on a day, or not. */
export const aStage = (date: string | null, changes: Partial<GddStageRecord> = {}): GddStageRecord => ({
  code: 'V8',
  name: '8 leaves',
  threshold: 600,
  unit: 'F',
  definition: 'CLIP 50/86 °F',
  date,
  basis: date === null ? null : 'OBSERVED',
  earliest: null,
  latest: null,
  ...changes,
});

/** The tags of elements with this name, each as its attributes. */
export const elementsOf = (svg: string, name: string): Record<string, string>[] =>
  [...svg.matchAll(new RegExp(`<${name}((?: [^<>]*?)?)/?>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries([...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!])),
  );

/** Where a text stands. */
export function placeOfText(svg: string, words: string): { readonly x: number; readonly y: number; anchor?: string } {
  const [before] = svg.split(`>${words}</text>`);
  const tag = before!.slice(before!.lastIndexOf('<text'));
  const [x, y] = ['x', 'y'].map((name) => Number(new RegExp(` ${name}="(-?[\\d.]+)"`).exec(tag)?.[1]));
  const anchor = / text-anchor="(\w+)"/.exec(tag)?.[1];
  return { x: x!, y: y!, ...(anchor !== undefined && { anchor }) };
}

/** The corners of a path that is made of M and L. */
export const cornersOf = (path: string): [number, number][] =>
  [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
