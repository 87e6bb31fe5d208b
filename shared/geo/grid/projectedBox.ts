import { boxAround } from '../shapes/box.js';
import type { Grid, MapBox } from './grid.js';
import { projectionOf, type MapPoint } from './utm.js';
import { utmEpsgAt } from './utmZone.js';

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

/** The 10 m grid that covers a region given in degrees, in the UTM zone of its middle. */
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
