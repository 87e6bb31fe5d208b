import type { Clock } from '../../clock.js';
import type { BlockShare } from '../../raster/blockShare.js';
import { RasterError } from '../../raster/rasterError.js';
import { errorText } from '../../telemetry/telemetry.js';
import type { Attempt } from '../../work/attempt.js';
import type { Place, WorkItem } from '../../work/workItem.js';
import type { Outcome } from '../../work/workKind.js';
import { isOutage } from '../imageryFailure.js';
import type { SceneReader } from '../imageryPorts.js';
import type { WorkHold } from '../work/attempt.js';
import { asWantedNow, sliceWorks, type CellPorts, type SliceWork } from './renderCell.js';
import { giveUpUnit, renderScenes, type RenderPorts } from './renderScenes.js';
import { SliceNotes, type SliceNotesStore } from './sliceNotes.js';
import { textOfUnit, unitOf, type Unit } from './unit.js';

export interface RunUnitPorts extends RenderPorts, CellPorts {
  readonly clock: Clock;
  readonly notes: SliceNotesStore;
  /** What the slices of one unit share of the blocks they read. */
  readonly newShare: () => BlockShare;
}

/** The same reader, which fetches a block once for all who share. */
const sharing = (reader: SceneReader, share: BlockShare): SceneReader => ({
  read: (scene, file, options) => reader.read(scene, file, { ...options, share }),
  offsetOf: (scene) => reader.offsetOf(scene),
});

/** Slices in a row that meet an outage: then it is everybody's, and the others would wait for nothing. */
const MOST_OUTAGES = 3;
/** Attempts that may die in a slice before it is given up. */
const MOST_DEATHS = 3;
/** Of more slices that were left all are looked through again. */
const MOST_NAMED_SLICES = 200;

/** Where the next attempt at a unit goes on. */
interface Progress {
  /** The only slices that are still to be done, as long as nobody asks anew; all of them when absent. */
  readonly left?: { readonly asks: number; readonly slices: readonly string[] };
  /** The slice that an attempt was about to begin: noted from the second attempt on. */
  readonly at?: string;
  /** How many attempts died in a slice. */
  readonly deaths?: Readonly<Record<string, number>>;
}

/** What an attempt finds that begins now: one that held the unit and hasn't given it back has died in its slice. */
function progressOf({ place, claim }: WorkItem): Progress {
  const { at, ...progress } = (place?.state ?? {}) as unknown as Progress;
  if (at === undefined || claim === undefined) return progress;
  return { ...progress, deaths: { ...progress.deaths, [at]: (progress.deaths?.[at] ?? 0) + 1 } };
}

/** One attempt at a unit. */
export class UnitAttempt {
  readonly #ports: RunUnitPorts;
  readonly #render: RenderPorts;
  /** Whether an attempt ended before this one: then each slice is noted before it begins. */
  readonly #isRepeated: boolean;
  #progress: Progress;

  /** @param before the item before it was claimed */
  constructor(ports: RunUnitPorts, before: WorkItem) {
    this.#ports = ports;
    this.#render = { ...ports, reader: sharing(ports.reader, ports.newShare()) };
    this.#isRepeated = before.attempts > 0 || before.place !== undefined;
    this.#progress = progressOf(before);
  }

