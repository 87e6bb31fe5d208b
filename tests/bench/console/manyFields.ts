import { addDays } from '../../../shared/kit/validation/calendar.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import type { Grid } from '../../../shared/geo/grid/grid.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { sized } from '../figures.js';

/** A whole farm in view, and a usual one. */
export const FIELDS = { many: sized(275, 24), few: 22 } as const;
export const DATES = sized(60, 12);

const PIXELS = 40;
const epsg = 32615;
const { toPosition } = utmProjection(epsg);
export const days = Array.from({ length: DATES }, (_, index) => addDays('2026-04-01', index * 3));
const LAST = days.at(-1) ?? '';

const idOf = (index: number): string => `Field ${index + 1}`;

/** Fields of 16 ha, 20 to a row. */
function gridOf(index: number): Grid {
  const size = { width: PIXELS, height: PIXELS, pixelWidth: 10, pixelHeight: 10 };
  return { epsg, originX: 500_000 + (index % 20) * 450, originY: 4_596_000 - Math.floor(index / 20) * 450, ...size };
}

function fieldOf(index: number): object {
  const { originX: west, originY: north } = gridOf(index);
  const [east, south] = [west + PIXELS * 10, north - PIXELS * 10];
  const corners = [
    [west, north],
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ] as const;
  const period = { start_date: days[0], end_date: LAST, layers: ['ndvi'] };
  return {
    field_id: idOf(index),
    geometry: { type: 'Polygon', coordinates: [corners.map(toPosition)] },
    area_ha: 16,
    enrollments: [{ enrollment_id: '5c9e2d74-8a16-4f03-b7d2-0e6a3b9c1f45', status: 'completed', ...period }],
    errors: null,
    newest: { date: LAST, outcome: 'done', clear_percent: 100, layers: ['ndvi'] },
    newest_picture: LAST,
  };
}

/** What `GET /v1/fields` answers. */
export const listing = (fields: number): object => ({
  items: Array.from({ length: fields }, (_, index) => fieldOf(index)),
  cursor: null,
});

/** The index of one field. */
export const indexOf = (): object => ({
  'fieldimagery:dates': days.map((date, day) => ({
    date,
    outcome: 'done',
    reason: null,
    clear_percent: 100,
    layers: ['ndvi'],
    scenes: [`S2B_15TVG_${date}`],
    statistics: { ndvi: { mean: 0.3 + day / 150, p2: 0.2, p50: 0.3, p98: 0.7 } },
  })),
});

/** One picture of one field: each field and day has its own values. */
function pictureOf(index: number, day: number): Promise<Uint8Array> {
  const data = Float32Array.from({ length: PIXELS * PIXELS }, (_, at) => {
    const [column, row] = [at % PIXELS, Math.floor(at / PIXELS)];
    return 0.2 + day / 120 + 0.15 * Math.sin((column + index) / 5) * Math.cos((row + day) / 4);
  });
  const pixels = { width: PIXELS, height: PIXELS, bands: 1, data };
  return encodeCog({ pixels, grid: gridOf(index), nodata: -9999 });
}

/** All of them by field and date, made before anything is measured. */
export async function allPictures(fields: number): Promise<ReadonlyMap<string, Uint8Array>> {
  const made = new Map<string, Uint8Array>();
  for (let index = 0; index < fields; index += 1) {
    const ofField = await Promise.all(days.map((_, day) => pictureOf(index, day)));
    ofField.forEach((bytes, day) => made.set(`${idOf(index)} ${days[day] ?? ''}`, bytes));
  }
  return made;
}
