import { Type, type Static } from 'typebox';
import { messageFacts } from '../validation/messageFacts.js';

/** What a job queue carries: ids only, the row is the truth. `v` grows when the form changes. */
export const JobMessage = Type.Object({
  tenant: Type.String(),
  jobId: Type.String(),
  ...messageFacts,
});
export type JobMessage = Static<typeof JobMessage>;
