import type { MultiPolygon, Polygon, Position, Ring } from './geoJson.js';

/** Positions of an outline at most: enough to draw a field, and to fit beside what else is told of it. */
export const MOST_POSITIONS = 1_000;
/** A tenth of a metre. */
const DECIMALS = 6;

const rounded = (degrees: number): number => Number(degrees.toFixed(DECIMALS));

/** Every so many positions of a closed ring, which stays closed. */
function thinned(ring: Ring, step: number): Ring {
  const open = ring.slice(0, -1);
  const kept = open.length / step < 4 ? open : open.filter((_, index) => index % step === 0);
  const positions = kept.map(([longitude, latitude]): Position => [rounded(longitude), rounded(latitude)]);
  return [...positions, ...positions.slice(0, 1)];
}

/**
 * A field's boundary to be drawn: rounded to a tenth of a metre, of more than 1,000 positions every second, third … one.
 * A Polygon where there is one part. Parts and holes that are too many to be thinned so are left out, the last first.
 */
export function outlineOf({ coordinates }: MultiPolygon): Polygon | MultiPolygon {
  const positions = coordinates.flat(2).length;
  const step = Math.ceil(positions / MOST_POSITIONS);
  let left = MOST_POSITIONS;
  const parts = coordinates.map((rings) =>
    rings
      .map((ring) => thinned(ring, step))
      .filter((ring, index) => {
        left -= ring.length;
        return left >= 0 || (index === 0 && left + ring.length === MOST_POSITIONS);
      }),
  );
  const shown = parts.filter(({ length }) => length > 0);
  const [first, ...others] = shown;
  return first !== undefined && others.length === 0
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: shown };
}
