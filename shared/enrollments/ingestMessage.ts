import { Type, type Static } from 'typebox';

/** What the queue `enrollment-ingest` carries: ids only, the rows are the truth. `v` grows when the form changes. */
export const IngestMessage = Type.Object({
  v: Type.Literal(1),
  customer: Type.String(),
  enrollmentId: Type.String(),
  traceparent: Type.Optional(Type.String()),
});
export type IngestMessage = Static<typeof IngestMessage>;
