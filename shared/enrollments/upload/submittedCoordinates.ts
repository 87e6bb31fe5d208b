import type { Position, Ring } from '../../geo/shapes/geoJson.js';
import type { FieldParts } from '../../geo/soundness/boundaryEdges.js';
import { MOST_FIELD_POSITIONS, requireCount } from '../../geo/soundness/soundShape.js';
import { numberIn } from './jsonNumber.js';
import { JsonScanner, OPEN_ARRAY } from '../../kit/json/jsonScanner.js';
import { unbounded } from '../../kit/json/structureBudget.js';
import type { TextMember } from '../../kit/json/jsonMembers.js';

/** The bytes of a submission that was scanned whole, and where in them the coordinates of a geometry begin. */
export interface CoordinatesPlace {
  readonly bytes: Uint8Array;
  readonly coordinatesAt: number | undefined;
}

/** Levels of arrays around a position, by the type of geometry. */
export const POSITION_LEVELS: ReadonlyMap<string, number> = new Map([
  ['Polygon', 2],
  ['MultiPolygon', 3],
]);

/** Numbers of a position: longitude, latitude, height, measure. */
const MOST_NUMBERS = 4;
/** A shorter number without an exponent is within the range of a double. */
const FINITE_BYTES = 300;

function scannerAt({ bytes, coordinatesAt }: CoordinatesPlace): JsonScanner | undefined {
  return coordinatesAt === undefined ? undefined : new JsonScanner(bytes, unbounded, coordinatesAt);
}

/**
 * Finds the first value in coordinates that is neither an array nor a position where one is required.
 *
 * @param levels of arrays around a position
 * @returns its path of indexes; undefined when there is none
 */
export function coordinatesFault(place: CoordinatesPlace, levels: number): readonly number[] | undefined {
  const scanner = scannerAt(place);
  return scanner === undefined ? [] : faultIn(scanner, levels);
}

function faultIn(scanner: JsonScanner, levels: number): readonly number[] | undefined {
  if (scanner.peek() !== OPEN_ARRAY) return [];
  if (levels === 0) return isPosition(scanner) ? undefined : [];
  let index = 0;
  for (let more = scanner.enterArray(); more; more = scanner.hasMoreItems()) {
    const path = faultIn(scanner, levels - 1);
    if (path !== undefined) return [index, ...path];
    index += 1;
  }
  return undefined;
}

function isPosition(scanner: JsonScanner): boolean {
  let count = 0;
  for (let more = scanner.enterArray(); more; more = scanner.hasMoreItems()) {
    count += 1;
    if (count > MOST_NUMBERS || !isFiniteNumber(scanner)) return false;
  }
  return count >= 2;
}

/** Whether a finite number comes next; it is skipped then. */
function isFiniteNumber(scanner: JsonScanner): boolean {
  if (!scanner.isAtNumber()) return false;
  const start = scanner.at;
  const isPlain = scanner.skipNumber();
  return (isPlain && scanner.at - start < FINITE_BYTES) || Number.isFinite(numberIn(scanner.bytes, start, scanner.at));
}

/**
 * Reads the boundary of a field: longitude and latitude only; of equal neighbours one.
 *
 * @param type `Polygon` or `MultiPolygon`; the coordinates are known to have its form
 * @throws FieldFailure when it has more positions than a field may have; they are counted and not kept
 */
export function readBoundary(place: CoordinatesPlace, type: TextMember): FieldParts {
  const scanner = scannerAt(place);
  if (scanner === undefined) throw new Error('A field of an accepted submission has no coordinates.');
  const reader = new BoundaryReader(scanner);
  const parts = type === 'Polygon' ? [reader.rings()] : reader.parts();
  reader.requireCount();
  return parts;
}

class BoundaryReader {
  readonly #scanner: JsonScanner;
  #positions = 0;
  #arrays = 0;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
  }

  parts(): FieldParts {
    return this.#items(() => this.rings());
  }

  rings(): readonly Ring[] {
    return this.#items(() => this.#ring());
  }

  requireCount(): void {
    requireCount(this.#positions);
  }

  /** Keeps at most `MOST_FIELD_POSITIONS` arrays: among more of them some are too short, and the field fails anyway. */
  #items<T>(read: () => T): readonly T[] {
    const items: T[] = [];
    for (let more = this.#scanner.enterArray(); more; more = this.#scanner.hasMoreItems()) {
      const item = read();
      this.#arrays += 1;
      if (this.#arrays <= MOST_FIELD_POSITIONS) items.push(item);
    }
    return items;
  }

  #ring(): Ring {
    const ring: Position[] = [];
    let [lastX, lastY] = [NaN, NaN];
    for (let more = this.#scanner.enterArray(); more; more = this.#scanner.hasMoreItems()) {
      const position = this.#position();
      const [x, y] = position;
      if (x === lastX && y === lastY) continue;
      [lastX, lastY] = position;
      this.#positions += 1;
      if (this.#positions <= MOST_FIELD_POSITIONS) ring.push(position);
    }
    return ring;
  }

  #position(): Position {
    const scanner = this.#scanner;
    scanner.enterArray();
    const x = this.#number();
    scanner.hasMoreItems();
    const y = this.#number();
    while (scanner.hasMoreItems()) scanner.skipValue();
    return [x, y];
  }

  #number(): number {
    const scanner = this.#scanner;
    scanner.peek();
    const start = scanner.at;
    scanner.skipNumber();
    return numberIn(scanner.bytes, start, scanner.at);
  }
}
