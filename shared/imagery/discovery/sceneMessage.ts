import { Type, type Static } from 'typebox';
import { messageFacts } from '../../validation/messageFacts.js';

/** What the queue `imagery-scene` carries: the key of a product, whose row is the truth. `v` grows when the form changes. */
export const SceneMessage = Type.Object({
  tile: Type.String(),
  scene: Type.String(),
  ...messageFacts,
});
export type SceneMessage = Static<typeof SceneMessage>;
