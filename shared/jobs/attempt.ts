import type { Clock } from '../clock.js';
import { renewed, type Job } from './job.js';
import type { JobStore, StoredJob } from './jobPorts.js';
import type { WorkOutcome } from './jobWork.js';

/** How long an attempt may work, whatever happens; well below the host's own time limit. */
const WORK_DEADLINE_MS = 15 * 60_000;

/** So long after a write of its own an attempt takes the job for its own without asking. */
const MOMENT_MS = 2_000;

/** An attempt has lost its job: somebody else ended it or owns it now. Whatever it made is not to be published. */
export class AttemptLost extends Error {
  constructor() {
    super('The attempt no longer owns the job.');
    this.name = 'AttemptLost';
  }
}

/**
 * One attempt's hold on its job: renews the lease three times within it, and gives `signal` an abort when the job is
 * lost or the deadline is over.
 */
export class Attempt {
  readonly signal: AbortSignal;
  readonly #abort = new AbortController();
  readonly #jobs: JobStore;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #stopTimers: () => void;
  #stored: StoredJob;
  #renewal: Promise<void> = Promise.resolve();

  constructor(ports: { readonly jobs: JobStore; readonly clock: Clock }, claimed: StoredJob, leaseMs: number) {
    this.#jobs = ports.jobs;
    this.#clock = ports.clock;
    this.#leaseMs = leaseMs;
    this.#stored = claimed;
    this.signal = this.#abort.signal;
    const deadline = ports.clock.now().getTime() + WORK_DEADLINE_MS;
    this.#stopTimers = ports.clock.every(Math.floor(leaseMs / 3), () => {
      if (ports.clock.now().getTime() > deadline) this.#abort.abort(new Error('The attempt took too long.'));
      else void this.renew().catch(() => undefined);
    });
  }

  get job(): Job {
    return this.#stored.job;
  }

  /**
   * Renews the lease, one renewal after the other. A storage that is away is no loss: the lease still runs, and only
   * the next write decides.
   *
   * @throws AttemptLost when somebody else has changed the job
   */
  renew(): Promise<void> {
    const next = this.#renewal.catch(() => undefined).then(() => this.#renewNow());
    this.#renewal = next;
    return next;
  }

  /**
   * Makes sure that the job is still the attempt's before an insight of it is written: by a renewal, unless the row was
   * written a moment ago. A cancel within that moment finds the insight taken back, as one during the writing does.
   *
   * @throws AttemptLost when somebody else has changed the job
   */
  async hold(): Promise<void> {
    const writtenAt = (this.job.lease?.until ?? 0) - this.#leaseMs;
    if (this.#clock.now().getTime() - writtenAt > MOMENT_MS) await this.renew();
  }

  /** The outcome of the work, or the abort of the attempt when that comes first: work that hangs must not keep it. */
  async untilLost(work: Promise<WorkOutcome>): Promise<WorkOutcome> {
    const { signal } = this;
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason instanceof Error ? signal.reason : new AttemptLost());
      });
    });
    return Promise.race([work, aborted]);
  }

  async #renewNow(): Promise<void> {
    const until = this.#clock.now().getTime() + this.#leaseMs;
    const stored = await this.#jobs.replace(this.#stored, renewed(this.#stored.job, until));
    if (stored === undefined) {
      const lost = new AttemptLost();
      this.#abort.abort(lost);
      throw lost;
    }
    this.#stored = stored;
  }

  /** Stops renewing and gives back the job as last written, for the write that ends or releases it. */
  async finish(): Promise<StoredJob> {
    this.#stopTimers();
    await this.#renewal.catch(() => undefined);
    return this.#stored;
  }
}
