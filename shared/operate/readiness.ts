import type { Clock } from '../kit/clock.js';

/** Looks whether one thing the service cannot answer without is there; rejects when it isn't. */
export type Probe = (signal: AbortSignal) => Promise<unknown>;

export interface Readiness {
  readonly ready: boolean;
  /** `ok` or `away` by dependency. */
  readonly dependencies: Readonly<Record<string, 'ok' | 'away'>>;
  /** What is not set up and makes results poorer; it is no reason to be taken out of service. */
  readonly notes: readonly string[];
  /** When each duty was last done, ISO 8601; null where it hasn't been. None while storage is away. */
  readonly duties: Readonly<Record<string, string | null>>;
  /** When the service last looked for work that is due, ISO 8601; null before the first time and while storage is away. */
  readonly lastTick: string | null;
}

/** What is told beside the dependencies. */
export interface ReadinessDetail {
  readonly notes: readonly string[];
  readonly duties: () => Promise<Readiness['duties']>;
  /** Milliseconds since 1970 UTC. */
  readonly lastTick: () => Promise<number | undefined>;
}

const NO_DETAIL: ReadinessDetail = {
  notes: [],
  duties: () => Promise.resolve({}),
  lastTick: () => Promise.resolve(undefined),
};
const PROBE_TIMEOUT_MS = 1_500;
const CACHE_MS = 5_000;

/**
 * Whether every dependency of a request is there, looked at together, each for at most 1.5 s, and remembered for 5 s.
 *
 * What only jobs need (data managers, weather) is left out: jobs wait an outage out, and an instance that is taken out
 * of service for it could not even accept them.
 */
export function readiness(
  probes: Readonly<Record<string, Probe>>,
  clock: Clock,
  detail: ReadinessDetail = NO_DETAIL,
): () => Promise<Readiness> {
  let latest: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;
  return () => {
    const now = clock.now().getTime();
    if (latest === undefined || now - latest.at > CACHE_MS) latest = { at: now, answer: look(probes, clock, detail) };
    return latest.answer;
  };
}

/** What a look finds out, or something else when that takes too long or fails. */
async function within<T>(clock: Clock, otherwise: T, look: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const tooLate = clock.sleep(PROBE_TIMEOUT_MS, abort.signal).then(() => otherwise);
  const found = await Promise.race([look(abort.signal).catch(() => otherwise), tooLate]);
  abort.abort();
  return found;
}

async function look(
  probes: Readonly<Record<string, Probe>>,
  clock: Clock,
  detail: ReadinessDetail,
): Promise<Readiness> {
  const states = Object.entries(probes).map(async ([name, probe]): Promise<[string, 'ok' | 'away']> => [
    name,
    await within<'ok' | 'away'>(clock, 'away', (signal) => probe(signal).then(() => 'ok' as const)),
  ]);
  const [entries, duties, tickAt] = await Promise.all([
    Promise.all(states),
    within(clock, {}, detail.duties),
    within<number | undefined>(clock, undefined, detail.lastTick),
  ]);
  const ready = entries.every(([, state]) => state === 'ok');
  const lastTick = tickAt === undefined ? null : new Date(tickAt).toISOString();
  return { ready, dependencies: Object.fromEntries(entries), notes: detail.notes, duties, lastTick };
}
