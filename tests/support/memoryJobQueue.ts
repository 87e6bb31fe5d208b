import type { Clock } from '../../shared/clock.js';
import type { JobKey } from '../../shared/jobs/job.js';
import type { JobQueue } from '../../shared/jobs/jobPorts.js';

/** A queue that keeps what was sent, with the delay it was sent with. */
export class MemoryJobQueue implements JobQueue {
  readonly sent: { readonly key: JobKey; readonly delayMs: number }[] = [];
  readonly #dueAt = new WeakMap<object, number>();
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  enqueue({ tenant, solution, jobId }: JobKey, delayMs: number): Promise<void> {
    const message = { key: { tenant, solution, jobId }, delayMs };
    this.sent.push(message);
    this.#dueAt.set(message, this.#clock.now().getTime() + delayMs);
    return Promise.resolve();
  }

  servedUntil(now: number): Promise<number> {
    const due = this.sent.map((message) => this.#dueAt.get(message) ?? now);
    return Promise.resolve(Math.min(now, ...due));
  }
}
