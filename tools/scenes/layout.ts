import { areaOf, cutAt, frameOf, inset, middleOf, withoutTwins } from './convex.js';
import type { Convex, Frame, MapPlace } from './convex.js';
import { glued } from './glued.js';
import { hashOf, Random } from './random.js';
import type { Region } from './regions.js';

/** How a stretch of country is divided. */
export type FieldStyle = 'small' | 'middle' | 'strip' | 'large' | 'huge' | 'pivot';

/** One parcel before the land's bends: its outline and the number that everything about it follows from. */
export interface Parcel {
  readonly seed: number;
  /** Counter-clockwise, the first corner not repeated; convex but for a few L shapes. */
  readonly outline: readonly MapPlace[];
  readonly style: FieldStyle;
}

const hectare = 10_000;
const sizesHa: Readonly<Record<FieldStyle, readonly [number, number]>> = {
  small: [0.5, 2],
  middle: [2, 7],
  strip: [0.5, 4],
  large: [7, 20],
  huge: [18, 60],
  pivot: [8, 25],
};

export type StyleShares = readonly (readonly [FieldStyle, number])[];

/** How often each style occurs. */
export const usualStyles: StyleShares = [
  ['small', 0.22],
  ['middle', 0.28],
  ['strip', 0.2],
  ['large', 0.14],
  ['huge', 0.11],
  ['pivot', 0.05],
];

const smallestParcelM2 = 600;
const smallestTargetM2 = 2500;

/** What one region's parcels have in common. */
interface Custom {
  readonly random: Random;
  readonly style: FieldStyle;
  readonly shares: StyleShares;
  readonly targetM2: number;
  readonly roadM: number;
  readonly spread: number;
  readonly bareEdgeShare: number;
}

/** All parcels of a region. */
export function parcelsOf(region: Region, shares: StyleShares): Parcel[] {
  const random = new Random(region.seed);
  const style = random.pick(shares);
  const [low, high] = sizesHa[style];
  const custom: Custom = {
    random,
    style,
    shares,
    targetM2: random.between(low, high) * hectare,
    roadM: random.between(0, 9),
    spread: random.between(0.3, 0.9),
    bareEdgeShare: random.between(0.2, 0.9),
  };
  const blocks = blocksOf(random, region.cell, Math.max(custom.targetM2 * random.between(3, 12), 15 * hectare));
  const parcels = blocks.flatMap((block) => parcelsOfBlock(custom, block));
  return parcels.map((parcel, index) => ({ ...parcel, seed: hashOf(region.seed, index) }));
}

function parcelsOfBlock(custom: Custom, block: Convex): Omit<Parcel, 'seed'>[] {
  const { random } = custom;
  const roadM = random.isTrue(0.75) ? Math.max(0, custom.roadM + 3 * random.normal()) : 0;
  const land = inset(block, roadM / 2);
  if (land.length === 0) return [];
  const style = random.isTrue(0.85) ? custom.style : random.pick(custom.shares);
  const [low, high] = sizesHa[style];
  const base = style === custom.style ? custom.targetM2 : random.between(low, high) * hectare;
  const targetM2 = Math.max(smallestTargetM2, base * Math.exp(custom.spread * random.normal()));
  const pieces = style === 'strip' ? strips(random, land, targetM2) : split(random, land, targetM2);
  return withLShapes(random, pieces, style).flatMap((outline) => shaped(custom, outline, style));
}

/** A region's blocks: its first cuts run in a direction of its own, which the later ones follow. */
function blocksOf(random: Random, cell: Convex, targetM2: number): Convex[] {
  const angle = random.between(0, Math.PI);
  const middle = middleOf(cell);
  return cutAt(cell, middle, [Math.cos(angle), Math.sin(angle)])
    .flatMap((half) => cutAt(half, middle, [-Math.sin(angle), Math.cos(angle)]))
    .filter((quarter) => quarter.length > 0)
    .flatMap((quarter) => split(random, quarter, targetM2));
}

/** Cuts land across its long side, mostly, again and again until the pieces are near the target. */
function split(random: Random, land: Convex, targetM2: number, depth = 0): Convex[] {
  if (areaOf(land) < targetM2 * random.between(0.6, 2.2) || depth > 9) return [land];
  const frame = frameOf(land);
  const cutsLong = random.isTrue(frame.lengthM > 1.6 * frame.widthM ? 0.85 : 0.5);
  const normal = turned(cutsLong ? frame.along : frame.across, 0.06 * random.normal());
  const shift = random.between(-0.22, 0.22) * (cutsLong ? frame.lengthM : frame.widthM);
  const middle = middleOf(land);
  const parts = cutAt(land, [middle[0] + shift * normal[0], middle[1] + shift * normal[1]], normal);
  if (parts.some((part) => part.length === 0)) return [land];
  return parts.flatMap((part) => split(random, part, targetM2, depth + 1));
}

