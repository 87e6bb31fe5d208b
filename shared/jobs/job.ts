/** The states of a job and the moves between them, without storage, clock or wire words. */

export type JobStatus = 'WAITING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The two solutions whose operations are jobs. */
export type SolutionId = 'partnerAgPowered.gdd' | 'partnerAgPowered.smartBoundary';

/** One job as stored. Instants are milliseconds since 1970 UTC. */
export interface Job {
  readonly tenant: string;
  readonly solution: SolutionId;
  readonly jobId: string;
  /** Minted by the create that stored this row: tells our own lost answer from another create. */
  readonly e2eId: string;
  readonly status: JobStatus;
  /** The job parameters in the canonical form (see validation). */
  readonly parameters: JsonObject;
  readonly createdAt: number;
  readonly lastActionAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Text shown to the caller when the job has FAILED. */
  readonly failure?: string;
  readonly insightId?: string;
  /** Attempts begun so far. */
  readonly attempt: number;
  /** Owner of the running attempt, and until when it owns it. */
  readonly leaseToken?: string;
  readonly leaseUntil?: number;
  /** When the next attempt or the next look is due; absent for at once. */
  readonly dueAt?: number;
  /** True while the job waits for another system: the next claim is no new attempt. */
  readonly resuming?: boolean;
  /** What the work has stored for its next look, by phase. */
  readonly phase?: string;
  readonly state?: JsonObject;
  /** Token of the write that ended the job: tells our own lost answer from another end. */
  readonly endedBy?: string;
}
