import type { Clock } from './clock.js';

/** Looks whether one thing the service cannot answer without is there; rejects when it isn't. */
export type Probe = (signal: AbortSignal) => Promise<unknown>;

export interface Readiness {
  readonly ready: boolean;
  /** `ok` or `away` by dependency. */
  readonly dependencies: Readonly<Record<string, 'ok' | 'away'>>;
  /** What is not set up and makes results poorer; it is no reason to be taken out of service. */
  readonly notes: readonly string[];
}

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
  notes: readonly string[] = [],
): () => Promise<Readiness> {
  let latest: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;
  return () => {
    const now = clock.now().getTime();
    if (latest === undefined || now - latest.at > CACHE_MS) latest = { at: now, answer: look(probes, clock, notes) };
    return latest.answer;
  };
}

async function look(
  probes: Readonly<Record<string, Probe>>,
  clock: Clock,
  notes: readonly string[],
): Promise<Readiness> {
  const entries = await Promise.all(
    Object.entries(probes).map(async ([name, probe]): Promise<[string, 'ok' | 'away']> => {
      const abort = new AbortController();
      const tooLate = clock.sleep(PROBE_TIMEOUT_MS, abort.signal).then(() => 'away' as const);
      const answer = probe(abort.signal).then(
        () => 'ok' as const,
        () => 'away' as const,
      );
      const state = await Promise.race([answer, tooLate]);
      abort.abort();
      return [name, state];
    }),
  );
  return { ready: entries.every(([, state]) => state === 'ok'), dependencies: Object.fromEntries(entries), notes };
}