function turned([x, y]: MapPlace, angle: number): MapPlace {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return [cosine * x - sine * y, sine * x + cosine * y];
}

/** Parallel strips of varying width, the long ones often cut once more. */
function strips(random: Random, land: Convex, targetM2: number): Convex[] {
  const frame = frameOf(land);
  const [normal, length] = random.isTrue(0.3) ? [frame.across, frame.widthM] : [frame.along, frame.lengthM];
  const widthM = random.between(18, 75);
  const pieces: Convex[] = [];
  let rest = land;
  let position = -length / 2;
  for (;;) {
    position += widthM * Math.exp(0.5 * random.normal());
    if (position > length / 2 - widthM / 2) break;
    const [strip, ahead] = cutAt(rest, alongFrame(frame, normal, position), turned(normal, 0.015 * random.normal()));
    if (strip.length > 0) pieces.push(strip);
    rest = ahead;
  }
  return [...pieces, rest].flatMap((strip) =>
    areaOf(strip) > 2 * targetM2 && random.isTrue(0.5) ? split(random, strip, targetM2) : [strip],
  );
}

function alongFrame({ centre }: Frame, direction: MapPlace, distance: number): MapPlace {
  return [centre[0] + distance * direction[0], centre[1] + distance * direction[1]];
}

const lShapeShare = 0.06;

/** Joins a few pieces with a neighbour whose whole side touches theirs. */
function withLShapes(random: Random, pieces: readonly Convex[], style: FieldStyle): (readonly MapPlace[])[] {
  const outlines: (readonly MapPlace[])[] = [];
  let waiting: Convex | undefined;
  for (const piece of pieces) {
    const isWanted = style !== 'strip' && style !== 'pivot' && random.isTrue(lShapeShare);
    const joined = isWanted && waiting !== undefined ? (glued(waiting, piece) ?? glued(piece, waiting)) : undefined;
    if (joined !== undefined) {
      outlines[outlines.length - 1] = joined;
      waiting = undefined;
    } else {
      outlines.push(piece);
      waiting = piece;
    }
  }
  return outlines;
}

const edgesM: readonly (readonly [number, number])[] = [1.5, 2.5, 4, 6, 9].map((widthM) => [widthM, 1]);

/** Takes the unfarmed edge off and makes a circle of some pivots; nothing below 600 m². */
function shaped(
  { random, bareEdgeShare }: Custom,
  outline: readonly MapPlace[],
  style: FieldStyle,
): Omit<Parcel, 'seed'>[] {
  const edgeM = random.isTrue(bareEdgeShare) ? 0 : random.pick(edgesM);
  const isRound = style === 'pivot' && random.isTrue(0.5) && areaOf(outline) > 4 * hectare;
  const field = isConvex(outline) ? inset(outline, edgeM / 2) : outline;
  const final = withoutTwins(isRound && field.length > 0 ? circleIn(field) : field);
  return areaOf(final) < smallestParcelM2 ? [] : [{ outline: final, style }];
}

function isConvex(outline: readonly MapPlace[]): boolean {
  return outline.every((place, k) => {
    const [before, after] = [outline.at(k - 1) ?? place, outline[(k + 1) % outline.length] ?? place];
    const turn = (place[0] - before[0]) * (after[1] - place[1]) - (place[1] - before[1]) * (after[0] - place[0]);
    return turn >= -1e-6;
  });
}

function circleIn(field: Convex): Convex {
  const { widthM, centre } = frameOf(field);
  const radiusM = Math.max(40, widthM / 2 - 4);
  let circle: Convex = Array.from({ length: 48 }, (_, k): MapPlace => {
    const angle = (k / 48) * 2 * Math.PI;
    return [centre[0] + radiusM * Math.cos(angle), centre[1] + radiusM * Math.sin(angle)];
  });
  field.forEach((from, k) => {
    const to = field[(k + 1) % field.length] ?? from;
    const normal: MapPlace = [to[1] - from[1], from[0] - to[0]];
    circle = cutAt(circle, from, normal)[0];
  });
  return areaOf(circle) > 0.5 * areaOf(field) ? circle : field;
}
