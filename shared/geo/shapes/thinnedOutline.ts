import type { MultiPolygon, Polygon, Position, Ring } from './geoJson.js';

/** Most positions of an outline: enough to draw a field, and few enough for a row with other data. */
export const MOST_POSITIONS = 1_000;
/** Decimals of a degree: a tenth of a metre. */
const DECIMALS = 6;

const rounded = (degrees: number): number => Number(degrees.toFixed(DECIMALS));

/** Every `step`th position of a closed ring, which stays closed. */
function thinned(ring: Ring, step: number): Ring {
  const open = ring.slice(0, -1);
  const kept = open.length / step < 4 ? open : open.filter((_, index) => index % step === 0);
  const positions = kept.map(([longitude, latitude]): Position => [rounded(longitude), rounded(latitude)]);
  return [...positions, ...positions.slice(0, 1)];
}

/**
 * A field's boundary for drawing: rounded to a tenth of a metre, and thinned when it has more than 1,000 positions.
 *
 * Of too many parts and holes the last are left out.
 * @returns a Polygon when there is one part
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
