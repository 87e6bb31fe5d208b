import type { Clock } from '../../kit/clock.js';
import { errorText } from '../../kit/telemetry/telemetry.js';
import { addDays } from '../../kit/validation/calendar.js';
import type { Attempt } from '../../work/item/attempt.js';
import { backfillsLaneOf } from '../../work/lanes/lane.js';
import type { WorkItem } from '../../work/item/workItem.js';
import { done, type Outcome, type Step, type WorkKind } from '../../work/item/workKind.js';
import { failureOfScenes, retryOfScenes } from '../../scenes/stac/sceneFailure.js';
import type { Retry } from '../records/recordFieldDates.js';
import { Parts, type Part, type PartsWork } from '../units/parts.js';
import { giveUpUnit, renderScenes, type RenderPorts } from '../units/renderScenes.js';
import type { SliceWork } from '../units/renderCell.js';
import { BACKFILL, backfillOf, type Backfill } from './backfill.js';
import { targetsOf, type BackfillTarget, type TargetPorts } from './backfillTargets.js';
import { missingDays, type MissingDaysPorts } from './missingDays.js';
import { workBeginsAt } from '../../scenes/stac/searchPeriods.js';

/** What a backfill needs. */
export type BackfillPorts = RenderPorts & MissingDaysPorts & TargetPorts & { readonly clock: Clock };

const HOUR_MS = 3_600_000;

/** The pause after a search that has failed too often. */
const POSTPONED_MS = 6 * HOUR_MS;
/** A search that always fails is dropped so many days after the end of the enrollment. */
const HOPELESS_AFTER_DAYS = 30;

/** What is missing on one day. */
interface Day extends Part {
  readonly works: readonly SliceWork[];
}

/** Whether the enrollment is over for so long that a search is dropped. */
function isHopeless({ enrollment: { request, createdAt } }: BackfillTarget, today: string): boolean {
  const created = new Date(createdAt).toISOString().slice(0, 10);
  const last = request.endDate > created ? request.endDate : created;
  return today > addDays(last, HOPELESS_AFTER_DAYS);
}

/** What is to be made, by day, the newest day first. */
function daysOf(works: readonly SliceWork[]): readonly Day[] {
  const dates = [...new Set(works.map(({ unit }) => unit.date))].sort().reverse();
  return dates.map((key) => ({ key, works: works.filter(({ unit }) => unit.date === key) }));
}

/** One attempt at a backfill: searches the catalogue, then makes what is missing day by day. */
class BackfillAttempt {
  readonly parts: Parts;
  readonly #ports: BackfillPorts;
  readonly #backfill: Backfill;
  /** The day on which this work item runs again; undefined when nothing failed that may pass. */
  #dueDate: string | undefined;

  /** @param before the work item as it was before the claim */
  constructor(ports: BackfillPorts, before: WorkItem) {
    this.#backfill = backfillOf(before);
    this.#ports = { ...ports, askRetry: (again) => this.#askRetry(ports, again) };
    this.parts = new Parts(ports.clock, before);
  }

  async run(attempt: Attempt): Promise<Outcome> {
    this.#dueDate = undefined;
    const works = await this.#search(attempt, await targetsOf(this.#ports, this.#backfill));
    return this.#each(attempt, works, (day) => this.#make(attempt, day));
  }

  /** Records days that failed too often as failed; a search that fails is postponed. */
  async giveUp(attempt: Attempt, reason: string): Promise<Outcome> {
    const targets = await targetsOf(this.#ports, this.#backfill);
    // Attempts died outside of any day, so in the search: it would end the process once more.
    if (this.parts.hasDiedOutside) return this.#postponed(targets, reason);
    let works: readonly SliceWork[];
    try {
      works = await this.#search(attempt, targets);
    } catch (error) {
      attempt.signal.throwIfAborted();
      return this.#postponed(targets, errorText(error));
    }
    return this.#each(attempt, works, (day) => this.#makeOrEnd(attempt, day, reason));
  }

  /**
   * A failed search is dropped only when the enrollment is long over, for an outage must not look like "no imagery"; a
   * `retry` is never dropped, for its days are recorded as failing.
   */
  #postponed(targets: readonly BackfillTarget[], cause: unknown): Outcome {
    const { customer, enrollmentId, from, to, why } = this.#backfill;
    const now = this.#ports.clock.now();
    const today = now.toISOString().slice(0, 10);
    const isDropped = why !== 'retry' && targets.every((target) => isHopeless(target, today));
    this.#ports.log('Imagery:SearchPostponed', { customer, enrollmentId, from, to, cause, isDropped });
    return isDropped ? done : this.#again(now.getTime() + POSTPONED_MS);
  }

