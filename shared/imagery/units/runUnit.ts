import type { NewId } from '../../ids.js';
import { errorText } from '../../telemetry/telemetry.js';
import type { BlockShare } from '../../raster/blockShare.js';
import { RasterError } from '../../raster/rasterError.js';
import type { SceneReader } from '../imageryPorts.js';
import { attempt, isOutage, type AttemptPorts, type NotingHold } from '../work/attempt.js';
import { claimDecision } from '../work/imageryWork.js';
import { asWantedNow, sliceWorks, type CellPorts, type SliceWork } from './renderCell.js';
import { giveUpUnit, renderScenes, type RenderPorts } from './renderScenes.js';
import { SliceNotes, type SliceNotesStore } from './sliceNotes.js';
import type { StoredUnit, UnitQueue, UnitStore } from './unitPorts.js';
import {
  culpritOf,
  hasToDo,
  leftWith,
  MOST_LATE,
  movedOut,
  takenUp,
  textOfUnit,
  unitOfNotice,
  type OpenUnit,
  type UnitNotice,
} from './unitWork.js';

export interface RunUnitPorts extends Omit<AttemptPorts, 'clock'>, RenderPorts, CellPorts {
  readonly clock: AttemptPorts['clock'];
  readonly units: UnitStore;
  readonly unitQueue: UnitQueue;
  readonly notes: SliceNotesStore;
  readonly newId: NewId;
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

/** What an attempt writes of its unit, so that it can end it without a look at the row. */
class OwnWrites {
  /** Of the row as this attempt wrote it last; undefined once others have written, for they ask for something else. */
  etag: string | undefined;
  readonly #units: UnitStore;
  readonly #claim: string;
  #isAlone = true;

  constructor(units: UnitStore, claim: string) {
    this.#units = units;
    this.#claim = claim;
  }

  async replace(unit: OpenUnit, etag: string): Promise<string | undefined> {
    const written = await this.#units.replace(unit, etag, this.#claim);
    this.#isAlone &&= written?.isAskedAnew === false;
    this.etag = this.#isAlone ? written?.etag : undefined;
    return written?.etag;
  }
}

/** One attempt at a unit. */
class UnitAttempt {
  readonly #ports: RunUnitPorts;
  readonly #render: RenderPorts;
  readonly #hold: NotingHold<OpenUnit>;
  readonly #writes: OwnWrites;
  /** Whether an attempt ended before: then each slice is noted before it begins. */
  readonly #isRepeated: boolean;
  /** What the last pass over the slices has left. */
  left: readonly string[] = [];

  constructor(
    ports: RunUnitPorts,
    unit: OpenUnit,
    { hold, writes }: { readonly hold: NotingHold<OpenUnit>; readonly writes: OwnWrites },
  ) {
    this.#ports = ports;
    this.#writes = writes;
    this.#render = { ...ports, reader: sharing(ports.reader, ports.newShare()) };
    this.#hold = hold;
    this.#isRepeated = unit.attempts > 0;
  }

  /** Does the slices, and those again of which something else is asked meanwhile. */
  async run(unit: OpenUnit): Promise<void> {
    const startedAt = this.#ports.clock.now().getTime();
    for (let current: OpenUnit | undefined = unit; current !== undefined;) {
      const asked = current;
      const works = await this.#worksOf(asked);
      await this.#each(works, (work) => this.#make(asked, work, work === works[0]));
      current = await this.#finish(asked, works, startedAt);
    }
  }

