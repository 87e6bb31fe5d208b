import type { Clock } from '../clock.js';
import type { EnrollmentStore, StoredWork } from './enrollmentPorts.js';
import { renewed } from './ingestWork.js';

/** This attempt no longer owns the ingest: another one does, or the enrollment was ended or stopped. */
export class IngestLost extends Error {
  constructor() {
    super('The attempt no longer owns the ingest.');
    this.name = 'IngestLost';
  }
}

export interface IngestHoldPorts {
  readonly enrollments: Pick<EnrollmentStore, 'replaceWork'>;
  readonly clock: Clock;
}

/** One attempt's hold on the ingest of an enrollment: renews its lease three times within it. */
export class IngestHold {
  readonly #ports: IngestHoldPorts;
  readonly #leaseMs: number;
  readonly #stopTimer: () => void;
  #stored: StoredWork;
  #isLost = false;
  #renewal: Promise<void> = Promise.resolve();

  constructor(ports: IngestHoldPorts, claimed: StoredWork, leaseMs: number) {
    this.#ports = ports;
    this.#leaseMs = leaseMs;
    this.#stored = claimed;
    this.#stopTimer = ports.clock.every(Math.floor(leaseMs / 3), () => {
      this.#renewal = this.#renewal.then(() => this.#renew());
    });
  }

  /** @throws IngestLost once the work is known to be somebody else's */
  requireOwned(): void {
    if (this.#isLost) throw new IngestLost();
  }

  /** Stops renewing. @returns the work as last written */
  async end(): Promise<StoredWork> {
    this.#stopTimer();
    await this.#renewal;
    return this.#stored;
  }

  /** A storage that is away is no loss: the lease still runs, and the next write decides. */
  async #renew(): Promise<void> {
    const until = this.#ports.clock.now().getTime() + this.#leaseMs;
    try {
      const stored = await this.#ports.enrollments.replaceWork(this.#stored, renewed(this.#stored.work, until));
      if (stored === undefined) this.#isLost = true;
      else this.#stored = stored;
    } catch {
      // Tried again at the next renewal.
    }
  }
}
