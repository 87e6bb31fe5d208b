import { LATE_SCENE_DAYS, type Enrollment } from '../../enrollments/record/enrollment.js';
import type { ReadyField } from '../../enrollments/fields/field.js';
import { boxAround } from '../../geo/shapes/box.js';
import { boxOf, cornersOf, type Grid } from '../../geo/grid/grid.js';
import { utmProjection } from '../../geo/grid/utm.js';
import { addDays } from '../../kit/validation/calendar.js';
import { boxAroundBoxes, continuousBox, type GeoBox } from '../../scenes/place/footprint.js';
import { groupsOf } from '../../scenes/stac/groups.js';
import type { LayerName } from '../../scenes/layers/layers.js';
import { cellOf, nameOfTile, tilesOfField } from '../../scenes/place/tiles.js';

/** What making the images of a field needs to know of the field. */
export interface InterestedField {
  readonly fieldId: string;
  readonly geometryHash: string;
  readonly bbox: GeoBox;
  /** Of the field's shape; undefined in entries and fields that were stored before grids and areas were. */
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

/** An entry of the index: fields of one enrollment in one cell of a tile, and what is wanted of these fields. */
export interface Interest {
  /** MGRS tile, such as 15TWF. */
  readonly tile: string;
  readonly cell: number;
  readonly customer: string;
  readonly enrollmentId: string;
  /** From 0: more fields than one row holds are cut into parts. */
  readonly part: number;
  readonly layers: readonly LayerName[];
  /** First and last day that is monitored, UTC. */
  readonly firstDate: string;
  readonly lastDate: string;
  /** Around all fields of the entry. */
  readonly bbox: GeoBox;
  readonly fields: readonly InterestedField[];
}

/** An entry without its fields: enough to tell whether a scene shows something of the entry, and how much work that is. */
export interface InterestSummary extends Pick<Interest, 'cell' | 'firstDate' | 'lastDate' | 'bbox'> {
  /** Sorts the entries of a tile by cell, then by customer. */
  readonly key: string;
  /** Number of fields. */
  readonly fields: number;
  /** 10 m pixels of the fields' boxes. */
  readonly pixels: number;
}

/** What names an entry; all of it follows from a field's grid and its enrollment. */
export type InterestKey = Pick<Interest, 'tile' | 'cell' | 'customer' | 'enrollmentId' | 'part'>;

/** Fields of one entry: some 25 KB. */
const MOST_FIELDS = 100;

/** A 10 m grid around a box: stands for a field's own grid, where that is not stored, to find the field's tiles. */
export function gridAround(box: GeoBox, epsg: number): Grid {
  const [left, bottom, right, top] = boxAround(cornersOf(continuousBox(box)).map(utmProjection(epsg).toMap));
  const [width, height] = [Math.ceil((right - left) / 10), Math.ceil((top - bottom) / 10)];
  return { epsg, originX: left, originY: top, pixelWidth: 10, pixelHeight: 10, width, height };
}

type Place = Pick<Interest, 'tile' | 'cell'>;

/** The cells that have an entry of a field, the one in the home tile first. */
function placesOf({ shape }: ReadyField): readonly Place[] {
  const grid = shape.grid ?? gridAround(shape.bbox, shape.epsg);
  const box = boxOf(grid);
  return tilesOfField(grid).map((tile) => ({ tile: nameOfTile(tile), cell: cellOf(tile, box) }));
}

/** What the index needs to know of an enrollment. */
export type IndexedEnrollment = Pick<Enrollment, 'customer' | 'enrollmentId' | 'request'>;

/**
 * The entries of an enrollment: each field in a cell of its home tile; where no tile shows the whole field, in a cell of
 * every tile that shows a part. The same fields give the same entries.
 */
export function interestsOf(
  { customer, enrollmentId, request }: IndexedEnrollment,
  fields: readonly ReadyField[],
): readonly Interest[] {
  const cells = new Map<string, { readonly place: Place; readonly fields: ReadyField[] }>();
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
    groupsOf(inCell, MOST_FIELDS).map((group, part): Interest => {
      const known = group.map(interestedIn);
      const bbox = boxAroundBoxes(known.map((field) => field.bbox));
      return { ...place, customer, enrollmentId, part, layers, firstDate, lastDate, bbox, fields: known };
    }),
  );
}

/** Whether images of a day are made for an entry: the day is monitored, and the time for its late scenes isn't over. */
export const isWanted = (
  { firstDate, lastDate }: Pick<Interest, 'firstDate' | 'lastDate'>,
  { date, today }: { readonly date: string; readonly today: string },
): boolean => firstDate <= date && date <= lastDate && today <= addDays(lastDate, LATE_SCENE_DAYS);
