/** What the service does of itself at fixed times: duties, each of them a piece of work that is never done. */
import type { Clock } from '../../kit/clock.js';
import { errorText, type Log } from '../../kit/telemetry/telemetry.js';
import type { EnqueuePorts, Enqueuer } from '../enqueue.js';
import { failureOf, type Failure, type RetryPolicies } from '../item/retry.js';
import { resend } from './sweepWork.js';
import { BEAT } from './tick.js';
import type { Place, WorkItem, WorkKey } from '../item/workItem.js';
import type { Outcome, Step, WorkKind } from '../item/workKind.js';

/** The kind of work that a duty is. */
export const DUTY = 'duty';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A run ends after that, below the host's limit. */
const LONGEST_MS = 25 * MINUTE_MS;

/** Times that come again, UTC. */
export interface Times {
  /** From one to the next; a day is a whole number of them. */
  readonly everyMs: number;
  /** The first of a day after midnight. */
  readonly afterMs: number;
}

/** Every few seconds from midnight on. */
export const everySeconds = (seconds: number): Times => ({ everyMs: seconds * SECOND_MS, afterMs: 0 });
/** Every hour at a minute. */
export const hourlyAt = (minute: number): Times => ({ everyMs: HOUR_MS, afterMs: minute * MINUTE_MS });
/** Every day at a time such as 05:30. */
export function dailyAt(time: `${number}:${number}`): Times {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return { everyMs: DAY_MS, afterMs: hours * HOUR_MS + minutes * MINUTE_MS };
}

/** The first time after an instant, both milliseconds since 1970 UTC. */
export const timeAfter = ({ everyMs, afterMs }: Times, instant: number): number =>
  (Math.floor((instant - afterMs) / everyMs) + 1) * everyMs + afterMs;

/** Something that the service does again and again. @typeParam S what it is done with */
export interface Duty<S> {
  readonly name: string;
  readonly times: (services: S) => Times;
  /** Missed and doubled runs must be harmless; one ends after 25 minutes. @returns facts for the log line */
  readonly run: (services: S) => Promise<Readonly<Record<string, unknown>>>;
  /** The class of an error that it threw; that of storage alone when absent. */
  readonly failureOf?: (error: unknown) => Failure;
}

type NamedDuty = Pick<Duty<never>, 'name'>;

/** The work that a duty is. */
export const dutyWorkOf = ({ name }: NamedDuty): WorkKey => ({ kind: DUTY, id: `|${name}` });

/** Whether a piece of work is the second source of ticks. */
export const isBeat = ({ kind, id }: WorkKey): boolean => kind === DUTY && id === dutyWorkOf({ name: BEAT }).id;

/** A duty of a newer version of the service, or of an older one, waits for whoever knows it. */
const UNKNOWN = everySeconds(3_600);

export interface DutyPorts<S> {
  readonly duties: readonly Duty<S>[];
  readonly services: () => S;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Work that runs duties: one that is slow or fails delays no other. It is tried again until its next time takes over. */
export function dutyKind<S>({ duties, services, clock, log }: DutyPorts<S>, leaseMs: number): WorkKind {
  const now = (): number => clock.now().getTime();
  const begin = (item: WorkItem): Promise<Step> => {
    const duty = duties.find((known) => dutyWorkOf(known).id === item.id);
    const times = duty?.times(services()) ?? UNKNOWN;
    const waiting = (place: Place | undefined): Outcome => ({
      kind: 'wait',
      until: timeAfter(times, now()),
      hasProgress: true,
      ...(place === undefined ? {} : { place }),
    });
    const run = async (): Promise<Outcome> => {
      if (duty === undefined) return waiting(item.place);
      const facts = await duty.run(services());
      const after = (): void => {
        log('Duty:Done', { operation: duty.name, ...facts });
      };
      return { ...waiting({ step: 'run', state: { doneAt: clock.now().toISOString() } }), after };
    };
    // One that hangs ends here too.
    const told = (error: unknown): Failure => {
      log('Duty:Failed', { operation: duty?.name, cause: errorText(error) });
      return { ...(duty?.failureOf ?? failureOf)(error), until, place: item.place };
    };
    const until = timeAfter(times, now());
    return Promise.resolve({
      retry: retryWithin(times),
      run,
      giveUp: () => Promise.resolve(waiting(item.place)),
      failureOf: told,
    });
  };
  return { kind: DUTY, leaseMs, longestMs: LONGEST_MS, begin };
}

/** Until the next time, which does what this one could not. */
function retryWithin({ everyMs }: Times): RetryPolicies {
  const policy = { initialMs: Math.min(MINUTE_MS, everyMs), coefficient: 2, maximumMs: Math.min(HOUR_MS, everyMs) };
  // Attempts that die count, too: one that ends its process must not do so for hours.
  return { fault: { ...policy, maximumAttempts: 8 }, outage: policy, refusal: policy };
}

/** Has each duty done at its next time that isn't planned yet; once in a process is enough. */
export function openDuties<S>(
  { duties, services, clock }: Omit<DutyPorts<S>, 'log'>,
  enqueuer: Pick<Enqueuer, 'plan'>,
): () => Promise<void> {
  let isOpen = false;
  return async () => {
    if (isOpen) return;
    for (const duty of duties) {
      await enqueuer.plan(dutyWorkOf(duty), timeAfter(duty.times(services()), clock.now().getTime()));
    }
    isOpen = true;
  };
}

/** A duty is overdue when no attempt and no sweep has touched its row until so long after the sweep was to look at it. */
const OVERDUE_MS = 6 * MINUTE_MS;

/**
 * When each duty was last done, ISO 8601; null where it hasn't been. A duty that is overdue gets its message: requests to
 * `/ready` keep the duties going even when the host's timer and the duties' own messages have stopped.
 */
export const lookAfterDuties =
  (duties: readonly NamedDuty[], ports: EnqueuePorts) => async (): Promise<Readonly<Record<string, string | null>>> => {
    const latest = ports.clock.now().getTime() - OVERDUE_MS;
    const look = async (duty: NamedDuty): Promise<[string, string | null]> => {
      const stored = await ports.store.find(dutyWorkOf(duty));
      // The write of the row's next look is guarded by its ETag: of several processes one sends the message.
      if (stored !== undefined && stored.item.checkAt < latest) await resend(ports, stored).catch(() => undefined);
      const doneAt = stored?.item.place?.state?.['doneAt'];
      return [duty.name, typeof doneAt === 'string' ? doneAt : null];
    };
    return Object.fromEntries(await Promise.all(duties.map(look)));
  };
