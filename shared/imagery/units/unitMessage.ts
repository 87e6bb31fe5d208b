import { Type, type Static } from 'typebox';
import { messageFacts } from '../../validation/messageFacts.js';

/**
 * What the queues `imagery-live` and `imagery-late` carry: the key of a unit, whose row is the truth, and that row where it
 * was written with the message. `v` grows when the form changes.
 */
export const UnitMessage = Type.Object({
  /** See `textOfUnit`. */
  unit: Type.String(),
  /** See `ShownUnit`. */
  shown: Type.Optional(
    Type.Object({
      etag: Type.String(),
      version: Type.String(),
      from: Type.String(),
      to: Type.String(),
      lane: Type.Union([Type.Literal('live'), Type.Literal('late')]),
      publishedAt: Type.Number(),
    }),
  ),
  ...messageFacts,
});
export type UnitMessage = Static<typeof UnitMessage>;
