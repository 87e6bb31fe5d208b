// Writes small scenes and a submission for them: `node infra/build/run.mjs tests/faults/imageryScenes.ts <folder> <fields> <dates>`;
// a fourth argument moves them so many pixels to the south-east of the corner at which four tiles and as many cells meet.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Grid } from '../../shared/geo/grid/grid.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { positionOf, writeScene } from '../support/sceneFiles.js';

const [folder = '', fields = '250', dates = '10', away = '0'] = process.argv.slice(2);
const CELL = 60;
/** The tile in which the fields lie deepest, which the ids of the scenes don't tell. */
const TILE = '31TFN';
const FIRST_DAY = '2026-05-03';
const columns = Math.ceil(Math.sqrt(Number(fields)));
const side = Math.ceil((columns * CELL) / 128) * 128;
const grid: Grid = {
  epsg: 32631,
  originX: 699_960 + Number(away) * 10,
  originY: 5_200_020 - Number(away) * 10,
  pixelWidth: 10,
  pixelHeight: 10,
  width: side,
  height: side,
};

/** Crops in stripes; every fifth scene has a cloud over a part of the fields. */
function valueAt(file: string, column: number, row: number, index: number): number {
  const isCloud = index % 5 === 2 && column > side / 2 && row > side / 2;
  if (file === 'scl') return isCloud ? 9 : 4;
  const isDense = Math.floor((row + index) / 7) % 2 === 0;
  const base = { red: isDense ? 400 : 1_200, green: 800, blue: 500, nir: isDense ? 4_000 : 2_400 }[file] ?? 0;
  return base + ((column * 7 + row * 13 + index) % 90);
}

function featureAt(index: number): object {
  const [left, top] = [(index % columns) * CELL + 8.5, Math.floor(index / columns) * CELL + 8.5];
  const [right, bottom] = [left + 40 + (index % 3), top + 36];
  const corners = [
    [left, top],
    [right, top],
    [right - 6, bottom],
    [left, bottom],
    [left, top],
  ] as const;
  const ring = corners.map((corner) => positionOf(grid, corner));
  return {
    type: 'Feature',
    properties: { field_id: `field ${index}` },
    geometry: { type: 'Polygon', coordinates: [ring] },
  };
}

const scenes = join(folder, 'scenes');
mkdirSync(scenes, { recursive: true });
const days = Array.from({ length: Number(dates) }, (_, index) => addDays(FIRST_DAY, index * 5));
for (const [index, date] of days.entries()) {
  await writeScene(scenes, {
    id: `S2B_31TGN_${date}`,
    date,
    grid,
    valueAt: (file, column, row) => valueAt(file, column, row, index),
    properties: { 'grid:code': `MGRS-${TILE}` },
  });
}
const features = Array.from({ length: Number(fields) }, (_, index) => featureAt(index));
writeFileSync(join(folder, 'fields.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
writeFileSync(join(folder, 'days.json'), JSON.stringify(days));
