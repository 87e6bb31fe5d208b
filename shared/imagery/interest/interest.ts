import { LATE_SCENE_DAYS, type Enrollment } from '../../enrollments/enrollment.js';
import type { ReadyField } from '../../enrollments/field.js';
import { boxAround, boxOf, type Grid } from '../../raster/grid.js';
import { utmProjection } from '../../raster/utm.js';
import { addDays } from '../../validation/calendar.js';
import { boxAroundBoxes, type GeoBox } from '../catalogue/footprint.js';
import type { LayerName } from '../layers/layers.js';
import { cellOf, nameOfTile, tilesOfField } from '../catalogue/tiles.js';

/** A field as whoever makes the images of its tile has to know it. */
export interface InterestedField {
  readonly fieldId: string;
  readonly geometryHash: string;
  readonly bbox: GeoBox;
  /** Of the field's shape; undefined in entries and fields of before they were told. */
  readonly grid?: Grid;
  readonly areaHa?: number;
}

const interestedIn = ({ fieldId, shape: { geometryHash, bbox, grid, areaHa } }: ReadyField): InterestedField => ({
  fieldId,
  geometryHash,
  bbox,
  ...(grid === undefined ? {} : { grid }),
  areaHa,
});

/** Fields of one enrollment in one cell of a tile, and what is wanted of them. */
export interface Interest {
  /** MGRS tile, such as 15TWF. */
  readonly tile: string;
  readonly cell: number;
  readonly customer: string;
  readonly enrollmentId: string;
  /** Tells parts of more fields than one row holds, from 0. */
  readonly part: number;
  readonly layers: readonly LayerName[];
  /** First and last day that is monitored, UTC. */
  readonly firstDate: string;
  readonly lastDate: string;
  /** Around all of its fields. */
  readonly bbox: GeoBox;
  readonly fields: readonly InterestedField[];
}

/** What tells whether a scene has anything of an entry, and how much work that is. */
export interface InterestSummary extends Pick<Interest, 'cell' | 'firstDate' | 'lastDate' | 'bbox'> {
  /** Sorts the entries of a tile by cell, then by customer. */
  readonly key: string;
  /** How many. */
  readonly fields: number;
  /** 10 m pixels of their boxes. */
  readonly pixels: number;
}

/** The place of an entry: nothing but what follows from the field's grid and its enrollment. */
export type InterestKey = Pick<Interest, 'tile' | 'cell' | 'customer' | 'enrollmentId' | 'part'>;

/** Fields of one entry: some 25 KB. */
const MOST_FIELDS = 100;

/** A grid about a box, which is enough to find the tiles of a field whose own is not at hand. */
export function gridAround([west, south, east, north]: GeoBox, epsg: number): Grid {
  const { toMap } = utmProjection(epsg);
  const plainEast = east < west ? east + 360 : east;
  const corners = [west, plainEast].flatMap((longitude) => [toMap([longitude, south]), toMap([longitude, north])]);
  const [left, bottom, right, top] = boxAround(corners);
  const [width, height] = [Math.ceil((right - left) / 10), Math.ceil((top - bottom) / 10)];
  return { epsg, originX: left, originY: top, pixelWidth: 10, pixelHeight: 10, width, height };
}

/** The cells in which a field is looked for, its home first. */
function placesOf({ shape }: ReadyField): readonly Pick<Interest, 'tile' | 'cell'>[] {
  const grid = shape.grid ?? gridAround(shape.bbox, shape.epsg);
  const box = boxOf(grid);
  return tilesOfField(grid).map((tile) => ({ tile: nameOfTile(tile), cell: cellOf(tile, box) }));
}

/**
 * The entries of an enrollment: each ready field in its home cell, or in a cell of every tile that shows something of it
 * where none shows it whole. The same fields give the same entries.
 */
export function interestsOf(
  { customer, enrollmentId, request }: Pick<Enrollment, 'customer' | 'enrollmentId' | 'request'>,
  fields: readonly ReadyField[],
): readonly Interest[] {
  const cells = new Map<string, { readonly place: Pick<Interest, 'tile' | 'cell'>; readonly fields: ReadyField[] }>();
  for (const field of fields.toSorted((a, b) => a.index - b.index)) {
    for (const place of placesOf(field)) {
      const key = `${place.tile} ${place.cell}`;
      const found = cells.get(key);
      if (found === undefined) cells.set(key, { place, fields: [field] });
      else found.fields.push(field);
    }
  }
  const { layers, startDate: firstDate, endDate: lastDate } = request;
  return [...cells.values()].flatMap(({ place, fields: inCell }) =>
    partsOf(inCell).map((part, index): Interest => {
      const known = part.map(interestedIn);
      const bbox = boxAroundBoxes(known.map((field) => field.bbox));
      return { ...place, customer, enrollmentId, part: index, layers, firstDate, lastDate, bbox, fields: known };
    }),
  );
}

function partsOf(fields: readonly ReadyField[]): readonly (readonly ReadyField[])[] {
  const count = Math.ceil(fields.length / MOST_FIELDS);
  return Array.from({ length: count }, (_, part) => fields.slice(part * MOST_FIELDS, (part + 1) * MOST_FIELDS));
}

/** Whether images of a day are made for an entry: the day is monitored, and the time for its late scenes isn't over. */
export const isWanted = (
  { firstDate, lastDate }: Pick<Interest, 'firstDate' | 'lastDate'>,
  { date, today }: { readonly date: string; readonly today: string },
): boolean => firstDate <= date && date <= lastDate && today <= addDays(lastDate, LATE_SCENE_DAYS);
