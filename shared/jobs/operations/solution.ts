import type { Fault } from '../../kit/errors/fault.js';
import type { JobStatus, SolutionId } from '../job.js';
import type { JsonObject } from '../../kit/json/json.js';

/** What sets one kind of job apart from the other: names, codes, texts and the forms of its parameters. */
export interface Solution {
  readonly id: SolutionId;
  /** Last but one segment of `requestPath`. */
  readonly segment: string;
  readonly faults: Readonly<Record<'invalidBody' | 'unknownJob' | 'notCancellable' | 'jobExists', Fault>>;
  /** Message of each status; a FAILED job has its own. */
  readonly messages: Readonly<Record<Exclude<JobStatus, 'FAILED'>, string>>;
  /** The stored parameters as `partnerRequestBody` of a create and cancel answer. */
  readonly echo: (parameters: JsonObject) => JsonObject;
  /** The stored parameters as `partnerRequestBody` of a fetch answer. */
  readonly fetchEcho: (parameters: JsonObject) => JsonObject;
}

/** The caller's job id: the last segment of a `requestPath` that has passed its schema. */
export const jobIdOf = (requestPath: string): string => requestPath.slice(requestPath.lastIndexOf('/') + 1);
