import type { Grid } from '../../raster/grid.js';
import type { LayerName } from '../layers/layers.js';
import type { GeoBox } from '../catalogue/footprint.js';
import type { Scene, UnusableScene } from '../catalogue/scene.js';

/** One field of a slice and the scenes that show it. */
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
  /** The only thing that shows the field on that day. */
  readonly unusable?: Pick<UnusableScene, 'id' | 'fault'>;
}

/** The fields of one place on one day, with their scenes. */
export interface RenderUnit {
  readonly enrollmentId: string;
  readonly date: string;
  /** Layers of the enrollment that asked; other enrollments may want more of the same fields. */
  readonly layers: readonly LayerName[];
  readonly scenes: readonly Scene[];
  readonly fields: readonly UnitField[];
}

/** The scenes of a field's overpasses. */
export function scenesOf({ scenes }: RenderUnit, { overpasses }: UnitField): readonly (readonly Scene[])[] {
  return overpasses.map((overpass) => overpass.flatMap((index) => scenes[index] ?? []));
}
