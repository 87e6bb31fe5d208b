import type { MultiPolygon, Polygon, Position, Ring } from '../../geo/shapes/geoJson.js';
import { ringArea, ringHolds, signedArea, type PlanePoint } from '../../geo/shapes/rings.js';
import { boxAround, type Box } from '../../geo/shapes/box.js';
import { numbersIn } from '../files/byteReader.js';

/** A ring with what it takes to tell which others it lies in. */
interface NestedRing {
  readonly ring: Ring;
  readonly area: number;
  readonly box: Box;
  readonly holes: Ring[];
  /** The part whose hole it is; undefined for a part. */
  holder: NestedRing | undefined;
}

const NO_SHAPE = 0;
const HEAD_BYTES = 44;
const POINT_BYTES = 16;
/** Boxes and points of rings that others are compared with: a shape with more is no field. */
const MOST_COMPARISONS = 50_000_000;

/**
 * The geometry of a shape of type 5, 15 or 25; heights and measures are left out. A ring within a part is a hole of it, a
 * ring within a hole a part again, and so on, whichever way they run: writers differ in that. Rings that only touch are
 * parts side by side.
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
  const parts = partsOf(rings);
  if (parts === undefined) return `The shape has ${rings.length} parts and holes, too many to be sorted; simplify it.`;
  const coordinates = parts.map(({ ring, holes }) =>
    [turned(ring, true), ...holes.map((hole) => turned(hole, false))].map((each) => each.map(position)),
  );
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

/** Parts with their holes, in the order of the file. @returns undefined where that takes too long */
function partsOf(rings: readonly Ring[]): readonly NestedRing[] | undefined {
  if (rings.length ** 2 > MOST_COMPARISONS) return undefined;
  const nested = rings.map((ring): NestedRing => {
    return { ring, area: ringArea(ring), box: boxAround(ring), holes: [], holder: undefined };
  });
  const larger: NestedRing[] = [];
  let comparisons = 0;
  for (const each of nested.toSorted((one, other) => other.area - one.area)) {
    const around = larger.filter(({ box }) => holdsBox(box, each.box));
    comparisons += around.reduce((sum, { ring }) => sum + ring.length, 0);
    if (comparisons > MOST_COMPARISONS) return undefined;
    const inside = pointInside(each.ring, each.box);
    const smallest = around.findLast(({ ring }) => ringHolds(ring, inside));
    each.holder = smallest?.holder === undefined ? smallest : undefined;
    larger.push(each);
  }
  for (const { ring, holder } of nested) holder?.holes.push(ring);
  return nested.filter(({ holder }) => holder === undefined);
}

const holdsBox = (outer: Box, inner: Box): boolean =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

/** A point in a ring, and so on no line of a ring that does not cross it: halfway across, between two heights of its points. */
function pointInside(ring: Ring, [, south, , north]: Box): PlanePoint {
  const middle = (south + north) / 2;
  const above = ring.reduce((least, [, y]) => (y > middle && y < least ? y : least), north);
  const y = (middle + above) / 2;
  const crossed = ring
    .flatMap(([toX, toY], index): number[] => {
      const [fromX, fromY] = ring.at(index - 1) ?? [toX, toY];
      return fromY > y === toY > y ? [] : [fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)];
    })
    .toSorted((one, other) => one - other);
  const [west, east] = crossed;
  return west === undefined || east === undefined ? (ring[0] ?? [NaN, NaN]) : [(west + east) / 2, y];
}

/** GeoJSON has outer rings counter-clockwise, and holes clockwise (RFC 7946, section 3.1.6). */
const turned = (ring: Ring, isOuter: boolean): Ring => (signedArea(ring) > 0 === isOuter ? ring : ring.toReversed());