  /** Tries a day once more before it is given up: an attempt may have failed at other days before this one. */
  async #makeOrEnd(attempt: Attempt, day: Day, reason: string): Promise<void> {
    try {
      await this.#make(attempt, day);
    } catch {
      attempt.signal.throwIfAborted();
      await this.#end(attempt, day, reason);
    }
  }

  async #make(attempt: Attempt, { works }: Day): Promise<void> {
    const hold = this.parts.holdOf(attempt);
    for (const { customer, unit } of works) await renderScenes(this.#ports)(customer, unit, hold);
  }

  async #search(attempt: Attempt, targets: readonly BackfillTarget[]): Promise<readonly SliceWork[]> {
    const today = this.#ports.clock.now().toISOString().slice(0, 10);
    const works: SliceWork[] = [];
    for (const target of targets) {
      const search = { ...target, backfill: this.#backfill, today };
      works.push(...(await missingDays(this.#ports)(search, attempt.signal)));
    }
    return works;
  }

  async #each(attempt: Attempt, works: readonly SliceWork[], run: PartsWork<Day>['run']): Promise<Outcome> {
    const { asks } = attempt.item;
    const { customer, enrollmentId } = this.#backfill;
    const unfinished = await this.parts.each(
      attempt,
      { parts: this.parts.remaining(daysOf(works), asks), asks },
      {
        run,
        giveUp: (day, reason) => this.#end(attempt, day, reason),
        // A failure of one day says nothing of the others: each has its own scenes.
        isOfAll: () => false,
        failed: ({ key }, error) => {
          this.#ports.log('Imagery:DayFailed', { customer, enrollmentId, date: key, cause: errorText(error) });
        },
      },
    );
    if (unfinished !== undefined || this.#dueDate === undefined) return unfinished ?? done;
    return this.#again(workBeginsAt(this.#dueDate));
  }

  async #end(attempt: Attempt, { works }: Day, reason: string): Promise<void> {
    const end = { reason, hold: this.parts.holdOf(attempt) };
    for (const { customer, unit } of works) await giveUpUnit(this.#ports)(customer, unit, end);
  }

  /** Runs the work item again at an instant, for which it takes a place in its lane again. */
  #again(until: number): Outcome {
    return {
      kind: 'wait',
      until,
      leaving: { askAgainIn: backfillsLaneOf(this.#backfill.customer) },
      hasProgress: true,
    };
  }

  /** Asks for a retry; where that is this very work item, notes when it has to run again. */
  #askRetry(ports: Pick<BackfillPorts, 'askRetry'>, again: Retry): Promise<void> {
    const { why, enrollmentId, from } = this.#backfill;
    const isOwn = why === 'retry' && again.enrollmentId === enrollmentId && again.date === from;
    if (!isOwn) return ports.askRetry(again);
    const { dueDate } = again;
    if (this.#dueDate === undefined || dueDate < this.#dueDate) this.#dueDate = dueDate;
    return Promise.resolve();
  }
}

/** The kind of work that makes what is missing on days of an enrollment, the newest day first; failed days are retried alone. */
export function backfillKind(ports: BackfillPorts, leaseMs: number): WorkKind {
  const begin = (item: WorkItem): Promise<Step> => {
    const backfill = new BackfillAttempt(ports, item);
    return Promise.resolve({
      retry: retryOfScenes,
      run: (attempt: Attempt) => backfill.run(attempt),
      giveUp: (attempt: Attempt, reason: string) => backfill.giveUp(attempt, reason),
      failureOf: (error) => ({ ...failureOfScenes(error), place: backfill.parts.place }),
    });
  };
  return { kind: BACKFILL, leaseMs, begin };
}
