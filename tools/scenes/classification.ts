import { nonFieldCover } from './cover.js';
import type { Cover } from './cover.js';
import { paintedMarginPixels, pixelM, samplesPerPixel } from './sensor.js';
import { airOver } from './sight.js';
import type { PixelGrid } from './sight.js';
import type { Air, Weather } from './weather.js';

const { ceil, floor, min } = Math;

/** Side of the squares of the classification, as in Sentinel-2 L2A. */
const squareM = 20;
const greenNdvi = 0.35;

/** What the classification is made from. */
export interface ClassifiedGround {
  readonly cover: Cover;
  /** Reflectance of the ground, B04 and B08. */
  readonly red: Float32Array;
  readonly nir: Float32Array;
}

/**
 * Scene classification in the classes of Sentinel-2 L2A: 3 shadow, 4 vegetation, 5 bare, 6 water, 8 and 9 cloud, 10
 * thin cloud. One class for every square of 20 m of the map, on the window's 10 m pixels.
 */
export function classified(ground: ClassifiedGround, window: PixelGrid, weather: Weather): Uint8Array {
  const west = floor(window.originX / squareM) * squareM;
  const north = ceil(window.originY / squareM) * squareM;
  const [shiftX, shiftY] = [(window.originX - west) / pixelM, (north - window.originY) / pixelM];
  const squares: PixelGrid = {
    originX: west,
    originY: north,
    width: ceil((window.width + shiftX) / 2),
    height: ceil((window.height + shiftY) / 2),
  };
  const air = airOver(weather, squares, squareM);
  return Uint8Array.from({ length: window.width * window.height }, (_, k) => {
    const row = floor(k / window.width);
    const [squareX, squareY] = [(k - row * window.width + shiftX) >> 1, (row + shiftY) >> 1];
    const middle = { x: 2 * squareX + 1 - shiftX, y: 2 * squareY + 1 - shiftY };
    return skyClass(air[squareY], squareX) ?? groundClass(ground, middle, window);
  });
}

function skyClass(air: Air | undefined, column: number): number | undefined {
  const cloud = air?.cloud[column] ?? 0;
  if (cloud > 0.75) return 9;
  if (cloud > 0.4) return 8;
  if (cloud > 0.15) return 10;
  return (air?.shadow[column] ?? 0) > 0.4 ? 3 : undefined;
}

/** The class of the ground at a corner of pixels, counted from the window's corner. */
function groundClass(
  { cover: { grid, samples }, red, nir }: ClassifiedGround,
  { x, y }: { readonly x: number; readonly y: number },
  { width, height }: PixelGrid,
): number {
  const sample = (corner: number): number => (corner + paintedMarginPixels) * samplesPerPixel;
  const code = samples[sample(y) * grid.width + sample(x)] ?? 0;
  if (code < 0 && nonFieldCover(code) === 'water') return 6;
  const k = min(height - 1, y) * width + min(width - 1, x);
  const [r, n] = [red[k] ?? 0, nir[k] ?? 0];
  return (n - r) / (n + r + 1e-6) > greenNdvi ? 4 : 5;
}
