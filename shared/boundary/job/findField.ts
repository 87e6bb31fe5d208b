import type { BoundaryModel } from '../predict/boundaryModel.js';
import { predictBoundary, type BoundaryPrediction, type BoundaryRefusal } from '../predict/predictBoundary.js';
import type { Position } from '../../geo/shapes/geoJson.js';
import { isInside, toPixel, type Grid, type PixelWindow } from '../../geo/grid/grid.js';
import { projectionOf } from '../../geo/grid/utm.js';
import type { PassedScene } from '../stack/chosenScenes.js';
import { scenePicture, type ScenePicture } from '../stack/scenePicture.js';
import { coveredWindow, cutTo, sceneStack, type ReadScene } from '../stack/sceneStack.js';

/** What the search for one field starts from. */
export interface FieldSearch {
  /** The search region's grid; the point lies on it. */
  readonly grid: Grid;
  readonly point: Position;
  readonly scenes: readonly ReadScene[];
}

/** What the search for one field found. */
export interface FieldFinding {
  /** Undefined when no scene shows the point's pixel. */
  readonly answer: BoundaryPrediction | BoundaryRefusal | undefined;
  /** Scenes that could not be used. */
  readonly passed: readonly PassedScene[];
  /** Whether a larger region may change the answer: the field reaches a side beyond which there is more ground. */
  readonly mayGrow: boolean;
  /** The clearest date that was used; only with a field. */
  readonly picture: ScenePicture | undefined;
}

/** A field this close to the edge of the window may go on beyond it. */
const NEAR_PIXELS = 2;

/** Draws the scenes on one grid and predicts the field at the point. */
export async function findField(
  { grid: whole, point, scenes: read }: FieldSearch,
  model: BoundaryModel,
): Promise<FieldFinding> {
  const { scenes: stack, passed } = sceneStack(whole, read);
  const window = coveredWindow(whole, stack);
  if (window === undefined || !isShown(point, whole, window)) {
    return { answer: undefined, passed, mayGrow: false, picture: undefined };
  }
  const { grid, scenes } = cutTo(whole, stack, window);
  const answer = predictBoundary({ grid, scenes, point }, model);
  const picture = answer.outcome === 'field' ? await scenePicture({ grid, scenes, uses: answer.dates }) : undefined;
  return { answer, passed, mayGrow: mayGrow(answer, grid, openSides(whole, window)), picture };
}

function isShown(point: Position, whole: Grid, window: PixelWindow): boolean {
  const [column, row] = toPixel(whole, projectionOf(whole.epsg).toMap(point));
  const pixel = { column: Math.floor(column) - window.column, row: Math.floor(row) - window.row, width: 1, height: 1 };
  return isInside(pixel, window);
}

type Sides = Readonly<Record<'left' | 'top' | 'right' | 'bottom', boolean>>;

/** The sides at which the window ends with the search region, not with the data. */
function openSides(whole: Grid, { column, row, width, height }: PixelWindow): Sides {
  return {
    left: column === 0,
    top: row === 0,
    right: column + width === whole.width,
    bottom: row + height === whole.height,
  };
}

function mayGrow(answer: BoundaryPrediction | BoundaryRefusal, grid: Grid, open: Sides): boolean {
  if (!answer.touchesWindow) return false;
  if (answer.outcome === 'refused') return Object.values(open).includes(true);
  const { toMap } = projectionOf(grid.epsg);
  const corners = answer.polygon.coordinates.flat().map((position) => toPixel(grid, toMap(position)));
  return corners.some(
    ([x, y]) =>
      (open.left && x <= NEAR_PIXELS) ||
      (open.top && y <= NEAR_PIXELS) ||
      (open.right && x >= grid.width - NEAR_PIXELS) ||
      (open.bottom && y >= grid.height - NEAR_PIXELS),
  );
}
