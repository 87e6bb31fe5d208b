import type { FieldHolder } from '../../enrollments/fields/field.js';
import { LAYER_NAMES, type LayerName } from '../../scenes/layers/layers.js';

/** Whether an enrollment monitors a field of this geometry on a day. */
export const isHeldOn = (
  holder: FieldHolder,
  { geometryHash }: { readonly geometryHash: string },
  date: string,
): boolean => holder.geometryHash === geometryHash && holder.startDate <= date && date <= holder.endDate;

/** The layers that all enrollments together want of a field on a day, in the order of the specification. */
export function wantedLayers(
  holders: readonly FieldHolder[],
  field: { readonly geometryHash: string; readonly date: string },
): readonly LayerName[] {
  const active = holders.filter((holder) => isHeldOn(holder, field, field.date));
  return LAYER_NAMES.filter((name) => active.some(({ layers }) => layers.includes(name)));
}
