import type { Cover } from './cover.js';
import type { Field, MapBox } from './farmland.js';
import type { MapPlace } from './convex.js';

const { floor, hypot, max, min } = Math;

/** Share of a field that may be lost between the samples at its outline. */
const leastSeenFraction = 0.98;

/**
 * Fields that lie wholly in the box and wholly in sight: no road, wood or yard lies on them, so that their outline is
 * the exact truth.
 */
export function wholeFields({ grid, fields, samples }: Cover, [west, south, east, north]: MapBox): Field[] {
  const counts = new Int32Array(fields.length);
  for (const code of samples) if (code >= 0) counts[code] = (counts[code] ?? 0) + 1;
  return fields.filter(({ box, areaM2 }, index) => {
    const isInside = box[0] >= west && box[1] >= south && box[2] <= east && box[3] <= north;
    return isInside && (counts[index] ?? 0) * grid.stepM ** 2 >= leastSeenFraction * areaM2;
  });
}

/** The place in a field that is farthest from its outline, to a few metres, and how far that is. */
export function poleOf({ outline, box }: Pick<Field, 'outline' | 'box'>): {
  readonly place: MapPlace;
  readonly depthM: number;
} {
  let [west, south, east, north] = box;
  let best = { place: [(west + east) / 2, (south + north) / 2] as MapPlace, depthM: -Infinity };
  for (let round = 0; round < 4; round += 1) {
    const [stepX, stepY] = [(east - west) / steps, (north - south) / steps];
    for (let k = 0; k <= steps * (steps + 2); k += 1) {
      const place: MapPlace = [west + (k % (steps + 1)) * stepX, south + floor(k / (steps + 1)) * stepY];
      const depthM = depthIn(outline, place);
      if (depthM > best.depthM) best = { place, depthM };
    }
    const [x, y] = best.place;
    [west, south, east, north] = [x - stepX, y - stepY, x + stepX, y + stepY];
  }
  return best;
}

const steps = 14;

/** Distance from the outline in metres, negative outside. */
export function depthIn(outline: readonly MapPlace[], [x, y]: MapPlace): number {
  let isInside = false;
  let nearest = Infinity;
  let [fromX, fromY] = outline.at(-1) ?? [0, 0];
  for (const [toX, toY] of outline) {
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) isInside = !isInside;
    const [sideX, sideY] = [toX - fromX, toY - fromY];
    const share = ((x - fromX) * sideX + (y - fromY) * sideY) / (sideX ** 2 + sideY ** 2 || 1);
    const along = min(1, max(0, share));
    nearest = min(nearest, hypot(x - fromX - along * sideX, y - fromY - along * sideY));
    [fromX, fromY] = [toX, toY];
  }
  return isInside ? nearest : -nearest;
}
