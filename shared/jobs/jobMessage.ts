import { Type, type Static } from 'typebox';

/** What a job queue carries: ids only, the row is the truth. `v` grows when the form changes. */
export const JobMessage = Type.Object({
  v: Type.Literal(1),
  tenant: Type.String(),
  jobId: Type.String(),
  /** When the message becomes visible, milliseconds since 1970 UTC: tells how far the queue has come. */
  dueAt: Type.Optional(Type.Number()),
  traceparent: Type.Optional(Type.String()),
});
export type JobMessage = Static<typeof JobMessage>;
