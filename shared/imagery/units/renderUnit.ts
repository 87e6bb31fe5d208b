import type { LayerName } from '../../scenes/layers/layers.js';
import type { InterestedField } from '../interest/interest.js';
import type { Scene, UnusableScene } from '../../scenes/item/scene.js';

/** One field of a slice and the scenes that show it. */
export interface UnitField extends InterestedField {
  /** See `basisOf`. */
  readonly basis: string;
  /** The layers that all enrollments want of the field on that day; absent where they have to be read. */
  readonly wanted?: readonly LayerName[];
  /** Overpasses, best scene first, as indexes into the unit's scenes. */
  readonly overpasses: readonly (readonly number[])[];
  /** The only scene that shows the field on that day, when it can't be used. */
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
