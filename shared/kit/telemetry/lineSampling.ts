/**
 * Which log lines are written when many of a kind come: a caller at its limit would fill a workspace with lines that
 * say the same. Figures count every event all the same, and no alert asks for an event of this list, by test.
 */

/** Events that callers, and work that they have sent, can bring about by the thousand. */
export const sampledEvents: ReadonlySet<string> = new Set([
  'Request:Answered',
  'Job:Succeeded',
  'Job:Failed',
  'Job:Cancelled',
  'Enrollment:Ingested',
  'Work:AttemptFailed',
  'Work:AttemptLost',
  'Work:NotResent',
  'Imagery:Searched',
  'Imagery:SearchPostponed',
  'Imagery:DayFailed',
  'Scene:Rendered',
  'Scenes:Listed',
  'Licence:Waived',
  'WeatherCache:Fault',
  'Notice:Relayed',
  'Notice:Late',
  'Notice:Delivered',
]);

/** Of each kind so many lines a minute are written in full. */
const FULL_PER_MINUTE = 10;
/** Of those beyond, one in so many. */
const ONE_IN = 100;
const MINUTE_MS = 60_000;

/** What makes lines be of one kind: what was done, and how it ended. Each has few values. */
const KIND_FACTS = ['operation', 'solution', 'status', 'outcome', 'code', 'kind', 'step', 'failureClass'];

/** How many events the line of this one stands for; 0 when it is not to be written. */
export type LineSampler = (event: string, facts: Readonly<Record<string, unknown>>) => number;

interface Kind {
  windowStartedAt: number;
  written: number;
  skipped: number;
}

/** A sampler with counters of its own. @param now milliseconds on a clock that never goes back */
export function lineSampler(now: () => number): LineSampler {
  const kinds = new Map<string, Kind>();
  return (event, facts) => {
    if (!sampledEvents.has(event)) return 1;
    const name = JSON.stringify([event, ...KIND_FACTS.map((fact) => facts[fact])]);
    const kind = kinds.get(name) ?? { windowStartedAt: now(), written: 0, skipped: 0 };
    kinds.set(name, kind);
    return weightOf(kind, now());
  };
}

function weightOf(kind: Kind, at: number): number {
  if (at - kind.windowStartedAt >= MINUTE_MS) {
    kind.windowStartedAt = at;
    kind.written = 0;
  }
  if (kind.written < FULL_PER_MINUTE) {
    kind.written += 1;
    return 1;
  }
  // Counted on over the minutes, so that the weights add up to what happened.
  kind.skipped = (kind.skipped + 1) % ONE_IN;
  return kind.skipped === 0 ? ONE_IN : 0;
}
