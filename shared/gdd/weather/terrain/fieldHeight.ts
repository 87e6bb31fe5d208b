import type { GroundPoint } from '../weatherSource.js';
import type { Shelf } from '../cache/shelf.js';
import { dayCellDegrees, heightKey, weatherCellOf } from '../cache/weatherCache.js';

/** A terrain model. */
export interface TerrainSource {
  /**
   * Height of the ground above the sea, m; undefined where the model has no land.
   *
   * @throws WeatherError when the model can't be read
   */
  heightAt(place: GroundPoint, signal?: AbortSignal): Promise<number | undefined>;
}

/** Height of the ground at a place. */
export interface FieldHeight {
  /** Whole metres; 0 at sea. */
  readonly elevationM: number;
  /** False where the terrain model has no land: the height of a field there is doubtful. */
  readonly isLand: boolean;
}

/** Finds the height of a field. @throws WeatherError when the terrain model can't be read */
export type FindHeight = (place: GroundPoint, signal?: AbortSignal) => Promise<FieldHeight>;

interface FieldHeightPorts {
  readonly terrain: TerrainSource;
  readonly shelf: Shelf;
}

/** Heights kept in the memory of this process: about 1 MB. */
const mostRemembered = 10_000;

/**
 * The height of a place's cell of 0.01°, read from the terrain model once and then cached. Sea is not cached, because
 * the terrain model's storage gives the same answer for a missing tile and for refused access.
 */
export function fieldHeights({ terrain, shelf }: FieldHeightPorts): FindHeight {
  const remembered = new Map<string, FieldHeight>();
  return async (place, signal) => {
    const cell = weatherCellOf(place, dayCellDegrees);
    const key = heightKey(cell);
    const known = remembered.get(key) ?? (await shelf.get<FieldHeight>(key));
    const height = known ?? (await read(terrain, cell, signal));
    if (known === undefined && height.isLand) await shelf.put(key, height);
    if (height.isLand) remember(remembered, key, height);
    return height;
  };
}

async function read(terrain: TerrainSource, cell: GroundPoint, signal?: AbortSignal): Promise<FieldHeight> {
  const height = await terrain.heightAt(cell, signal);
  return { elevationM: Math.round(height ?? 0) + 0, isLand: height !== undefined };
}

function remember(remembered: Map<string, FieldHeight>, key: string, height: FieldHeight): void {
  remembered.set(key, height);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}
