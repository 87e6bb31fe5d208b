import { airOver } from '../../infra/local/scenes/sight.js';
import { weatherOn } from '../../infra/local/scenes/weather.js';
import type { BoundaryScene } from '../../shared/boundary/boundaryInput.js';
import type { Grid } from '../../shared/raster/grid.js';

const cloudClass = 9;
const clearClass = 4;

/**
 * The scenes with clouds cut out of them: a classification that hides about this share of each date, and no data there.
 *
 * @param fraction 0–1
 */
export function withClouds(grid: Grid, scenes: readonly BoundaryScene[], fraction: number): BoundaryScene[] {
  return scenes.map((scene, index) => {
    const weather = weatherOn(1000 + index, scene.date, fraction);
    const air = airOver(weather, grid, grid.pixelWidth);
    const scl = Uint8Array.from({ length: grid.width * grid.height }, (_, k) => {
      const row = Math.floor(k / grid.width);
      return (air[row]?.cloud[k - row * grid.width] ?? 0) > 0.5 ? cloudClass : clearClass;
    });
    return { ...scene, scl };
  });
}
