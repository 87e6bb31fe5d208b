import type { Clock } from '../../clock.js';
import { ServiceError } from '../../errors/serviceError.js';
import { RasterError } from '../../raster/rasterError.js';
import { politeDelayMs } from '../../retryDelay.js';
import { errorText, type Log } from '../../telemetry/telemetry.js';
import { CatalogueError } from '../catalogue/catalogueError.js';
import type { ImageryQueue, ImageryWorkStore } from '../imageryPorts.js';
import {
  claimDecision,
  claimed,
  refusalDelayMs,
  refused,
  released,
  renewed,
  waiting,
  type ActiveWork,
  type WorkKey,
  type WorkKind,
} from './imageryWork.js';

export interface RunWorkPorts {
  readonly work: ImageryWorkStore;
  readonly queue: ImageryQueue;
  readonly clock: Clock;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  readonly log: Log;
  /** How long an attempt holds its work; it is renewed three times in that. */
  readonly leaseMs: number;
  /** Pieces of each kind that a customer has active at a time. */
  readonly activeLimits: Readonly<Record<WorkKind, number>>;
}

/** An attempt has lost its work: somebody else holds it or it was taken away. */
class WorkLost extends Error {}

/** What an attempt knows of its own hold on the work. */
export interface WorkHold {
  /** Aborts when the work is lost. */
  readonly signal: AbortSignal;
  /** Something was brought about that a later attempt won't have to do: attempts count anew. */
  progressed(): Promise<void>;
}

/** What is done for each kind of work. */
export interface WorkHandler {
  /** @throws when it has to be done again */
  run(customer: string, document: unknown, hold: WorkHold): Promise<void>;
  /** Ends work that failed too often. */
  giveUp(customer: string, document: unknown, end: { readonly reason: string; readonly hold: WorkHold }): Promise<void>;
}

/** One attempt's hold: renews the lease, one renewal after the other. */
class Hold implements WorkHold {
  readonly signal: AbortSignal;
  readonly #ports: RunWorkPorts;
  readonly #abort = new AbortController();
  readonly #stop: () => void;
  #work: ActiveWork;
  #etag: string;
  #renewal: Promise<void> = Promise.resolve();

  constructor(ports: RunWorkPorts, work: ActiveWork, etag: string) {
    this.#ports = ports;
    this.#work = work;
    this.#etag = etag;
    this.signal = this.#abort.signal;
    this.#stop = ports.clock.every(Math.floor(ports.leaseMs / 3), () => {
      // A storage that is away is no loss: the lease still runs, and only the next write decides.
      this.#renew(false).catch(() => undefined);
    });
  }

  progressed(): Promise<void> {
    return this.#work.attempts === 1 && this.#work.waits + this.#work.refusals === 0
      ? Promise.resolve()
      : this.#renew(true);
  }

  /** Stops renewing and gives back the work as last written. */
  async end(): Promise<{ readonly work: ActiveWork; readonly etag: string }> {
    this.#stop();
    await this.#renewal.catch(() => undefined);
    return { work: this.#work, etag: this.#etag };
  }

  #renew(hasProgressed: boolean): Promise<void> {
    this.#renewal = this.#renewal
      .catch(() => undefined)
      .then(async () => {
        const next = renewed(this.#work, this.#ports.clock.now().getTime() + this.#ports.leaseMs, hasProgressed);
        const etag = await this.#ports.work.replace(next, this.#etag);
        if (etag === undefined) {
          const lost = new WorkLost('The attempt no longer holds the work.');
          this.#abort.abort(lost);
          throw lost;
        }
        this.#work = next;
        this.#etag = etag;
      });
    return this.#renewal;
  }
}

/** Whether an error says that another system is away for now. */
function isOutage(error: unknown): boolean {
  if (error instanceof CatalogueError) return error.fault === 'unavailable';
  if (error instanceof RasterError) return error.isTransient;
  return error instanceof ServiceError && error.fault.status === 503;
}

/** Whether a host has refused a file, or the right to read it. A catalogue that refuses a search has its own way. */
function isRefusal(error: unknown, { kind }: ActiveWork): boolean {
  if (error instanceof RasterError) return error.kind === 'refused';
  return kind === 'render' && error instanceof CatalogueError && error.fault === 'refused';
}

function reasonOf(error: unknown): string {
  const isTold = error instanceof CatalogueError || error instanceof RasterError || error instanceof ServiceError;
  return isTold ? error.message : 'an error of the service';
}

/** Makes the next pieces of a customer's work active and sends their messages. */
export const activateNext =
  ({ work, queue, activeLimits }: Pick<RunWorkPorts, 'work' | 'queue' | 'activeLimits'>) =>
  async (customer: string, kind: WorkKind): Promise<number> => {
    const promoted = await work.promote(customer, kind, activeLimits[kind]);
    for (const key of promoted) await queue.enqueue(key, 0);
    return promoted.length;
  };

/**
 * Does one attempt at a piece of work for a message that names it. A message for work that is done, that another
 * attempt holds or that isn't due yet is dropped: the row is the truth, not the message.
 */
export const runWork =
  (ports: RunWorkPorts, handler: WorkHandler) =>
  async (key: WorkKey): Promise<void> => {
    const stored = await ports.work.find(key);
    if (stored === undefined) return;
    const now = ports.clock.now().getTime();
    const decision = claimDecision(stored.work, now);
    if (decision === 'wait') return;
    const mine = claimed(stored.work, now + ports.leaseMs);
    const etag = await ports.work.replace(mine, stored.etag);
    if (etag === undefined) return;
    const hold = new Hold(ports, mine, etag);
    try {
      const { customer } = key;
      const reason = stored.work.failure ?? 'every attempt was cut short';
      if (decision === 'claim') await handler.run(customer, stored.document, hold);
      else await handler.giveUp(customer, stored.document, { reason, hold });
      await finish(ports, hold);
    } catch (error) {
      await release(ports, hold, error);
    } finally {
      await hold.end();
    }
  };

async function finish(ports: RunWorkPorts, hold: Hold): Promise<void> {
  const { work, etag } = await hold.end();
  await ports.work.remove(work, etag);
  await activateNext(ports)(work.customer, work.kind);
}

async function release(ports: RunWorkPorts, hold: Hold, error: unknown): Promise<void> {
  const { work, etag } = await hold.end();
  const facts = { customer: work.customer, kind: work.kind, work: work.id, attempt: work.attempts };
  if (hold.signal.aborted) {
    ports.log('Imagery:AttemptLost', facts);
    return;
  }
  ports.log('Imagery:AttemptFailed', { ...facts, isOutage: isOutage(error), cause: errorText(error) });
  const { pause, giveBack } = pauseAfter(error, work, ports.random());
  const next = giveBack(work, ports.clock.now().getTime() + pause, reasonOf(error));
  if ((await ports.work.replace(next, etag)) !== undefined) await ports.queue.enqueue(work, pause);
  // Refused work has left its place to the next.
  if (next.refusals > 0) await activateNext(ports)(work.customer, work.kind);
}

/** When and as what work that failed is taken again. */
function pauseAfter(error: unknown, work: ActiveWork, random: number) {
  if (isRefusal(error, work)) return { pause: refusalDelayMs(work.refusals + 1, random), giveBack: refused };
  const askedSeconds = error instanceof CatalogueError ? error.retryAfterSeconds : undefined;
  return isOutage(error)
    ? { pause: politeDelayMs(work.waits + 1, random, askedSeconds), giveBack: waiting }
    : { pause: politeDelayMs(work.attempts, random, askedSeconds), giveBack: released };
}
