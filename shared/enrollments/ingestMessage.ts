import { Type, type Static } from 'typebox';
import { messageFacts } from '../validation/messageFacts.js';

/** What the queue `enrollment-ingest` carries: ids only, the rows are the truth. `v` grows when the form changes. */
export const IngestMessage = Type.Object({
  customer: Type.String(),
  enrollmentId: Type.String(),
  ...messageFacts,
});
export type IngestMessage = Static<typeof IngestMessage>;
