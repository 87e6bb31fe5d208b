import type { MultiPolygon, Polygon, Position, Ring } from '../../geo/geoJson.js';
import { ringHolds, signedArea, type PlanePoint } from '../../geo/rings.js';
import { boxAround } from '../../geo/box.js';
import { numbersIn } from './byteReader.js';

/** A ring with what it takes to tell which other rings it holds. */
interface Outer {
  readonly ring: Ring;
  readonly holes: Ring[];
  readonly area: number;
  readonly box: ReturnType<typeof boxAround>;
}

const NO_SHAPE = 0;
const HEAD_BYTES = 44;
const POINT_BYTES = 16;
/** Points of rings that holes are compared with: a shape with more is no field. */
const MOST_COMPARISONS = 50_000_000;
/** Points of a hole that are looked for in a ring: the first may lie on its line. */
const LOOKED_FOR = 3;

/**
 * The geometry of a shape of type 5, 15 or 25; heights and measures are left out. Rings that run clockwise are outer
 * ones, each with the holes in it, which run the other way; a hole in no ring is a part of its own.
 *
 * @param position longitude and latitude of a point of the shape's map
 * @returns a text that says what is wrong with it
 * @see ESRI Shapefile Technical Description (1998)
 */
export function shapePolygon(
  shape: Uint8Array,
  position: (point: PlanePoint) => Position,
): Polygon | MultiPolygon | string {
  const numbers = numbersIn(shape);
  const type = numbers.byteLength < 4 ? NaN : numbers.getInt32(0, true);
  if (type === NO_SHAPE) return 'The record has no shape; draw one, or delete the record.';
  if (![5, 15, 25].includes(type)) return `The record has a shape of type ${type}, which is no polygon.`;
  const rings = ringsIn(numbers);
  if (rings === undefined) return 'The shape is damaged: its counts are not those of its points. Write the file anew.';
  if (rings.some((ring) => ring.some(([x, y]) => !Number.isFinite(x) || !Number.isFinite(y)))) return NOT_FINITE;
  const outers = rings.filter((ring) => signedArea(ring) <= 0).map(outerOf);
  const holes = rings.filter((ring) => signedArea(ring) > 0);
  if (outers.reduce((sum, { ring }) => sum + ring.length, 0) * holes.length > MOST_COMPARISONS) {
    return `The shape has ${outers.length} parts and ${holes.length} holes, too many to be sorted; simplify it.`;
  }
  const parts = [...outers, ...holes.filter((hole) => !isPutInto(outers, hole)).map(outerOf)];
  const coordinates = parts.map(({ ring, holes: own }) => [ring, ...own].map((each) => turned(each, position)));
  const [first] = coordinates;
  return first !== undefined && coordinates.length === 1
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates };
}

const NOT_FINITE = 'The shape has a point that is no place on earth. Write the file anew.';

/** Undefined where counts and lengths contradict each other. */
function ringsIn(numbers: DataView): readonly Ring[] | undefined {
  if (numbers.byteLength < HEAD_BYTES) return undefined;
  const [parts, points] = [numbers.getInt32(36, true), numbers.getInt32(40, true)];
  const firstPoint = HEAD_BYTES + 4 * parts;
  if (parts < 1 || points < 1 || firstPoint + POINT_BYTES * points > numbers.byteLength) return undefined;
  const starts = Array.from({ length: parts }, (_, part) => numbers.getInt32(HEAD_BYTES + 4 * part, true));
  const ends = [...starts.slice(1), points];
  if (starts[0] !== 0 || starts.some((start, part) => start >= (ends[part] ?? 0))) return undefined;
  const pointAt = (index: number): PlanePoint => {
    const at = firstPoint + POINT_BYTES * index;
    return [numbers.getFloat64(at, true), numbers.getFloat64(at + 8, true)];
  };
  return starts.map((start, part) =>
    Array.from({ length: (ends[part] ?? start) - start }, (_, index) => pointAt(start + index)),
  );
}

const outerOf = (ring: Ring): Outer => ({ ring, holes: [], area: Math.abs(signedArea(ring)), box: boxAround(ring) });

/** Puts a hole into the smallest ring that holds it. @returns false when none does */
function isPutInto(outers: readonly Outer[], hole: Ring): boolean {
  const [west, south, east, north] = boxAround(hole);
  const around = outers
    .filter(({ box }) => box[0] <= west && box[1] <= south && box[2] >= east && box[3] >= north)
    .filter(({ ring }) => hole.slice(0, LOOKED_FOR).some((point) => ringHolds(ring, point)));
  const [smallest] = around.toSorted((a, b) => a.area - b.area);
  smallest?.holes.push(hole);
  return smallest !== undefined;
}

/** The ring in degrees, the other way round: GeoJSON has outer rings counter-clockwise (RFC 7946, section 3.1.6). */
const turned = (ring: Ring, position: (point: PlanePoint) => Position): Ring => ring.map(position).reverse();
