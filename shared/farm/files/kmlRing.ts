import type { Position, Ring } from '../../geo/shapes/geoJson.js';
import { MOST_FIELD_POSITIONS } from '../../geo/soundness/soundShape.js';

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Longer ones say no more, and would take long to be looked at. */
const MOST_DIGITS = 40;
/** Longitude, latitude, height and one more of each corner. */
const MOST_NUMBERS = 4 * MOST_FIELD_POSITIONS;
const [MOST_LONGITUDE, MOST_LATITUDE] = [180, 90];

/**
 * The corners in a `coordinates` element, without heights; a ring that is not closed becomes so. Corners are parted by
 * spaces; where there are commas alone, the numbers are pairs or triples, as only one of both can be.
 *
 * @returns undefined for an empty text, else what is wrong with it: the end of a sentence
 */
export function ringOf(text: string): Ring | string | undefined {
  const { corners, count } = cornersIn(text);
  if (count === 0) return undefined;
  if (count > MOST_FIELD_POSITIONS) {
    return `has ${count} corners; at most ${MOST_FIELD_POSITIONS} are taken, so simplify it`;
  }
  if (corners.length < count) return `has more than ${MOST_NUMBERS} numbers in its coordinates; simplify it`;
  const strange = corners.flat().find((number) => number.length > MOST_DIGITS || !NUMBER.test(number));
  if (strange !== undefined) return `has "${shown(strange)}" in place of a number in its coordinates`;
  if (corners.some(({ length }) => length === 1)) return `${ALONE}; each is longitude,latitude, parted by a space`;
  if (corners.every(({ length }) => length <= 3)) return closed(corners.map(positionOf));
  return ringOfNumbers(corners.flat());
}

interface Corners {
  /** The numbers of each. */
  readonly corners: readonly (readonly string[])[];
  readonly count: number;
}

/**
 * The numbers of each corner. A comma joins what stands on both sides of it, whatever spaces lie between. Corners are counted
 * to the end, and kept as long as they may be a field.
 */
function cornersIn(text: string): Corners {
  const corners: string[][] = [];
  let [count, numbersLeft] = [0, MOST_NUMBERS];
  let isJoined = false;
  for (const [piece] of text.matchAll(/\S+/g)) {
    const { numbers, commas, beginsOpen, endsOpen } = numbersOf(piece);
    const goesOn = count > 0 && (isJoined || beginsOpen);
    isJoined = endsOpen;
    if (numbers.length === 0) continue;
    if (!goesOn) count += 1;
    numbersLeft -= commas + 1;
    if (numbersLeft < 0 || count > MOST_FIELD_POSITIONS) corners.length = 0;
    else add(corners, numbers, goesOn);
  }
  return { corners, count };
}

function add(corners: string[][], numbers: string[], goesOn: boolean): void {
  if (goesOn) for (const number of numbers) corners.at(-1)?.push(number);
  else corners.push(numbers);
}

/** What stands between two spaces: its numbers, its commas, and whether there is one at its ends. */
function numbersOf(piece: string) {
  const numbers = piece.split(',', MOST_NUMBERS + 1);
  const commas = numbers.length - 1;
  const [beginsOpen, endsOpen] = [numbers[0] === '', numbers.at(-1) === ''];
  if (beginsOpen) numbers.shift();
  while (numbers.at(-1) === '') numbers.pop();
  return { numbers, commas, beginsOpen, endsOpen };
}

const ALONE = 'has a number by itself among its corners';

const shown = (text: string): string => text.slice(0, 40).replaceAll(/\p{C}/gu, '?');

const positionOf = ([longitude, latitude]: readonly string[]): Position => [Number(longitude), Number(latitude)];

const isSame = ([x, y]: Position, [x2, y2]: Position): boolean => x === x2 && y === y2;

const isClosed = (ring: Ring): boolean => {
  const [first, last] = [ring[0], ring.at(-1)];
  return first !== undefined && last !== undefined && isSame(first, last);
};

const closed = (ring: Ring): Ring => (isClosed(ring) ? ring : [...ring, ...ring.slice(0, 1)]);

const isOnEarth = (ring: Ring): boolean =>
  ring.every(([longitude, latitude]) => Math.abs(longitude) <= MOST_LONGITUDE && Math.abs(latitude) <= MOST_LATITUDE);

/** A ring of which only the numbers are known, not where a corner ends. */
function ringOfNumbers(numbers: readonly string[]): Ring | string {
  const readings = [3, 2]
    .filter((width) => numbers.length % width === 0)
    .map((width) =>
      Array.from({ length: numbers.length / width }, (_, at) => positionOf(numbers.slice(at * width, at * width + 2))),
    )
    .filter(isOnEarth);
  // A ring ends where it begins, which hardly ever is so by chance.
  const chosen = readings.length === 1 ? readings : readings.filter(isClosed);
  const [ring] = chosen;
  if (ring !== undefined && chosen.length === 1) return closed(ring);
  return `has ${numbers.length} numbers parted by commas alone, which are no clear pairs or triples; put a space behind each corner`;
}
