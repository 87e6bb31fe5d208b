import { climateOf } from './syntheticClimate.js';
import { gridCell, type Place } from './weatherRecord.js';

/** Ridges and valleys that do not exist: a range of mountains of 20 km from crest to crest around the middle. */
const RANGE = { latitude: 46.5, longitude: 9.15, reachNorth: 1.2, reachEast: 1.8 };
const MEAN_M = 1300;
const HALF_HEIGHT_M = 1250;
const CREST_TO_CREST_NORTH = 0.2;
const CREST_TO_CREST_EAST = 0.3;

/** A valley floor in the middle of the range: some 1,200 m below the mean of its surroundings. */
export const VALLEY: Place = { latitude: RANGE.latitude, longitude: RANGE.longitude };

const bases = new Map<string, number>();

/** Height of the plain that the ground stands on, one value for each cell of 0.25°. */
function baseM(cell: Place): number {
  const name = `${cell.latitude} ${cell.longitude}`;
  const known = bases.get(name) ?? climateOf(cell).elevationM;
  bases.set(name, known);
  return known;
}

function reliefM({ latitude, longitude }: Place): number {
  const north = (latitude - RANGE.latitude) / RANGE.reachNorth;
  const east = (longitude - RANGE.longitude) / RANGE.reachEast;
  const share = Math.exp(-(north ** 2) - east ** 2);
  if (share < 0.001) return 0;
  const wave = (degrees: number, length: number): number => Math.cos((2 * Math.PI * degrees) / length);
  const crests = 0.6 * wave(latitude, CREST_TO_CREST_NORTH) + 0.4 * wave(longitude, CREST_TO_CREST_EAST);
  return share * (MEAN_M + HALF_HEIGHT_M * crests);
}

/** Height of the synthetic ground, whole metres. */
export const groundM = (place: Place): number => Math.round(baseM(gridCell(place)) + reliefM(place));

/** A grid cell of a weather model. */
export interface ModelCell extends Place {
  readonly north: number;
  readonly east: number;
}

/** The cell of a grid of `north` × `east` degrees that a place lies in. */
export const modelCell = ({ latitude, longitude }: Place, north: number, east: number): ModelCell => ({
  latitude: Math.round(latitude / north) * north,
  longitude: Math.round(longitude / east) * east,
  north,
  east,
});

const SAMPLES = 9;

/** Mean height of a cell: what a model takes its ground to be. */
export function meanHeightM(cell: ModelCell, elevationM: (place: Place) => number): number {
  let sum = 0;
  for (let row = 0; row < SAMPLES; row += 1) {
    for (let column = 0; column < SAMPLES; column += 1) {
      sum += elevationM({
        latitude: cell.latitude + ((row + 0.5) / SAMPLES - 0.5) * cell.north,
        longitude: cell.longitude + ((column + 0.5) / SAMPLES - 0.5) * cell.east,
      });
    }
  }
  return Math.round((sum / SAMPLES ** 2) * 100) / 100;
}