  /** Where the next attempt goes on when this one fails. */
  get place(): Place {
    return placeOf(this.#progress);
  }

  /** Does the slices. When something else is asked meanwhile, the kernel runs them again. */
  async run(attempt: Attempt): Promise<Outcome> {
    const unit = unitOf(attempt.item);
    const startedAt = this.#now();
    const hold = this.#holdOf(attempt);
    const works = await this.#each(attempt, unit, (work, isFirst) => this.#make(unit, work, { hold, isFresh: isFirst }));
    return this.#ended(unit, works, startedAt);
  }

  /** Ends what is left of a unit without result. */
  async giveUp(attempt: Attempt, reason: string): Promise<Outcome> {
    const unit = unitOf(attempt.item);
    const startedAt = this.#now();
    const hold = this.#holdOf(attempt);
    return this.#ended(unit, await this.#each(attempt, unit, (work) => this.#end(work, reason, hold)), startedAt);
  }

  /** @param isFresh whether it was asked just now who wants the slice */
  async #make(unit: Unit, work: SliceWork, { hold, isFresh }: { hold: WorkHold; isFresh: boolean }): Promise<void> {
    if ((this.#progress.deaths?.[work.key] ?? 0) >= MOST_DEATHS) {
      this.#ports.log('Unit:SliceGivenUp', { unit: textOfUnit(unit), customer: work.customer });
      return this.#end(work, 'every attempt was cut short', hold);
    }
    const { key, customer, unit: slice } = isFresh ? work : await asWantedNow(this.#ports)(unit, work);
    // Nobody's any more, or a purged customer's: nothing may be written there.
    if (slice.fields.every(({ wanted }) => wanted?.length === 0)) return;
    const notes = await SliceNotes.of(this.#ports.notes, { customer, key: `${unit.tile}|${unit.cell}|${key}` });
    await renderScenes(this.#render)(customer, slice, hold, notes);
  }

  #end({ customer, unit: slice }: SliceWork, reason: string, hold: WorkHold): Promise<void> {
    return giveUpUnit(this.#render)(customer, slice, { reason, hold });
  }

  /**
   * One slice after the other, last those in which attempts have died. One that fails leaves the unit open for it, and the
   * others go on; where the scenes themselves are away they would all fail.
   *
   * @returns the slices
   * @throws the fault that tells most, when a slice was left
   */
  async #each(
    attempt: Attempt,
    unit: Unit,
    action: (work: SliceWork, isFirst: boolean) => Promise<void>,
  ): Promise<readonly SliceWork[]> {
    const { asks } = attempt.item;
    const works = await this.#worksOf(unit, asks);
    const left: string[] = [];
    const faults: unknown[] = [];
    let outages = 0;
    for (const [index, work] of works.entries()) {
      if (this.#isRepeated) await attempt.save(placeOf({ ...this.#progress, at: work.key }));
      try {
        await action(work, index === 0);
        outages = 0;
      } catch (error) {
        attempt.signal.throwIfAborted();
        left.push(work.key);
        faults.push(error);
        this.#ports.log('Unit:SliceFailed', { customer: work.customer, cause: errorText(error) });
        outages = isOutage(error) ? outages + 1 : 0;
        if (!(error instanceof RasterError) && outages < MOST_OUTAGES) continue;
        left.push(...works.slice(index + 1).map(({ key }) => key));
        break;
      }
    }
    const isTold = left.length > 0 && left.length <= MOST_NAMED_SLICES;
    const { deaths } = this.#progress;
    this.#progress = { ...(deaths && { deaths }), ...(isTold ? { left: { asks, slices: left } } : {}) };
    if (faults.length > 0) throw faults.find((fault) => !isOutage(fault)) ?? faults[0];
    return works;
  }

  async #worksOf(unit: Unit, asks: number): Promise<readonly SliceWork[]> {
    const { left, deaths = {} } = this.#progress;
    const works = await sliceWorks(this.#ports)(unit);
    return works
      .filter(({ key }) => left?.asks !== asks || left.slices.includes(key))
      .toSorted((a, b) => (deaths[a.key] ?? 0) - (deaths[b.key] ?? 0));
  }

  #ended(unit: Unit, works: readonly SliceWork[], startedAt: number): Outcome {
    const after = (): void => {
      const now = this.#now();
      const customers = new Set(works.map(({ customer }) => customer)).size;
      const fields = works.reduce((sum, { unit: slice }) => sum + slice.fields.length, 0);
      const facts = { unit: textOfUnit(unit), lane: unit.lane, customers, fields, slices: works.length };
      const ageSeconds = Math.round((now - unit.publishedAt) / 1000);
      this.#ports.log('Unit:Rendered', { ...facts, ageSeconds, durationMs: now - startedAt });
    };
    return { kind: 'done', after };
  }

  #holdOf(attempt: Attempt): WorkHold {
    return { signal: attempt.signal, isRepeated: this.#isRepeated, progressed: () => attempt.progressed() };
  }

  #now(): number {
    return this.#ports.clock.now().getTime();
  }
}

const placeOf = (progress: Progress): Place => ({ step: 'slices', state: JSON.parse(JSON.stringify(progress)) as never });
