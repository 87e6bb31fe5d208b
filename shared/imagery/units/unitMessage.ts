import { Type, type Static } from 'typebox';

/** What the queues `imagery-live` and `imagery-late` carry: the key of a unit, whose row is the truth. `v` grows when the form changes. */
export const UnitMessage = Type.Object({
  v: Type.Literal(1),
  /** See `textOfUnit`. */
  unit: Type.String(),
  traceparent: Type.Optional(Type.String()),
});
export type UnitMessage = Static<typeof UnitMessage>;
