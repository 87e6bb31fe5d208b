import { Type, type Static } from 'typebox';
import { messageFacts } from '../../validation/messageFacts.js';

/** What the queues `imagery-search` and `imagery-render` carry: ids only, the rows are the truth. `v` grows when the form changes. */
export const ImageryMessage = Type.Object({
  customer: Type.String(),
  work: Type.String(),
  ...messageFacts,
});
export type ImageryMessage = Static<typeof ImageryMessage>;
