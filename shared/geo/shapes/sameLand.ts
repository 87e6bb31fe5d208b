import { boxAround, type Box } from './box.js';
import { partsOf, type MultiPolygon, type Point, type Polygon, type Position, type Ring } from './geoJson.js';

/**
 * Degrees, of longitude and of latitude, by which two writings of one position may differ: a tool that writes six decimals
 * moves a position by half of the last, one that writes seven by a tenth of that. On the ground these are six centimetres.
 */
const TOLERANCE = 5.6e-7;
/** Looks at two positions or boxes, for each position; lands that differ only after more of them count as different. */
const LOOKS_A_POSITION = 100;

/** A ring without its closing position. */
interface OpenRing {
  readonly positions: readonly Position[];
  readonly box: Box;
}

/**
 * Whether two geometries are the same land, however it was written: which corner comes first, the direction of rings, the
 * order of parts and of holes, positions that are repeated, heights, and whether one part is a Polygon or a MultiPolygon are of
 * no matter. Positions are compared within a tolerance instead of being rounded: two writings of one position may lie on both
 * sides of where any rounding changes.
 */
export function isSameLand(one: Point | Polygon | MultiPolygon, other: Point | Polygon | MultiPolygon): boolean {
  const [ours, theirs] = [one, other].map(openParts) as [OpenPart[], OpenPart[]];
  const positions = [...ours, ...theirs].flat().reduce((sum, ring) => sum + ring.positions.length, 0);
  return new Comparison(LOOKS_A_POSITION * positions).areSameParts(ours, theirs);
}

type OpenPart = readonly OpenRing[];

function openParts(geometry: Point | Polygon | MultiPolygon): readonly OpenPart[] {
  const parts = geometry.type === 'Point' ? [[[geometry.coordinates]]] : partsOf(geometry);
  return parts.map((rings) => rings.map(openRing));
}

function openRing(ring: Ring): OpenRing {
  const positions = ring.length > 1 ? ring.slice(0, -1) : ring;
  return { positions, box: boxAround(positions) };
}

/** A comparison that may take so many looks. */
class Comparison {
  #looksLeft: number;

  constructor(looks: number) {
    this.#looksLeft = looks;
  }

  areSameParts(ours: readonly OpenPart[], theirs: readonly OpenPart[]): boolean {
    return this.#areSame(ours, theirs, ([one, ...holes], [other, ...otherHoles]) => {
      const areOuterRings = one !== undefined && other !== undefined && this.#isSameRing(one, other);
      return areOuterRings && this.#areSame(holes, otherHoles, (hole, otherHole) => this.#isSameRing(hole, otherHole));
    });
  }

  /** Whether each of ours is one of theirs, in any order; it is looked for behind the one that was found last. */
  #areSame<T>(ours: readonly T[], theirs: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
    if (ours.length !== theirs.length) return false;
    const found = new Set<number>();
    let last = -1;
    return ours.every((one) => {
      for (let k = last + 1; k <= last + theirs.length && this.#mayLook(); k += 1) {
        const index = k % theirs.length;
        const other = theirs[index];
        if (other === undefined || found.has(index) || !isSame(one, other)) continue;
        found.add(index);
        last = index;
        return true;
      }
      return false;
    });
  }

  #isSameRing(one: OpenRing, other: OpenRing): boolean {
    const [[west, south, east, north], [otherWest, otherSouth, otherEast, otherNorth]] = [one.box, other.box];
    if (!this.#isNear([west, south], [otherWest, otherSouth])) return false;
    if (!this.#isNear([east, north], [otherEast, otherNorth])) return false;
    const { positions } = other;
    return this.#isSameWalk(one.positions, positions) || this.#isSameWalk(one.positions, positions.toReversed());
  }

  /** Whether two rings have the same corners in the same order, from some corner on. */
  #isSameWalk(ours: readonly Position[], theirs: readonly Position[]): boolean {
    const first = at(ours, 0);
    return theirs.some((position, start) => this.#isNear(first, position) && this.#isWalkedFrom(ours, theirs, start));
  }

  /** Goes around both rings at once. A ring stands still where the other repeats a position. */
  #isWalkedFrom(ours: readonly Position[], theirs: readonly Position[], start: number): boolean {
    let [i, j] = [0, 0];
    const isMeeting = (k: number, l: number): boolean =>
      k <= ours.length && l <= theirs.length && this.#isNear(at(ours, k), at(theirs, start + l));
    while (i < ours.length || j < theirs.length) {
      if (isMeeting(i + 1, j + 1)) [i, j] = [i + 1, j + 1];
      else if (isMeeting(i + 1, j)) i += 1;
      else if (isMeeting(i, j + 1)) j += 1;
      else return false;
    }
    return true;
  }

  #isNear([x, y]: Position, [otherX, otherY]: Position): boolean {
    return this.#mayLook() && Math.abs(x - otherX) <= TOLERANCE && Math.abs(y - otherY) <= TOLERANCE;
  }

  #mayLook(): boolean {
    this.#looksLeft -= 1;
    return this.#looksLeft >= 0;
  }
}

/** The position of a ring that goes around. */
const at = (positions: readonly Position[], index: number): Position =>
  positions[index % positions.length] ?? [NaN, NaN];
