import { Type, type Static } from 'typebox';
import { messageFacts } from '../../validation/messageFacts.js';

/** What the queue `imagery-tiles` carries: tiles whose days are to be reconciled. `v` grows when the form changes. */
export const TilesMessage = Type.Object({
  tiles: Type.Array(Type.String(), { minItems: 1, maxItems: 200 }),
  ...messageFacts,
});
export type TilesMessage = Static<typeof TilesMessage>;
