import { projectionOf } from '../../shared/geo/grid/utm.js';
import { utmEpsgAt } from '../../shared/geo/grid/utmZone.js';
import { pixelAt, type Frame } from './frame.js';
import type { MapColours } from './mapColours.js';
import { fromMercator, groundScaleAt, toMercator } from './mercator.js';
import { gridSpacingM } from './scales.js';

/** Each fifth line is strong. */
const STRONG_EACH = 5;
/** Places along a line: a UTM line is nearly straight on the map. */
const PARTS = 4;

/** Multiples of `step` from `from` to `to`. */
function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
}

/** UTM lines that cross the frame: each a row of CSS pixels, and whether it is strong. */
function linesIn(frame: Frame, spacing: number) {
  const [west, south, east, north] = frame.box;
  const centre = fromMercator([(west + east) / 2, (south + north) / 2]);
  const { toMap, toPosition } = projectionOf(utmEpsgAt(centre));
  const corners = [west, east].flatMap((x) => [south, north].map((y) => toMap(fromMercator([x, y]))));
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const pixels = (x: number, y: number) => pixelAt(frame, ...toMercator(toPosition([x, y])));
  const parts = Array.from({ length: PARTS + 1 }, (_, part) => part / PARTS);
  const isStrong = (at: number): boolean => Math.round(at / spacing) % STRONG_EACH === 0;
  return [
    ...multiples(spacing, left, right).map((x) => ({
      isStrong: isStrong(x),
      points: parts.map((part) => pixels(x, low + (high - low) * part)),
    })),
    ...multiples(spacing, low, high).map((y) => ({
      isStrong: isStrong(y),
      points: parts.map((part) => pixels(left + (right - left) * part, y)),
    })),
  ];
}

/** Draws the UTM grid below the fields: a map without tiles still has a scale and a north. */
export function drawGroundGrid(frame: Frame, colours: MapColours): void {
  const { context, box, resolution } = frame;
  const spacing = gridSpacingM(resolution * groundScaleAt((box[1] + box[3]) / 2));
  if (spacing === undefined) return;
  const lines = linesIn(frame, spacing);
  context.lineWidth = 1;
  for (const strong of [false, true]) {
    context.strokeStyle = strong ? colours.gridLineStrong : colours.gridLine;
    context.beginPath();
    for (const { points } of lines.filter(({ isStrong }) => isStrong === strong)) {
      points.forEach(([x, y], index) => {
        if (index === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      });
    }
    context.stroke();
  }
}
