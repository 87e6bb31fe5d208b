import { Type, type Static } from 'typebox';

/** What the queue `imagery-scene` carries: the key of a product, whose row is the truth. `v` grows when the form changes. */
export const SceneMessage = Type.Object({
  v: Type.Literal(1),
  tile: Type.String(),
  scene: Type.String(),
  traceparent: Type.Optional(Type.String()),
});
export type SceneMessage = Static<typeof SceneMessage>;
