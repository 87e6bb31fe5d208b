import { Type, type Static } from 'typebox';

/** What the queue `imagery-tiles` carries: tiles whose days are to be reconciled. `v` grows when the form changes. */
export const TilesMessage = Type.Object({
  v: Type.Literal(1),
  tiles: Type.Array(Type.String(), { minItems: 1, maxItems: 200 }),
  traceparent: Type.Optional(Type.String()),
});
export type TilesMessage = Static<typeof TilesMessage>;
