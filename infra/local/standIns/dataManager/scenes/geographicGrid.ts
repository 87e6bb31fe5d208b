import type { Grid, MapBox } from '../../../../../shared/geo/grid/grid.js';

const PIXEL_M = 10;
const METRES_PER_DEGREE = 111_195;

/** A grid in degrees with pixels of about 10 m, as the product's documentation describes its files. */
export function geographicGridOf([west, south, east, north]: MapBox): Grid {
  const pixelHeight = PIXEL_M / METRES_PER_DEGREE;
  const pixelWidth = pixelHeight / Math.cos((((south + north) / 2) * Math.PI) / 180);
  return {
    epsg: 4326,
    originX: west,
    originY: north,
    pixelWidth,
    pixelHeight,
    width: Math.ceil((east - west) / pixelWidth),
    height: Math.ceil((north - south) / pixelHeight),
  };
}
