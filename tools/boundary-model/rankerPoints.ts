import type { Cover } from '../scenes/cover.js';
import type { Random } from '../scenes/random.js';
import { paintedMarginPixels, pixelM, samplesPerPixel } from '../scenes/sensor.js';
import { depthIn, poleOf, wholeFields } from '../scenes/seenFields.js';
import type { PixelGrid } from '../scenes/sight.js';
import type { Field } from '../scenes/farmland.js';
import type { Pixel } from '../../shared/boundary/window/chooseDates.js';
import { coverageOf } from './trueCoverage.js';
import type { Coverage } from './trueCoverage.js';

/** A pixel to ask for, and the truth there: undefined where no field is. */
export interface TruePoint {
  readonly pixel: Pixel;
  readonly coverage: Coverage | undefined;
  /** Of the field, in metres of the map. */
  readonly outline: Field['outline'] | undefined;
  readonly areaHa: number;
}

/** How many points to ask for in one scene. */
export interface PointCounts {
  /** In as many fields; fewer where the scene has fewer. */
  readonly inFields: number;
  /** Share of the scenes that points outside fields are asked for in, 0–1. */
  readonly outsideShare: number;
}

const leastFieldM2 = 3000;
const outsidePoints = 6;
/** Depth of random points in their field, and of points outside fields in what lies there. */
const insideM = 12;
const outsideM = 20;

/** Points in some fields of a scene, half of them at the pole; in some scenes points where no field is as well. */
export function pointsOf(
  cover: Cover,
  window: PixelGrid,
  random: Random,
  { inFields, outsideShare }: PointCounts,
): TruePoint[] {
  const box = [
    window.originX,
    window.originY - window.height * pixelM,
    window.originX + window.width * pixelM,
    window.originY,
  ] as const;
  const fields = shuffled(wholeFields(cover, box), random).filter(({ areaM2 }) => areaM2 >= leastFieldM2);
  const inside = fields.slice(0, inFields).map((field) => {
    const [x, y] = placeIn(field, random);
    return {
      pixel: { row: Math.floor((window.originY - y) / pixelM), column: Math.floor((x - window.originX) / pixelM) },
      coverage: coverageOf(cover, cover.fields.indexOf(field)),
      outline: field.outline,
      areaHa: field.areaM2 / 10_000,
    };
  });
  return random.isTrue(outsideShare) ? [...inside, ...pointsOutside(cover, random)] : inside;
}

function shuffled(fields: readonly Field[], random: Random): Field[] {
  return fields
    .map((field) => ({ field, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ field }) => field);
}

function placeIn(field: Field, random: Random): readonly [number, number] {
  const { place, depthM } = poleOf(field);
  if (random.isTrue(0.5)) return place;
  const [west, south, east, north] = field.box;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const drawn = [random.between(west, east), random.between(south, north)] as const;
    if (depthIn(field.outline, drawn) >= Math.min(insideM, 0.8 * depthM)) return drawn;
  }
  return place;
}

/** Pixels whose surroundings hold no field at all: woods, towns, water. */
function pointsOutside({ grid, samples }: Cover, random: Random): TruePoint[] {
  const side = grid.width / samplesPerPixel - 2 * paintedMarginPixels;
  const reach = Math.ceil(outsideM / grid.stepM);
  const points: TruePoint[] = [];
  for (let attempt = 0; attempt < 400 && points.length < outsidePoints; attempt += 1) {
    const pixel = { row: Math.floor(random.between(8, side - 8)), column: Math.floor(random.between(8, side - 8)) };
    const middle = (k: number): number => (k + paintedMarginPixels) * samplesPerPixel + samplesPerPixel / 2;
    const [row, column] = [middle(pixel.row), middle(pixel.column)];
    let isOutside = true;
    for (let y = row - reach; y <= row + reach && isOutside; y += 2) {
      for (let x = column - reach; x <= column + reach; x += 2) {
        if ((samples[y * grid.width + x] ?? 0) >= 0) isOutside = false;
      }
    }
    if (isOutside) points.push({ pixel, coverage: undefined, outline: undefined, areaHa: 0 });
  }
  return points;
}
