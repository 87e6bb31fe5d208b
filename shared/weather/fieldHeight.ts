import type { Place } from './weatherSource.js';
import type { Shelf } from './shelf.js';
import { cellOf, dayCellDegrees, heightKey } from './weatherCache.js';

/** A terrain model. */
export interface TerrainSource {
  /**
   * Height of the ground above the sea, m; undefined where the model has no land.
   *
   * @throws WeatherError when it can't be read
   */
  heightAt(place: Place, signal?: AbortSignal): Promise<number | undefined>;
}

/** Height of the ground at a place. */
export interface FieldHeight {
  /** Whole metres; 0 at sea. */
  readonly elevationM: number;
  /** False where the terrain model knows no land: a field there makes its height doubtful. */
  readonly isLand: boolean;
}

/** Tells the height of a field. @throws WeatherError when it can't be known for the moment */
export type FindHeight = (place: Place, signal?: AbortSignal) => Promise<FieldHeight>;

export interface FieldHeightPorts {
  readonly terrain: TerrainSource;
  readonly shelf: Shelf;
}

/** Cells remembered in this process, so that a warm job asks nobody: about 1 MB. */
const mostRemembered = 10_000;

/**
 * The height of a place's cell of 0.01°, read from the terrain model once: the ground does not move. Sea is not kept
 * for good, because a bucket that is closed to us says the same as one that has no tile.
 */
export function fieldHeights({ terrain, shelf }: FieldHeightPorts): FindHeight {
  const remembered = new Map<string, FieldHeight>();
  return async (place, signal) => {
    const cell = cellOf(place, dayCellDegrees);
    const key = heightKey(cell);
    const known = remembered.get(key) ?? (await shelf.get<FieldHeight>(key));
    const height = known ?? (await read(terrain, cell, signal));
    if (known === undefined && height.isLand) await shelf.put(key, height);
    if (height.isLand) remember(remembered, key, height);
    return height;
  };
}

async function read(terrain: TerrainSource, cell: Place, signal?: AbortSignal): Promise<FieldHeight> {
  const height = await terrain.heightAt(cell, signal);
  return { elevationM: Math.round(height ?? 0) + 0, isLand: height !== undefined };
}

function remember(remembered: Map<string, FieldHeight>, key: string, height: FieldHeight): void {
  remembered.set(key, height);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}
