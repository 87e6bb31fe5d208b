import { hashOf, Random } from '../scenes/random.js';
import type { BoundaryScene } from '../../shared/boundary/window/boundaryInput.js';
import { toMapPoint } from '../../shared/geo/grid/grid.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';
import type { LabelledArea } from './labelledArea.js';
import { pointsOf } from './rankerPoints.js';
import { heldOutFamilies } from './sceneFamilies.js';
import { trainingEpsg, trainingScene } from './trainingSample.js';

/** Pixels: whole windows of 256 lie round every point of the middle third. */
const side = 384;
const pointsPerScene = 8;
/** Of a whole scene; a ninth of them lie in the middle. */
const mostFields = 90;
const firstScene = 9_000_000;
const noNirShare = 0.5;

/** Synthetic scenes of a family that no training has seen, each an area of its own with one date and exact labels. */
export function familyAreas(name: string, count: number): LabelledArea[] {
  const first = firstScene + 1000 * Object.keys(heldOutFamilies).indexOf(name);
  return Array.from({ length: count }, (_, k) => familyArea(name, first + k));
}

function familyArea(name: string, seed: number): LabelledArea {
  const random = new Random(hashOf(seed, 7006));
  const options = { side, dates: 1, paletteShare: 0.5, family: heldOutFamilies[name] ?? {} };
  const { renderer, window, dates } = trainingScene(seed, options);
  const grid = { epsg: trainingEpsg, pixelWidth: 10, pixelHeight: 10, ...window };
  const projection = projectionOf(grid.epsg);
  const hasNir = !random.isTrue(noNirShare);
  const scenes = dates.map(({ date, scene: { bands, scl } }): BoundaryScene => {
    const { B08, ...visible } = bands;
    return { date, sceneIds: [date], bands: hasNir ? { ...visible, B08 } : visible, scl };
  });
  const isCentral = (place: number): boolean => place >= side / 3 && place < (2 * side) / 3;
  const points = pointsOf(renderer.coverOf(window), window, random, { inFields: mostFields, outsideShare: 0 })
    .filter(({ pixel }) => isCentral(pixel.row) && isCentral(pixel.column))
    .slice(0, pointsPerScene);
  const fields = points.map(({ pixel, outline = [], areaHa }, k) => ({
    id: `${seed}-${k}`,
    outline,
    areaHa,
    seeds: [projection.toPosition(toMapPoint(grid, [pixel.column + 0.5, pixel.row + 0.5]))],
    isScored: true,
  }));
  return { name, grid, scenes, fields };
}
