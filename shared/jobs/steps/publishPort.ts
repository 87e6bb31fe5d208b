import type { JsonObject } from '../../kit/json/json.js';
import type { Job } from '../job.js';
import type { MadeInsight } from './jobWork.js';

/** The attempt that publishes. */
export interface Publisher {
  readonly signal: AbortSignal;
  /** Makes sure that the job is still the attempt's: the data manager knows no fencing token. */
  hold(): Promise<void>;
  /** Told before the data manager is: what can be taken back there without our own record. */
  tells?(trace: JsonObject): void;
}

/** Where insights are published. */
export interface PublishInsight {
  /**
   * Writes the insight where callers read it, then into the tenant's data manager. Repeating it is harmless.
   *
   * @returns false when a later claim of the job, or its end, has written before: nothing was published then
   */
  publish(job: Job, insight: MadeInsight, attempt: Publisher): Promise<boolean>;
  /** The record of the insight that is kept with us. */
  findKept(job: Job, insightId: string): Promise<JsonObject | undefined>;
  /**
   * Publishes an insight that is kept with us already, as `publish` does.
   *
   * @returns false when there is none
   */
  publishKept(job: Job, insightId: string, attempt: Publisher): Promise<boolean>;
  /**
   * Takes back what `publish` has written, as far as it came, for a job that was cancelled or has failed.
   *
   * @param isWanted asked before each delete; once it says no, nothing more is deleted
   * @param trace of an attempt that has told the data manager when our own record was taken back already
   */
  withdraw(job: Job, insightId: string, isWanted: () => Promise<boolean>, trace?: JsonObject): Promise<void>;
  /** Takes back what is kept with us of an insight that the data manager does not let go. */
  abandon(job: Job, insightId: string): Promise<void>;
}