  /** @param isFresh whether it was asked just now who wants the slice */
  async #make(unit: OpenUnit, work: SliceWork, isFresh: boolean): Promise<void> {
    const { key, customer, unit: slice } = isFresh ? work : await asWantedNow(this.#ports)(unit, work);
    // Nobody's any more, or a purged customer's: nothing may be written there.
    if (slice.fields.every(({ wanted }) => wanted?.length === 0)) return;
    const notes = await SliceNotes.of(this.#ports.notes, { customer, key: `${unit.tile}|${unit.cell}|${key}` });
    await renderScenes(this.#render)(customer, slice, this.#hold, notes);
  }

  /** Ends what is left of a unit without result. */
  async giveUp(unit: OpenUnit, reason: string): Promise<void> {
    const works = await this.#worksOf(unit);
    const end = { reason, hold: this.#hold };
    await this.#each(works, ({ customer, unit: slice }) => giveUpUnit(this.#render)(customer, slice, end));
    await this.#finish(unit, works, this.#ports.clock.now().getTime());
  }

  async #worksOf(unit: OpenUnit): Promise<readonly SliceWork[]> {
    return (await sliceWorks(this.#ports)(unit)).filter(({ key }) => hasToDo(unit, key));
  }

  /** @returns the unit when something else is asked of it by now */
  async #finish(unit: OpenUnit, works: readonly SliceWork[], startedAt: number): Promise<OpenUnit | undefined> {
    const customers = new Set(works.map(({ customer }) => customer)).size;
    const fields = works.reduce((sum, { unit: slice }) => sum + slice.fields.length, 0);
    const end = await this.#ports.units.finish(unit, { customers, fields }, this.#writes.etag);
    const now = this.#ports.clock.now().getTime();
    const facts = { unit: textOfUnit(unit), lane: unit.lane, customers, fields, slices: works.length };
    const ageSeconds = Math.round((now - unit.publishedAt) / 1000);
    if (end !== 'lost') this.#ports.log('Unit:Rendered', { ...facts, ageSeconds, durationMs: now - startedAt });
    return end === 'changed' ? (await this.#ports.units.find(unit))?.unit : undefined;
  }

  /**
   * One slice after the other. One that fails leaves the unit open for it, and the others go on; where the scenes
   * themselves are away they would all fail.
   *
   * @throws the fault that tells most, when a slice was left
   */
  async #each(works: readonly SliceWork[], action: (work: SliceWork) => Promise<void>): Promise<void> {
    const left: string[] = [];
    const faults: unknown[] = [];
    let outages = 0;
    for (const [index, work] of works.entries()) {
      await this.#note(work);
      try {
        await action(work);
        outages = 0;
      } catch (error) {
        this.#hold.signal.throwIfAborted();
        left.push(work.key);
        faults.push(error);
        this.#ports.log('Unit:SliceFailed', { customer: work.customer, cause: errorText(error) });
        outages = isOutage(error) ? outages + 1 : 0;
        if (!(error instanceof RasterError) && outages < MOST_OUTAGES) continue;
        left.push(...works.slice(index + 1).map(({ key }) => key));
        break;
      }
    }
    this.left = left;
    if (faults.length > 0) throw faults.find((fault) => !isOutage(fault)) ?? faults[0];
  }

  async #note({ key: slice }: SliceWork): Promise<void> {
    if (!this.#isRepeated) return;
    await this.#hold.note((unit) => {
      const deaths = unit.at?.slice === slice ? unit.at.deaths : 0;
      return { ...unit, at: { slice, deaths } };
    });
  }
}

/** Moves a slice in which two attempts have died into a unit of its own. @returns what is left without it */
async function withoutCulprit(ports: RunUnitPorts, stored: StoredUnit): Promise<StoredUnit | undefined> {
  const now = ports.clock.now().getTime();
  if (claimDecision(stored.unit, now) === 'wait') return undefined;
  const slice = culpritOf(takenUp(stored.unit, ''));
  if (slice === undefined) return stored;
  const parts = movedOut(stored.unit, slice, now);
  if (!(await ports.units.split(stored, parts))) return undefined;
  ports.log('Unit:SliceMovedOut', { unit: textOfUnit(stored.unit), customer: slice.split('|')[0] });
  await ports.unitQueue.enqueue(parts.own.lane, parts.own, 0);
  return ports.units.find(stored.unit);
}

/** Opens the next units of the late lane where one has ended. */
export async function promoteLate(
  { units, unitQueue, clock }: Pick<RunUnitPorts, 'units' | 'unitQueue' | 'clock'>,
  bucket: number,
): Promise<number> {
  const promoted = await units.promote(bucket, MOST_LATE, clock.now().getTime());
  for (const unit of promoted) await unitQueue.enqueue(unit.lane, unit, 0);
  return promoted.length;
}

/** One attempt at a unit as it was read. @returns false when it is another's, not due, or not as it was read any more */
async function attemptUnit(ports: RunUnitPorts, stored: StoredUnit): Promise<boolean> {
  const unit = takenUp(stored.unit, ports.newId());
  const writes = new OwnWrites(ports.units, unit.claim);
  let current: UnitAttempt | undefined;
  const begin = (hold: NotingHold<OpenUnit>): UnitAttempt => (current = new UnitAttempt(ports, unit, { hold, writes }));
  return attempt<OpenUnit>(
    ports,
    { work: unit, etag: stored.etag },
    {
      countsRefusals: true,
      replace: (work, etag) => writes.replace(work, etag),
      enqueue: (work, delayMs) => ports.unitQueue.enqueue(work.lane, work, delayMs),
      facts: (work) => ({ unit: textOfUnit(work), lane: work.lane }),
      run: (hold) => begin(hold).run(unit),
      giveUp: (reason, hold) => begin(hold).giveUp(unit, reason),
      givenBack: (work) => leftWith(work, current?.left ?? []),
      finish: async () => {
        if (unit.lane === 'late') await promoteLate(ports, ports.units.bucketOf(unit));
      },
    },
  );
}

/**
 * Does one attempt at a unit: the slices of all customers one after the other, each with its own records and files and
 * none of another's, the blocks of the scenes shared. Where the message shows the row as it still is, it isn't read.
 */
export const runUnit =
  (ports: RunUnitPorts) =>
  async (notice: UnitNotice): Promise<void> => {
    const shown = unitOfNotice(notice);
    if (shown !== undefined && (await attemptUnit(ports, shown))) return;
    const found = await ports.units.find(notice);
    const stored = found === undefined ? undefined : await withoutCulprit(ports, found);
    if (stored !== undefined) await attemptUnit(ports, stored);
  };
