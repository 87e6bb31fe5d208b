import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { toPixel } from '../../shared/geo/grid/grid.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';
import { openLayer, readPart, type LayerFile, type LayerPixels } from '../cog/readLayer.js';
import type { FetchPicture, Readout } from './mapScene.js';

/** Side of the piece that is read around a place of a large picture. */
const PIECE_PIXELS = 256;

/** Column and row of the pixel that a place lies in; it may be outside. */
function pixelOf(grid: LayerPixels['grid'], place: Position): readonly [column: number, row: number] {
  const [column, row] = toPixel(grid, projectionOf(grid.epsg).toMap(place));
  return [Math.floor(column), Math.floor(row)];
}

/** The value of the pixel that a place lies in, as the file has it; undefined outside and without data. */
export function valueAt({ pixels, grid, nodata }: LayerPixels, place: Position): Readout['value'] {
  const [column, row] = pixelOf(grid, place);
  if (column < 0 || row < 0 || column >= grid.width || row >= grid.height) return undefined;
  const size = grid.width * grid.height;
  const at = row * grid.width + column;
  const bands = Array.from({ length: pixels.bands }, (_, band) => pixels.data[at + band * size] ?? NaN);
  if (bands.every((value) => value === nodata || Number.isNaN(value))) return undefined;
  const [first = NaN, green, blue] = bands;
  return green === undefined || blue === undefined ? first : [first, green, blue];
}

/** Values of pictures that are shown by an overview, whose pixels are means: the full-size pixels are read around a place. */
export interface ExactValues {
  /** Undefined until the piece of the picture is there; `onRead` tells of it. */
  find(path: string, place: Position): LayerPixels | undefined;
}

interface Piece {
  readonly path: string;
  readonly column: number;
  readonly row: number;
  readonly layer: LayerPixels | undefined;
}

/** Reads one piece at a time, the one under the pointer; keeps the last. */
export function exactValues(fetchPicture: FetchPicture, onRead: () => void): ExactValues {
  let file: { readonly path: string; readonly opened: Promise<LayerFile> } | undefined;
  let piece: Piece | undefined;
  const signal = new AbortController().signal;

  async function read(wanted: Piece, opened: Promise<LayerFile>): Promise<void> {
    try {
      const { column, row } = wanted;
      const layer = await readPart(await opened, { column, row, width: PIECE_PIXELS, height: PIECE_PIXELS }, signal);
      if (piece !== wanted) return;
      piece = { ...wanted, layer };
      onRead();
    } catch {
      // The picture itself says when it can't be read; a value that can't is left out.
      if (file?.path === wanted.path) file = undefined;
    }
  }

  async function look(path: string, place: Position): Promise<void> {
    file = file?.path === path ? file : { path, opened: openLayer(path, fetchPicture, signal) };
    const { opened } = file;
    const { grid } = await opened.catch(() => ({ grid: undefined }));
    if (grid === undefined) return;
    const [column, row] = pixelOf(grid, place).map((at) => Math.floor(at / PIECE_PIXELS) * PIECE_PIXELS) as [
      number,
      number,
    ];
    if (piece?.path === path && piece.column === column && piece.row === row) return;
    piece = { path, column, row, layer: undefined };
    await read(piece, opened);
  }

  return {
    find: (path, place) => {
      const layer = piece?.path === path ? piece.layer : undefined;
      if (layer !== undefined && isIn(layer, place)) return layer;
      void look(path, place);
      return undefined;
    },
  };
}

function isIn({ grid }: LayerPixels, place: Position): boolean {
  const [column, row] = pixelOf(grid, place);
  return column >= 0 && row >= 0 && column < grid.width && row < grid.height;
}
