import { boxAround } from '../../geo/shapes/box.js';
import { toMapPoint, toPixel, windowAround, withMargin, type Grid, type PixelWindow } from '../../geo/grid/grid.js';
import { sampleArray, sampleTypeOf, type Pixels } from '../tiff/pixels.js';
import { projectionOf, type MapPoint } from '../../geo/grid/utm.js';

/**
 * Exact positions are computed for every 16th pixel and interpolated between these: over 160 m the mapping of one UTM
 * grid to another differs from a linear one by less than a millimetre.
 */
const LATTICE_PIXELS = 16;

/** How one raster is drawn on another's grid. */
export interface Resampling {
  readonly from: Grid;
  readonly to: Grid;
  readonly nodata: number;
  /** `nearest` for classes. */
  readonly by: 'bilinear' | 'nearest';
}

/** Where pixel coordinates of one grid lie on another. */
function pixelMapper(from: Grid, to: Grid): (pixel: MapPoint) => MapPoint {
  if (from.epsg === to.epsg) return (pixel) => toPixel(to, toMapPoint(from, pixel));
  const [source, target] = [projectionOf(from.epsg), projectionOf(to.epsg)];
  return (pixel) => toPixel(to, target.toMap(source.toPosition(toMapPoint(from, pixel))));
}

/**
 * The window of the source that resampling onto `to` needs, one pixel more on each side.
 *
 * It may reach beyond the source or miss it altogether.
 */
export function sourceWindow(from: Grid, to: Grid): PixelWindow {
  const place = pixelMapper(to, from);
  const steps = (length: number): number[] => [
    ...Array.from({ length: Math.ceil(length / LATTICE_PIXELS) }, (_, index) => index * LATTICE_PIXELS),
    length,
  ];
  const edge: MapPoint[] = [
    ...steps(to.width).flatMap((column): MapPoint[] => [
      [column, 0],
      [column, to.height],
    ]),
    ...steps(to.height).flatMap((row): MapPoint[] => [
      [0, row],
      [to.width, row],
    ]),
  ];
  return withMargin(windowAround(from, boxAround(edge.map((pixel) => toMapPoint(from, place(pixel))))), 1);
}

/** Source pixel coordinates of the centres of one target row: [column, row, column, row, …]. */
function centresOfRow(lattice: readonly (readonly MapPoint[])[], row: number, width: number): Float64Array {
  const top = Math.floor(row / LATTICE_PIXELS);
  const down = (row - top * LATTICE_PIXELS) / LATTICE_PIXELS;
  const [upper = [], lower = []] = [lattice[top], lattice[top + 1]];
  const between = (points: readonly MapPoint[], column: number, axis: 0 | 1): number => {
    const left = Math.floor(column / LATTICE_PIXELS);
    const across = (column - left * LATTICE_PIXELS) / LATTICE_PIXELS;
    return (points[left]?.[axis] ?? NaN) * (1 - across) + (points[left + 1]?.[axis] ?? NaN) * across;
  };
  const centres = new Float64Array(width * 2);
  for (let column = 0; column < width; column += 1) {
    for (const axis of [0, 1] as const) {
      centres[column * 2 + axis] = between(upper, column, axis) * (1 - down) + between(lower, column, axis) * down;
    }
  }
  return centres;
}

/** Exact source places of every 16th target pixel's centre, row by row. */
function latticeOf({ from, to }: Resampling): readonly (readonly MapPoint[])[] {
  const place = pixelMapper(to, from);
  const count = (length: number): number => Math.floor((length - 1) / LATTICE_PIXELS) + 2;
  return Array.from({ length: count(to.height) }, (_, row) =>
    Array.from({ length: count(to.width) }, (__, column) =>
      place([column * LATTICE_PIXELS + 0.5, row * LATTICE_PIXELS + 0.5]),
    ),
  );
}

/** Reads one band of the source at pixel coordinates. */
type Sampler = (band: number, x: number, y: number) => number;

function nearestSampler({ data, width, height }: Pixels, nodata: number): Sampler {
  return (band, x, y) => {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const isInside = column >= 0 && row >= 0 && column < width && row < height;
    return isInside ? (data[(band * height + row) * width + column] ?? nodata) : nodata;
  };
}

/** Weighted mean of the four nearest centres that have data; nodata when these weigh less than half. */
function bilinearSampler(pixels: Pixels, nodata: number): Sampler {
  const nearest = nearestSampler(pixels, nodata);
  return (band, x, y) => {
    const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [right, down] = [x - 0.5 - left, y - 0.5 - top];
    let [sum, weights] = [0, 0];
    for (const [column, row, weight] of [
      [left, top, (1 - right) * (1 - down)],
      [left + 1, top, right * (1 - down)],
      [left, top + 1, (1 - right) * down],
      [left + 1, top + 1, right * down],
    ] as const) {
      const value = nearest(band, column + 0.5, row + 0.5);
      if (value === nodata || Number.isNaN(value)) continue;
      sum += value * weight;
      weights += weight;
    }
    return weights < 0.5 ? nodata : sum / weights;
  };
}

/**
 * Draws pixels on another grid, also across UTM zones and from EPSG:4326.
 *
 * Bilinear takes the mean of the neighbours that have data, rounded for integer types; nearest takes the pixel in which
 * the target's centre lies. Pixels beyond the source are nodata.
 *
 * @param pixels on the grid `from`
 * @returns pixels of the same data type on the grid `to`
 */
export function resample(pixels: Pixels, resampling: Resampling): Pixels {
  const { to, nodata, by } = resampling;
  const lattice = latticeOf(resampling);
  const sampler = by === 'nearest' ? nearestSampler(pixels, nodata) : bilinearSampler(pixels, nodata);
  const sampleType = sampleTypeOf(pixels.data);
  const isRounded = by === 'bilinear' && sampleType !== 'float32';
  const data = sampleArray(sampleType, to.width * to.height * pixels.bands);
  for (let row = 0; row < to.height; row += 1) {
    const centres = centresOfRow(lattice, row, to.width);
    for (let band = 0; band < pixels.bands; band += 1) {
      for (let column = 0; column < to.width; column += 1) {
        const value = sampler(band, centres[column * 2] ?? NaN, centres[column * 2 + 1] ?? NaN);
        data[(band * to.height + row) * to.width + column] = isRounded ? Math.round(value) : value;
      }
    }
  }
  return { width: to.width, height: to.height, bands: pixels.bands, data };
}
