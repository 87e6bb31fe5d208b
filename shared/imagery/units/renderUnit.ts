import type { ReadyField } from '../../enrollments/field.js';
import type { Grid } from '../../raster/grid.js';
import type { LayerName } from '../layers/layers.js';
import { basisOf } from '../records/fieldDate.js';
import { pixelsOfBox, type GeoBox } from '../catalogue/footprint.js';
import type { Scene } from '../catalogue/scene.js';

/** One field of a unit and the scenes that show it. */
export interface UnitField {
  readonly fieldId: string;
  readonly geometryHash: string;
  readonly bbox: GeoBox;
  /** Of the field's shape; undefined in work of before they were told. */
  readonly grid?: Grid;
  readonly areaHa?: number;
  readonly basis: string;
  /** The layers that all who monitor the field on that day want, where that is known; else they are asked. */
  readonly wanted?: readonly LayerName[];
  /** Overpasses, best scene first, as indexes into the unit's scenes. */
  readonly overpasses: readonly (readonly number[])[];
}

/** What one message of the render queue stands for: the fields of one place on one day, with their scenes. */
export interface RenderUnit {
  readonly enrollmentId: string;
  readonly date: string;
  /** Layers of the enrollment that asked; other enrollments may want more of the same fields. */
  readonly layers: readonly LayerName[];
  readonly scenes: readonly Scene[];
  readonly fields: readonly UnitField[];
}

/** A field on a day of which something is missing. */
export interface MissingFieldDate {
  readonly field: ReadyField;
  readonly overpasses: readonly (readonly Scene[])[];
}

/** Fields of one unit at most. */
const MOST_FIELDS = 250;
/** 10 m pixels of all fields' boxes in one unit at most, unless a single field has more: they are in memory at once. */
const MOST_PIXELS = 4_000_000;

/** Neighbours follow one another, so that a block of a file is needed by one unit where possible. */
const byPlace = (a: MissingFieldDate, b: MissingFieldDate): number => {
  const [{ bbox: first }, { bbox: second }] = [a.field.shape, b.field.shape];
  const rows = [first, second].map((box) => Math.round(box[1] * 20));
  return (rows[0] ?? 0) - (rows[1] ?? 0) || first[0] - second[0] || (a.field.fieldId < b.field.fieldId ? -1 : 1);
};

/** Cuts the missing fields of one place and day into units of bearable size. */
export function unitsOf(
  missing: readonly MissingFieldDate[],
  facts: Pick<RenderUnit, 'enrollmentId' | 'date' | 'layers'>,
): readonly RenderUnit[] {
  const parts: MissingFieldDate[][] = [];
  let pixels = Infinity;
  for (const entry of missing.toSorted(byPlace)) {
    const more = pixelsOfBox(entry.field.shape.bbox);
    const last = parts.at(-1);
    if (last === undefined || last.length >= MOST_FIELDS || pixels + more > MOST_PIXELS) {
      parts.push([entry]);
      pixels = more;
    } else {
      last.push(entry);
      pixels += more;
    }
  }
  return parts.map((part) => unitOf(part, facts));
}

function unitOf(
  part: readonly MissingFieldDate[],
  facts: Pick<RenderUnit, 'enrollmentId' | 'date' | 'layers'>,
): RenderUnit {
  const scenes = [...new Set(part.flatMap(({ overpasses }) => overpasses.flat()))];
  const indexes = new Map(scenes.map((scene, index) => [scene, index]));
  const fields = part.map(({ field: { fieldId, shape }, overpasses }): UnitField => ({
    fieldId,
    geometryHash: shape.geometryHash,
    bbox: shape.bbox,
    areaHa: shape.areaHa,
    ...(shape.grid === undefined ? {} : { grid: shape.grid }),
    basis: basisOf(shape.geometryHash, overpasses),
    overpasses: overpasses.map((overpass) => overpass.map((scene) => indexes.get(scene) ?? 0)),
  }));
  return { ...facts, scenes, fields };
}

/** The scenes of a field's overpasses. */
export function scenesOf({ scenes }: RenderUnit, { overpasses }: UnitField): readonly (readonly Scene[])[] {
  return overpasses.map((overpass) => overpass.flatMap((index) => scenes[index] ?? []));
}
