import { performance } from 'node:perf_hooks';

/** What became of one request. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** When and for how long to send. */
export interface Pace {
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  /** 0 ≤ value < 1; decides how far the requests lie from one another. */
  readonly random: () => number;
}

/** Time and timers, handed in so that tests need not wait. */
export interface LoadClock {
  /** Milliseconds from any beginning. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** What an open loop has seen. */
export interface LoadRun {
  readonly sent: number;
  /** From the intended start to the end of each answer that was right, milliseconds. */
  readonly latenciesMs: readonly number[];
  /** How much later than intended each request was sent: the driver's own fault, milliseconds. */
  readonly lagsMs: readonly number[];
  /** How often which fault was seen. */
  readonly faults: Readonly<Record<string, number>>;
  /** From the first intended start to the last answer. */
  readonly seconds: number;
}

const systemClock: LoadClock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * The intended starts, milliseconds from the first: as many as the rate asks for, at random distances as independent
 * callers have them (exponentially distributed), stretched so that the rate is met exactly.
 */
export function dueTimes({ rate, seconds, random }: Pace): readonly number[] {
  const count = Math.max(1, Math.round(rate * seconds));
  const gaps = Array.from({ length: count }, () => -Math.log(1 - random()));
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  let at = 0;
  return gaps.map((gap) => {
    const due = (at / total) * seconds * 1000;
    at += gap;
    return due;
  });
}

/**
 * Sends each request at its due time, whatever became of those before: who waits for answers sends less when the
 * service is slow, and so hides it. Latencies count from the intended start.
 *
 * @param send the request of that number; a rejection is a fault like any other
 */
export async function openLoop(
  send: (index: number) => Promise<Outcome>,
  pace: Pace,
  clock: LoadClock = systemClock,
): Promise<LoadRun> {
  const latenciesMs: number[] = [];
  const lagsMs: number[] = [];
  const faults: Record<string, number> = {};
  const startedAt = clock.now();
  const one = async (index: number, dueAt: number): Promise<void> => {
    lagsMs.push(clock.now() - dueAt);
    const outcome = await send(index).catch((error: unknown): Outcome => ({ ok: false, why: String(error) }));
    if (outcome.ok) latenciesMs.push(clock.now() - dueAt);
    else faults[outcome.why] = (faults[outcome.why] ?? 0) + 1;
  };
  const open: Promise<void>[] = [];
  for (const [index, due] of dueTimes(pace).entries()) {
    const wait = startedAt + due - clock.now();
    if (wait > 0) await clock.sleep(wait);
    open.push(one(index, startedAt + due));
  }
  await Promise.all(open);
  return { sent: open.length, latenciesMs, lagsMs, faults, seconds: (clock.now() - startedAt) / 1000 };
}
