import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import type { Units } from '../../parts/units.js';
import { groundScaleAt, toMercator } from '../mercator.js';
import type { BasePlace } from './baseData.js';

/** Farther away a town says nothing of where a farm lies. */
const FARTHEST_M = 300_000;
/** Nearer than this, a place is in the town as far as its data tell. */
const WITHIN_M = 2_000;
const METRES_OF_MILE = 1609.344;
const DIRECTIONS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'] as const;

/** Where a position lies from the nearest town, in words; undefined far from all. */
export function nearestText(places: readonly BasePlace[], position: Position, units: Units): string | undefined {
  const [x, y] = toMercator(position);
  const scale = groundScaleAt(y);
  let [nearest, metres] = [places[0], Infinity];
  for (const place of places) {
    const away = Math.hypot(place.at[0] - x, place.at[1] - y) * scale;
    if (away < metres) [nearest, metres] = [place, away];
  }
  if (nearest === undefined || metres > FARTHEST_M) return undefined;
  if (metres < WITHIN_M) return `At ${nearest.name}`;
  const away = units === 'us' ? `${Math.round(metres / METRES_OF_MILE)} mi` : `${Math.round(metres / 1000)} km`;
  return `${away} ${directionOf(x - nearest.at[0], y - nearest.at[1])} of ${nearest.name}`;
}

/** The direction that a step to the right and up leads to. */
function directionOf(right: number, up: number): string {
  const eighth = Math.round((Math.atan2(right, up) / (2 * Math.PI)) * DIRECTIONS.length);
  return DIRECTIONS[(eighth + DIRECTIONS.length) % DIRECTIONS.length] ?? '';
}
