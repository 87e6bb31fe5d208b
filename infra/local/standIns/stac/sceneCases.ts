import type { Polygon, Position } from '../../../../shared/geo/shapes/geoJson.js';
import { toMapPoint, type Grid } from '../../../../shared/geo/grid/grid.js';
import { utmProjection, type MapPoint } from '../../../../shared/geo/grid/utm.js';

/** What real catalogues and scenes do beside tidy ones; each is off unless asked for. */
export interface SceneCases {
  /** A datastrip ends at this place: each tile that shows it comes in two granules, a northern and a southern one. */
  readonly cutAt?: Position;
  /** `sentinel-2-l2a` has each granule in a second version too, two days later. */
  readonly isReprocessed?: true;
  /** That version shows what lies west of this place alone. */
  readonly reprocessedWestOf?: Position;
  /** Share of the land in deep shadow, 0–1. */
  readonly shadowFraction?: number;
  /** Tiles of the neighbouring zones show a place too; of every second overpass they alone are in the catalogue. */
  readonly hasNeighbourZones?: true;
  /** `sentinel-2-l2a` names the tiles of zones 1 to 9 with one digit. */
  readonly hasOddTileNames?: true;
  /** Beside each item there is one that no image can be made of, of one kind or another. */
  readonly hasOddItems?: true;
}

/** The side of a line on a map: [x, y] of a place on it, and the direction it is shown in. */
export interface Side {
  readonly at: MapPoint;
  readonly towards: MapPoint;
}

/** Which of two granules a place lies in: the track of the satellite leans, and so does the cut across it. */
export function sideOfCut({ epsg }: Grid, cut: Position, granule: 0 | 1): Side {
  const at = utmProjection(epsg).toMap(cut);
  return { at, towards: granule === 0 ? [0.2, 1] : [-0.2, -1] };
}

/** What lies west of a place. */
export const sideWestOf = ({ epsg }: Grid, place: Position): Side => ({
  at: utmProjection(epsg).toMap(place),
  towards: [-1, 0],
});

const reach = ({ at, towards }: Side, [x, y]: MapPoint): number => (x - at[0]) * towards[0] + (y - at[1]) * towards[1];

/** Whether a place on the map lies on all of these sides; one on a line belongs to the first of its two sides. */
export const isShown = (sides: readonly Side[], place: MapPoint): boolean =>
  sides.every((side) => reach(side, place) >= (side.towards[1] < 0 ? Number.MIN_VALUE : 0));

/** The part of a ring on one side of a line. @see Sutherland & Hodgman (1974), Reentrant polygon clipping */
function clipped(ring: readonly MapPoint[], side: Side): readonly MapPoint[] {
  return ring.flatMap((point, index) => {
    const before = ring[(index + ring.length - 1) % ring.length] ?? point;
    const [from, to] = [reach(side, before), reach(side, point)];
    const share = from / (from - to);
    const crossing: MapPoint = [before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share];
    const isCrossed = from >= 0 !== to >= 0;
    return [...(isCrossed ? [crossing] : []), ...(to >= 0 ? [point] : [])];
  });
}

/** Outline in degrees of what is shown of a tile; undefined when that is nothing. */
export function outlineOf(grid: Grid, sides: readonly Side[]): Polygon | undefined {
  const { width, height } = grid;
  const corners: readonly MapPoint[] = [
    [0, 0],
    [0, height],
    [width, height],
    [width, 0],
  ];
  const whole = corners.map((corner) => toMapPoint(grid, corner));
  const ring = sides.reduce<readonly MapPoint[]>(clipped, whole);
  const [first] = ring;
  if (first === undefined) return undefined;
  const { toPosition } = utmProjection(grid.epsg);
  const positions = [...ring, first].map((point): Position => {
    const [longitude, latitude] = toPosition(point);
    return [Number(longitude.toFixed(6)), Number(latitude.toFixed(6))];
  });
  return { type: 'Polygon', coordinates: [positions] };
}
