import type { Clock } from '../../kit/clock.js';
import type { JsonObject } from '../../kit/json/json.js';
import type { Attempt } from '../../work/item/attempt.js';
import type { FailureClass, Place, WorkItem } from '../../work/item/workItem.js';
import type { Outcome } from '../../work/item/workKind.js';
import { failureOfScenes, isOutage } from '../../scenes/stac/sceneFailure.js';

/** What the making of images knows of its attempt. */
export interface WorkHold {
  /** Aborts when the attempt loses its lease. */
  readonly signal: AbortSignal;
  /** Whether an earlier attempt has failed: then the files and records that it left are read before anything is made. */
  readonly isRepeated: boolean;
  /** Tells that a later attempt has less to do: attempts are counted anew. */
  progressed(): Promise<void>;
}

/** A part of a work item, which fails and is repeated by itself. */
export interface Part {
  /** Stays the same from one attempt to the next. */
  readonly key: string;
}

/** How the parts of a work item are done. */
export interface PartsWork<P extends Part> {
  /** @param isFirst whether the parts were listed just now */
  readonly run: (part: P, isFirst: boolean) => Promise<void>;
  /** Records a part as failed. */
  readonly giveUp: (part: P, reason: string) => Promise<void>;
  /** Whether the other parts would fail as well. */
  readonly isOfAll: (error: unknown) => boolean;
  readonly failed: (part: P, error: unknown) => void;
}

/** After this many failures of one class in a row the remaining parts wait too, for they would fail alike. */
const MOST_IN_A_ROW: Readonly<Partial<Record<FailureClass, number>>> = { outage: 3, refusal: 10 };
/** Attempts that may die in a part before the part is given up: most die for reasons outside the part. */
const MOST_DEATHS = 6;
/** The most remaining parts that are stored; when more are left, the next attempt goes through all parts. */
const MOST_NAMED = 200;
/** After this time an attempt gives the item back so that other items have their turn. */
const LONGEST_MS = 10 * 60_000;

/** Where the next attempt goes on. */
interface Progress {
  /** The remaining parts, valid while `asks` is the same; all parts when absent. */
  readonly left?: { readonly asks: number; readonly keys: readonly string[] };
  /** The part that an attempt was about to begin; stored from the second attempt on. */
  readonly at?: string;
  /** How many attempts died in a part. */
  readonly deaths?: Readonly<Record<string, number>>;
}

const notedIn = (place: Place | undefined): Progress => place?.state ?? {};

/** The progress for a new attempt: an attempt that still holds the item has died in the part that it had begun. */
function progressOf({ place, claim }: WorkItem): Progress {
  const { at, ...progress } = notedIn(place);
  if (at === undefined || claim === undefined) return progress;
  return { ...progress, deaths: { ...progress.deaths, [at]: (progress.deaths?.[at] ?? 0) + 1 } };
}

/** What has become of the parts so far. */
interface Tally {
  readonly left: string[];
  readonly faults: unknown[];
  /** The class of the latest failure, and how many parts in a row have failed with it. */
  failureClass?: FailureClass;
  inARow: number;
}

const isOfEverybody = ({ failureClass, inARow }: Tally): boolean =>
  failureClass !== undefined && inARow >= (MOST_IN_A_ROW[failureClass] ?? Infinity);

const isTold = (left: readonly string[]): boolean => left.length > 0 && left.length <= MOST_NAMED;

/** The parts of a work item during one attempt. */
export class Parts {
  /** Whether this is not the first attempt: then each part is stored before it begins. */
  readonly isRepeated: boolean;
  /** Whether the previous attempt died outside the parts. */
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

  /** Where the next attempt continues when this one fails. */
  get place(): Place {
    return placeOf(this.#progress);
  }

  holdOf(attempt: Attempt): WorkHold {
    return { signal: attempt.signal, isRepeated: this.isRepeated, progressed: () => attempt.progressed() };
  }

  /** The remaining parts, last those in which attempts have died. @param asks the count when the parts were listed */
  remaining<P extends Part>(parts: readonly P[], asks: number): readonly P[] {
    const { left, deaths = {} } = this.#progress;
    return parts
      .filter(({ key }) => left?.asks !== asks || left.keys.includes(key))
      .toSorted((a, b) => (deaths[a.key] ?? 0) - (deaths[b.key] ?? 0));
  }

  /**
   * Runs one part after the other. The item stays open for a part that fails, and the others go on; a part in which
   * `MOST_DEATHS` attempts have died is given up.
   *
   * @returns a wait when the attempt gives the item back after `LONGEST_MS`; undefined when all parts are done
   * @throws when parts failed: the first fault that is no outage, else the first outage
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
