import type { Clock } from '../../kit/clock.js';
import type { BlockShare } from '../../raster/read/blockShare.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { errorText } from '../../kit/telemetry/telemetry.js';
import type { Attempt } from '../../work/item/attempt.js';
import type { WorkItem } from '../../work/item/workItem.js';
import type { Outcome } from '../../work/item/workKind.js';
import type { SceneReader } from '../../scenes/pixels/pixelPorts.js';
import { Parts, type PartsWork, type WorkHold } from './parts.js';
import { asWantedNow, sliceWorks, type CellPorts, type SliceWork } from './renderCell.js';
import { giveUpUnit, renderScenes, type RenderPorts } from './renderScenes.js';
import { notesKeyOf, SliceNotes, type SliceNotesStore } from './sliceNotes.js';
import { textOfUnit, unitOf, type Unit } from './unit.js';

/** What an attempt at a unit needs. */
export interface RunUnitPorts extends RenderPorts, CellPorts {
  readonly clock: Clock;
  readonly notes: SliceNotesStore;
  /** The cache of file blocks that the slices of one unit share. */
  readonly newShare: () => BlockShare;
}

/** A reader that fetches each block once for all its reads. */
const sharing = (reader: SceneReader, share: BlockShare): SceneReader => ({
  read: (scene, file, options) => reader.read(scene, file, { ...options, share }),
  offsetOf: (scene) => reader.offsetOf(scene),
});

/** One attempt at a unit, slice by slice. */
export class UnitAttempt {
  readonly parts: Parts;
  readonly #ports: RunUnitPorts;
  readonly #render: RenderPorts;

  /** @param before the item before it was claimed */
  constructor(ports: RunUnitPorts, before: WorkItem) {
    this.#ports = ports;
    this.#render = { ...ports, reader: sharing(ports.reader, ports.newShare()) };
    this.parts = new Parts(ports.clock, before);
  }

  /** Makes the slices. When the unit is asked for again meanwhile, the kernel runs it again. */
  run(attempt: Attempt): Promise<Outcome> {
    const unit = unitOf(attempt.item);
    const hold = this.parts.holdOf(attempt);
    return this.#each(attempt, hold, (work, isFirst) => this.#make(unit, work, { hold, isFresh: isFirst }));
  }

  /** Records the remaining slices as failed. */
  giveUp(attempt: Attempt, reason: string): Promise<Outcome> {
    const hold = this.parts.holdOf(attempt);
    return this.#each(attempt, hold, (work) => this.#end(work, reason, hold));
  }

  async #each(attempt: Attempt, hold: WorkHold, run: PartsWork<SliceWork>['run']): Promise<Outcome> {
    const startedAt = this.#now();
    const { asks } = attempt.item;
    const unit = unitOf(attempt.item);
    const parts = this.parts.remaining(await sliceWorks(this.#ports)(unit), asks);
    const { log } = this.#ports;
    const unfinished = await this.parts.each(
      attempt,
      { parts, asks },
      {
        run,
        giveUp: (work, reason) => {
          log('Unit:SliceGivenUp', { unit: textOfUnit(unit), customer: work.customer });
          return this.#end(work, reason, hold);
        },
        // The slices are made of the same scenes.
        isOfAll: (error) => error instanceof RasterError,
        failed: ({ customer }, error) => {
          log('Unit:SliceFailed', { customer, cause: errorText(error) });
        },
      },
    );
    return unfinished ?? this.#ended(unit, parts, startedAt);
  }

  /** @param isFresh whether the index was read just now */
  async #make(unit: Unit, work: SliceWork, { hold, isFresh }: { hold: WorkHold; isFresh: boolean }): Promise<void> {
    const { key, customer, unit: slice } = isFresh ? work : await asWantedNow(this.#ports)(unit, work);
    // Nobody wants the fields any more, or the customer was purged: nothing may be written.
    if (slice.fields.every(({ wanted }) => wanted?.length === 0)) return;
    const notes = await SliceNotes.of(this.#ports.notes, { customer, key: notesKeyOf(unit, key) });
    await renderScenes(this.#render)(customer, slice, hold, notes);
  }

  #end({ customer, unit: slice }: SliceWork, reason: string, hold: WorkHold): Promise<void> {
    return giveUpUnit(this.#render)(customer, slice, { reason, hold });
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

  #now(): number {
    return this.#ports.clock.now().getTime();
  }
}
