import type { Clock } from '../../clock.js';
import { RasterError } from '../../raster/rasterError.js';
import { politeDelayMs } from '../../retryDelay.js';
import { errorText, type Facts, type Log } from '../../telemetry/telemetry.js';
import { CatalogueError } from '../catalogue/catalogueError.js';
import { isOutage, reasonOf } from '../imageryFailure.js';
import {
  claimDecision,
  claimed,
  refusalDelayMs,
  refused,
  released,
  renewed,
  waiting,
  type WorkState,
} from './imageryWork.js';

export interface AttemptPorts {
  readonly clock: Clock;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  readonly log: Log;
  /** How long an attempt holds its work; it is renewed three times in that. */
  readonly leaseMs: number;
}

/** Work as it was read or written last. */
export interface ReadWork<W extends WorkState> {
  readonly work: W;
  readonly etag: string;
}

/** What an attempt knows of its own hold on the work. */
export interface WorkHold {
  /** Aborts when the work is lost. */
  readonly signal: AbortSignal;
  /** Whether an attempt before this one has ended without result: what it left is looked for before anything is done. */
  readonly isRepeated: boolean;
  /** Something was brought about that a later attempt won't have to do: attempts count anew. */
  progressed(): Promise<void>;
}

/** One kind of work: where it is kept and what is done for it. */
export interface Undertaking<W extends WorkState> {
  /** @returns the new mark, or undefined when somebody else changed the work */
  replace(work: W, etag: string): Promise<string | undefined>;
  /** Sends its message again. */
  enqueue(work: W, delayMs: number): Promise<void>;
  /** Names it in the log. */
  facts(work: W): Facts;
  /** Whether a catalogue that refuses counts as one that refuses a file. */
  readonly countsRefusals: boolean;
  /** @throws when it has to be done again */
  run(hold: WorkHold): Promise<void>;
  /** Ends work that failed too often. */
  giveUp(reason: string, hold: WorkHold): Promise<void>;
  /** After either. */
  finish(ended: ReadWork<W>): Promise<void>;
  /** After it was given back. */
  afterwards?(work: W): Promise<void>;
}

/** An attempt has lost its work: somebody else holds it or it was taken away. */
class WorkLost extends Error {}

/** One attempt's hold: renews the lease, one renewal after the other. */
class Hold<W extends WorkState> implements WorkHold {
  readonly signal: AbortSignal;
  readonly isRepeated: boolean;
  readonly #ports: AttemptPorts;
  readonly #undertaking: Pick<Undertaking<W>, 'replace'>;
  readonly #abort = new AbortController();
  readonly #stop: () => void;
  #held: ReadWork<W>;
  #renewal: Promise<void> = Promise.resolve();

  constructor(ports: AttemptPorts, undertaking: Pick<Undertaking<W>, 'replace'>, held: ReadWork<W>) {
    this.#ports = ports;
    this.#undertaking = undertaking;
    this.#held = held;
    this.signal = this.#abort.signal;
    this.isRepeated = held.work.attempts > 1 || held.work.waits + held.work.refusals > 0;
    this.#stop = ports.clock.every(Math.floor(ports.leaseMs / 3), () => {
      // A storage that is away is no loss: the lease still runs, and only the next write decides.
      this.#renew(false).catch(() => undefined);
    });
  }

  progressed(): Promise<void> {
    const { attempts, waits, refusals } = this.#held.work;
    return attempts === 1 && waits + refusals === 0 ? Promise.resolve() : this.#renew(true);
  }

  /** Stops renewing and gives back the work as last written. */
  async end(): Promise<ReadWork<W>> {
    this.#stop();
    await this.#renewal.catch(() => undefined);
    return this.#held;
  }

  #renew(hasProgressed: boolean): Promise<void> {
    this.#renewal = this.#renewal
      .catch(() => undefined)
      .then(async () => {
        const { work, etag } = this.#held;
        const leaseEnd = this.#ports.clock.now().getTime() + this.#ports.leaseMs;
        const next = renewed(work, leaseEnd, hasProgressed);
        const written = await this.#undertaking.replace(next, etag);
        if (written === undefined) {
          const lost = new WorkLost('The attempt no longer holds the work.');
          this.#abort.abort(lost);
          throw lost;
        }
        this.#held = { work: next, etag: written };
      });
    return this.#renewal;
  }
}

/** Whether a host has refused a file, or the right to read it. A catalogue that refuses a search has its own way. */
function isRefusal(error: unknown, countsRefusals: boolean): boolean {
  if (error instanceof RasterError) return error.kind === 'refused';
  return countsRefusals && error instanceof CatalogueError && error.fault === 'refused';
}

/**
 * Does one attempt at a piece of work, unless another holds it or it isn't due yet: then nothing happens, for the row
 * is the truth, not the message.
 *
 * @returns whether there was an attempt
 */
export async function attempt<W extends WorkState>(
  ports: AttemptPorts,
  stored: ReadWork<W>,
  undertaking: Undertaking<W>,
): Promise<boolean> {
  const now = ports.clock.now().getTime();
  const decision = claimDecision(stored.work, now);
  if (decision === 'wait') return false;
  const mine = claimed(stored.work, now + ports.leaseMs);
  const etag = await undertaking.replace(mine, stored.etag);
  if (etag === undefined) return false;
  const hold = new Hold(ports, undertaking, { work: mine, etag });
  try {
    const reason = stored.work.failure ?? 'every attempt was cut short';
    if (decision === 'claim') await undertaking.run(hold);
    else await undertaking.giveUp(reason, hold);
    await undertaking.finish(await hold.end());
  } catch (error) {
    await release(ports, undertaking, { hold, error });
  } finally {
    await hold.end();
  }
  return true;
}

async function release<W extends WorkState>(
  ports: AttemptPorts,
  undertaking: Undertaking<W>,
  { hold, error }: { readonly hold: Hold<W>; readonly error: unknown },
): Promise<void> {
  const { work, etag } = await hold.end();
  const facts = { ...undertaking.facts(work), attempt: work.attempts };
  if (hold.signal.aborted) {
    ports.log('Imagery:AttemptLost', facts);
    return;
  }
  ports.log('Imagery:AttemptFailed', { ...facts, isOutage: isOutage(error), cause: errorText(error) });
  const isRefused = isRefusal(error, undertaking.countsRefusals);
  const { pause, giveBack } = pauseAfter(error, work, { isRefused, random: ports.random() });
  const next = giveBack(work, ports.clock.now().getTime() + pause, reasonOf(error));
  if ((await undertaking.replace(next, etag)) !== undefined) await undertaking.enqueue(next, pause);
  await undertaking.afterwards?.(next);
}

/** When and as what work that failed is taken again. */
function pauseAfter(
  error: unknown,
  work: WorkState,
  { isRefused, random }: { readonly isRefused: boolean; readonly random: number },
) {
  if (isRefused) return { pause: refusalDelayMs(work.refusals + 1, random), giveBack: refused };
  const askedSeconds = error instanceof CatalogueError ? error.retryAfterSeconds : undefined;
  return isOutage(error)
    ? { pause: politeDelayMs(work.waits + 1, random, askedSeconds), giveBack: waiting }
    : { pause: politeDelayMs(work.attempts, random, askedSeconds), giveBack: released };
}
