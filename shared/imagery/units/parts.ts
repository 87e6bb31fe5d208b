import type { Clock } from '../../clock.js';
import type { JsonObject } from '../../json.js';
import type { Attempt } from '../../work/attempt.js';
import type { FailureClass, Place, WorkItem } from '../../work/workItem.js';
import type { Outcome } from '../../work/workKind.js';
import { failureOfScenes, isOutage } from '../catalogue/sceneFailure.js';

/** What whoever makes images knows of the hold of its attempt. */
export interface WorkHold {
  /** Aborts when the work is lost. */
  readonly signal: AbortSignal;
  /** Whether an attempt before this one has ended without result: what it left is looked for before anything is done. */
  readonly isRepeated: boolean;
  /** Something was brought about that a later attempt won't have to do: attempts count anew. */
  progressed(): Promise<void>;
}

/** A part of some work, which fails and is repeated by itself. */
export interface Part {
  /** Stays the same from one attempt to the next. */
  readonly key: string;
}

/** How the parts of some work are done. */
export interface PartsWork<P extends Part> {
  /** @param isFirst whether the parts were listed just now */
  readonly run: (part: P, isFirst: boolean) => Promise<void>;
  /** Ends a part without result. */
  readonly giveUp: (part: P, reason: string) => Promise<void>;
  /** Whether the other parts would fail as well. */
  readonly isOfAll: (error: unknown) => boolean;
  readonly failed: (part: P, error: unknown) => void;
}

/** Parts in a row that meet the same: then it is everybody's, and the others would wait for nothing. */
const MOST_IN_A_ROW: Readonly<Partial<Record<FailureClass, number>>> = { outage: 3, refusal: 10 };
/** Attempts that may die in a part before it is given up: most die of something else in their process. */
const MOST_DEATHS = 6;
/** Of more parts that were left all are looked through again. */
const MOST_NAMED = 200;
/** Then an attempt lets others have their turn, well before its time is over. */
const LONGEST_MS = 10 * 60_000;

/** Where the next attempt goes on. */
interface Progress {
  /** The only parts that are still to be done, as long as nobody asks anew; all of them when absent. */
  readonly left?: { readonly asks: number; readonly keys: readonly string[] };
  /** The part that an attempt was about to begin: noted from the second attempt on. */
  readonly at?: string;
  /** How many attempts died in a part. */
  readonly deaths?: Readonly<Record<string, number>>;
}

const notedIn = (place: Place | undefined): Progress => place?.state ?? {};

/** What an attempt finds that begins now: one that held the work and hasn't given it back has died in its part. */
function progressOf({ place, claim }: WorkItem): Progress {
  const { at, ...progress } = notedIn(place);
  if (at === undefined || claim === undefined) return progress;
  return { ...progress, deaths: { ...progress.deaths, [at]: (progress.deaths?.[at] ?? 0) + 1 } };
}

/** What has become of the parts so far. */
interface Tally {
  readonly left: string[];
  readonly faults: unknown[];
  /** Of the latest fault: how many parts in a row have met that. */
  failureClass?: FailureClass;
  inARow: number;
}

const isOfEverybody = ({ failureClass, inARow }: Tally): boolean =>
  failureClass !== undefined && inARow >= (MOST_IN_A_ROW[failureClass] ?? Infinity);

const isTold = (left: readonly string[]): boolean => left.length > 0 && left.length <= MOST_NAMED;

/** The parts of a piece of work while one attempt does them. */
export class Parts {
  /** Whether an attempt ended before this one: then each part is noted before it begins. */
  readonly isRepeated: boolean;
  /** Whether the attempt before this one died, and in none of the parts. */
  readonly hasDiedOutside: boolean;
  readonly #clock: Pick<Clock, 'now'>;
  #progress: Progress;

  /** @param before the item before it was claimed */
  constructor(clock: Pick<Clock, 'now'>, before: WorkItem) {
    this.#clock = clock;
    this.isRepeated = before.attempts > 0 || before.place !== undefined;
    this.hasDiedOutside = before.claim !== undefined && notedIn(before.place).at === undefined;
    this.#progress = progressOf(before);
  }

  /** Where the next attempt goes on when this one fails. */
  get place(): Place {
    return placeOf(this.#progress);
  }

  holdOf(attempt: Attempt): WorkHold {
    return { signal: attempt.signal, isRepeated: this.isRepeated, progressed: () => attempt.progressed() };
  }

  /** The parts that are still to be done, last those in which attempts have died. @param asks behind which they were listed */
  remaining<P extends Part>(parts: readonly P[], asks: number): readonly P[] {
    const { left, deaths = {} } = this.#progress;
    return parts
      .filter(({ key }) => left?.asks !== asks || left.keys.includes(key))
      .toSorted((a, b) => (deaths[a.key] ?? 0) - (deaths[b.key] ?? 0));
  }

  /**
   * One part after the other. One that fails leaves the work open for it, and the others go on; one in which attempts have
   * died again and again is given up.
   *
   * @returns the outcome for an attempt that has to let others have their turn; undefined when all parts are done
   * @throws the fault that tells most, when a part was left
   */
  async each<P extends Part>(
    attempt: Attempt,
    { parts, asks }: { readonly parts: readonly P[]; readonly asks: number },
    work: PartsWork<P>,
  ): Promise<Outcome | undefined> {
    const until = this.#now() + LONGEST_MS;
    const tally: Tally = { left: [], faults: [], inARow: 0 };
    for (const [index, part] of parts.entries()) {
      const isOfAll = tally.faults.length > 0 && work.isOfAll(tally.faults.at(-1));
      if (isOfAll || isOfEverybody(tally) || this.#now() >= until) {
        tally.left.push(...parts.slice(index).map(({ key }) => key));
        break;
      }
      if (this.isRepeated) await attempt.save(placeOf({ ...this.#progress, at: part.key }));
      await this.#one(attempt, { part, isFirst: index === 0, tally }, work);
    }
    return this.#ended(tally, asks);
  }

  #ended({ left, faults }: Tally, asks: number): Outcome | undefined {
    this.#progress = { ...this.#deaths, ...(isTold(left) ? { left: { asks, keys: left } } : {}) };
    if (faults.length > 0) throw faults.find((fault) => !isOutage(fault)) ?? faults[0];
    return left.length === 0 ? undefined : { kind: 'wait', until: this.#now(), place: this.place, hasProgress: true };
  }

  get #deaths(): Pick<Progress, 'deaths'> {
    const { deaths } = this.#progress;
    return deaths === undefined ? {} : { deaths };
  }

  async #one<P extends Part>(
    attempt: Attempt,
    { part, isFirst, tally }: { readonly part: P; readonly isFirst: boolean; readonly tally: Tally },
    work: PartsWork<P>,
  ): Promise<void> {
    const deaths = this.#progress.deaths?.[part.key] ?? 0;
    try {
      if (deaths < MOST_DEATHS) await work.run(part, isFirst);
      else await work.giveUp(part, 'every attempt was cut short');
      tally.inARow = 0;
    } catch (error) {
      attempt.signal.throwIfAborted();
      tally.left.push(part.key);
      tally.faults.push(error);
      const { failureClass } = failureOfScenes(error);
      tally.inARow = tally.failureClass === failureClass ? tally.inARow + 1 : 1;
      tally.failureClass = failureClass;
      work.failed(part, error);
    }
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

const placeOf = (progress: Progress): Place => ({
  step: 'parts',
  state: JSON.parse(JSON.stringify(progress)) as JsonObject,
});
