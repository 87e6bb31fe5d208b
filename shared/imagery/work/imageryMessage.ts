import { Type, type Static } from 'typebox';

/** What the queues `imagery-search` and `imagery-render` carry: ids only, the rows are the truth. `v` grows when the form changes. */
export const ImageryMessage = Type.Object({
  v: Type.Literal(1),
  customer: Type.String(),
  work: Type.String(),
  traceparent: Type.Optional(Type.String()),
});
export type ImageryMessage = Static<typeof ImageryMessage>;
