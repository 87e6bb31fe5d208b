import { boxAround, type Grid, type MapBox } from '../../../../../shared/raster/grid.js';
import { type MapPoint, projectionOf } from '../../../../../shared/raster/utm.js';
import { utmEpsgAt } from '../../../../../shared/raster/utmZone.js';

const PIXEL_M = 10;
/** Corners lie on multiples of it, so that 20 m images nest in 10 m ones. */
const CORNER_M = 20;
const STEPS = 16;

/** The box round a region given in degrees, on another map; its sides are followed, not its corners alone. */
export function projectedBox([west, south, east, north]: MapBox, epsg: number): MapBox {
  const { toMap } = projectionOf(epsg);
  const points = Array.from({ length: STEPS + 1 }, (_, k): MapPoint[] => {
    const [x, y] = [west + ((east - west) * k) / STEPS, south + ((north - south) * k) / STEPS];
    return [toMap([x, south]), toMap([x, north]), toMap([west, y]), toMap([east, y])];
  });
  return boxAround(points.flat());
}

/** The 10 m grid that covers a region, in the UTM zone of its middle. */
export function utmGridOf(region: MapBox): Grid {
  const epsg = utmEpsgAt([(region[0] + region[2]) / 2, (region[1] + region[3]) / 2]);
  const [west, south, east, north] = projectedBox(region, epsg);
  const originX = Math.floor(west / CORNER_M) * CORNER_M;
  const originY = Math.ceil(north / CORNER_M) * CORNER_M;
  const cells = (lengthM: number): number => (Math.ceil(lengthM / CORNER_M) * CORNER_M) / PIXEL_M;
  return {
    epsg,
    originX,
    originY,
    pixelWidth: PIXEL_M,
    pixelHeight: PIXEL_M,
    width: cells(east - originX),
    height: cells(originY - south),
  };
}

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
