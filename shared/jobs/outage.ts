/** How long a job waits for what refuses it from outside, without storage, clock or wire words. */

const HOUR_MS = 3_600_000;

/** What refuses a job from outside. No attempt is used up while the job waits for it. */
export interface Outage {
  /** Whom the job waits for, in words for the caller: `the weather services`. */
  readonly dependency: string;
  /** Code of the reason. */
  readonly code: string;
  /** The first refusal, and when the job is given up; milliseconds since 1970 UTC. */
  readonly since: number;
  readonly until: number;
  /** Refusals so far. */
  readonly refusals: number;
  /** The pause that was asked for with the latest one. */
  readonly askedSeconds?: number;
}

/** The latest refusal. */
export interface Refusal {
  readonly dependency: string;
  readonly code: string;
  readonly askedSeconds?: number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Whoever is refused by one after the other, each for nearly as long as is waited, comes to an end all the same. */
const MOST_PATIENCES = 3;

/**
 * The outage with one more refusal. One of the same dependency goes on; that of another one begins, for the former has
 * answered meanwhile.
 *
 * @param before the outage the job was waiting for
 * @param startedAt when the job was begun
 */
export function outageWith(
  { dependency, code, askedSeconds, at }: Refusal,
  { before, startedAt }: { readonly before: Outage | undefined; readonly startedAt: number },
  patienceHours: number,
): Outage {
  const same = before?.dependency === dependency ? before : undefined;
  const since = same?.since ?? at;
  const patienceMs = patienceHours * HOUR_MS;
  return {
    dependency,
    code,
    since,
    until: Math.min(since + patienceMs, startedAt + MOST_PATIENCES * patienceMs),
    refusals: (same?.refusals ?? 0) + 1,
    ...(askedSeconds === undefined ? {} : { askedSeconds }),
  };
}
