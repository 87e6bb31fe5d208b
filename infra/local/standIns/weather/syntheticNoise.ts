import type { Place } from './weatherRecord.js';

/** Weather systems are of this size: places closer than that share most of their weather. */
const SYSTEM_SIZE_DEGREES = 6;

/** A whole number to a whole number of 32 bits without visible pattern. @see https://github.com/skeeto/hash-prospector */
function scrambled(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0xd35a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A number of mean 0 and variance 1, nearly normal, that depends on nothing but its keys (whole numbers). */
function draw(...keys: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const key of keys) hash = scrambled(hash ^ scrambled(key));
  let sum = 0;
  for (let term = 0; term < 4; term += 1) {
    hash = scrambled(hash + term);
    sum += hash / 2 ** 32 - 0.5;
  }
  return sum * Math.sqrt(3);
}

/** A field over the globe and over time steps: mean 0, variance 1, smooth in space, independent from step to step. */
export function spatialNoise({ latitude, longitude }: Place, step: number, seed: number): number {
  const row = latitude / SYSTEM_SIZE_DEGREES;
  const column = longitude / SYSTEM_SIZE_DEGREES;
  const corners: readonly (readonly [number, number])[] = [
    [Math.floor(row), Math.floor(column)],
    [Math.floor(row), Math.floor(column) + 1],
    [Math.floor(row) + 1, Math.floor(column)],
    [Math.floor(row) + 1, Math.floor(column) + 1],
  ];
  let sum = 0;
  let squares = 0;
  for (const [cornerRow, cornerColumn] of corners) {
    const weight = (1 - Math.abs(row - cornerRow)) * (1 - Math.abs(column - cornerColumn));
    sum += weight * draw(cornerRow, cornerColumn, step, seed);
    squares += weight * weight;
  }
  return sum / Math.sqrt(squares);
}

export interface Persistence {
  /** Share of a day's value that is left on the next day, 0–1. */
  readonly daily: number;
  /** Days after which a value is forgotten altogether. */
  readonly memoryDays: number;
  readonly seed: number;
}

/**
 * One value a day, mean 0, variance 1, each like the day before. Depends on place and day alone, not on the first day
 * asked for: an autoregressive process of the first order, cut off after its memory.
 */
export function persistentNoise(
  place: Place,
  days: readonly number[],
  { daily, memoryDays, seed }: Persistence,
): number[] {
  const weights = Array.from({ length: memoryDays }, (_, lag) => daily ** lag);
  const norm = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
  const shocks = new Map<number, number>();
  const shock = (day: number): number => {
    const value = shocks.get(day) ?? spatialNoise(place, day, seed);
    shocks.set(day, value);
    return value;
  };
  return days.map((day) => weights.reduce((sum, weight, lag) => sum + weight * shock(day - lag), 0) / norm);
}
