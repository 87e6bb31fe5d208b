import type { Clock } from '../../kit/clock.js';
import { eachOf } from '../../kit/limiter.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { fieldSceneOf, readBands, type BandOrder, type FieldBands } from '../../scenes/pixels/fieldBands.js';
import type { FieldDate } from '../../enrollments/fields/fieldDate.js';
import type { LayerFile, LayersToMake } from '../../scenes/layers/fieldLayers.js';
import { lookAt, type FieldView } from '../../scenes/pixels/fieldView.js';
import type { ImageryStore } from '../documents/blobImageryStore.js';
import type { SceneReader } from '../../scenes/pixels/pixelPorts.js';
import type { FieldDateStore } from '../records/tableFieldDateStore.js';
import {
  failedRecord,
  judge,
  recordOf,
  type Finding,
  type ImageryThresholds,
  type Judgement,
} from '../records/judgement.js';
import { bandsOfLayers } from '../../scenes/layers/layers.js';
import { leastOf, visibilityOfLayers, type LayerVisibility } from '../../scenes/layers/visibility.js';
import { openFieldDates, type OpenFieldDate, type OpenFieldDatePorts } from './openFieldDates.js';
import { Recorder } from '../records/recorder.js';
import { recordFieldDates, type RecordPorts } from '../records/recordFieldDates.js';
import { scenesOf, type RenderUnit, type UnitField } from './renderUnit.js';
import type { SliceNotes } from './sliceNotes.js';
import type { WorkHold } from './parts.js';
import type { Scene } from '../../scenes/item/scene.js';
import { indexedItem, type IndexedItem } from '../documents/itemCollection.js';
import { updateIndexes, type FieldDone, type UpdateIndexesPorts } from '../documents/updateIndexes.js';
import { writeFieldDate, type WriteFieldDatePorts } from './writeFieldDate.js';

/** What `renderScenes` needs. */
export interface RenderPorts extends Omit<OpenFieldDatePorts, 'fieldDates' | 'fields'>, WriteFieldDatePorts {
  readonly fields: OpenFieldDatePorts['fields'] & UpdateIndexesPorts['fields'];
  readonly fieldDates: FieldDateStore;
  readonly askRetry: RecordPorts['askRetry'];
  readonly imagery: ImageryStore;
  readonly reader: SceneReader;
  readonly thresholds: ImageryThresholds;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  /** Yields to the event loop. */
  readonly turn: () => Promise<void>;
}

/** Fields made at the same time: while one is stored the next is computed. */
const CONCURRENT_FIELDS = 4;

/** A field whose best overpass was chosen. */
interface Chosen {
  readonly open: OpenFieldDate;
  readonly view: FieldView;
  readonly judgement: Judgement;
}

/** Coverage first, then the clearer one; the order of the overpasses decides between equals. */
function clearest(views: readonly FieldView[], { coverageFraction }: ImageryThresholds): FieldView | undefined {
  const rank = ({ visibility }: FieldView): number =>
    visibility.coverageFraction >= coverageFraction ? 1 + visibility.clearFraction : visibility.coverageFraction;
  return views.reduce<FieldView | undefined>(
    (best, view) => (best === undefined || rank(view) > rank(best) ? view : best),
    undefined,
  );
}

/** One attempt at a unit. */
class UnitAtWork {
  readonly #ports: RenderPorts;
  readonly #customer: string;
  readonly #unit: RenderUnit;
  readonly #recorder: Recorder;
  readonly #hold: WorkHold;
  readonly #notes: SliceNotes | undefined;
  /** Items that this attempt has written, by field. */
  readonly #written = new Map<string, IndexedItem>();
  /** Records that this attempt has stored, by field. */
  readonly #recorded = new Map<string, FieldDate>();

  constructor(
    ports: RenderPorts,
    customer: string,
    { unit, hold, notes }: { unit: RenderUnit; hold: WorkHold; notes?: SliceNotes | undefined },
  ) {
    this.#notes = notes;
    this.#ports = notes === undefined ? ports : { ...ports, geometries: notes.geometriesBefore(ports.geometries) };
    this.#customer = customer;
    this.#unit = unit;
    this.#hold = hold;
    this.#recorder = new Recorder(hold.isRepeated, async (records, fresh) => {
      hold.signal.throwIfAborted();
      const stored = await recordFieldDates(ports)(customer, unit.enrollmentId, records, { fresh });
      for (const record of stored) this.#recorded.set(record.fieldId, record);
      await hold.progressed();
    });
  }

  async run(): Promise<void> {
    const startedAt = this.#ports.clock.now().getTime();
    const open = await this.#open();
    // The attempt that recorded the last field has written the documents too, unless it died.
    if (open.length === 0 && !this.#hold.isRepeated) return;
    const chosen = await this.#choose(open);
    await this.#make(chosen);
    await this.#recorder.flush();
    await this.#updateIndexes(open);
    const { date, enrollmentId, scenes } = this.#unit;
    const facts = { customer: this.#customer, enrollmentId, date, scenes: scenes.map(({ id }) => id) };
    const durationMs = this.#ports.clock.now().getTime() - startedAt;
    this.#ports.log('Scene:Rendered', { ...facts, fields: open.length, made: chosen.length, durationMs });
  }

  /** Records the fields that are still open as failed. */
  async giveUp(reason: string): Promise<void> {
    const open = await this.#open();
    for (const entry of open) await this.#fail(entry, `The scene cannot be used: ${reason}.`, true);
    await this.#recorder.flush();
    await this.#updateIndexes(open);
  }

  /** After a failed attempt the records are read, for the cache doesn't know what that attempt has stored. */
  #open(): Promise<readonly OpenFieldDate[]> {
    const notes = this.#hold.isRepeated ? undefined : this.#notes;
    return openFieldDates(this.#ports)(this.#customer, this.#unit, notes);
  }

  /** Looks at every open field; fields of which no layer can be made are recorded at once. */
  async #choose(all: readonly OpenFieldDate[]): Promise<readonly Chosen[]> {
    const { reader, thresholds } = this.#ports;
    for (const entry of all) if (entry.field.unusable !== undefined) await this.#recordUnusable(entry);
    const open = all.filter(({ field }) => field.unusable === undefined);
    const orders = open.map((entry) => ({ ...entry, overpasses: this.#overpassesOf(entry) }));
    const looks = await lookAt(reader, orders, this.#hold.signal);
    const chosen: Chosen[] = [];
    for (const [index, entry] of open.entries()) {
      const found = looks[index] ?? [];
      const views = found.flatMap((look) => (look instanceof RasterError ? [] : [look]));
      const view = clearest(views, thresholds);
      if (view === undefined) {
        const fault = found.find((look) => look instanceof RasterError);
        await this.#recordUnseen(entry, fault);
        continue;
      }
      const judgement = judge(entry.toMake, () => view.visibility, thresholds);
      if (judgement.toMake.length > 0) chosen.push({ open: entry, view, judgement });
      else await this.#record({ open: entry, view }, { made: [], skipped: judgement.skipped });
      await this.#ports.turn();
    }
    return chosen;
  }

  /** Overpasses without the scenes that are too cloudy to be opened. */
  #overpassesOf({ field }: OpenFieldDate): readonly (readonly Scene[])[] {
    const { sceneCloudPercent } = this.#ports.thresholds;
    return scenesOf(this.#unit, field)
      .map((scenes) => scenes.filter(({ cloudPercent = 0 }) => cloudPercent <= sceneCloudPercent))
      .filter(({ length }) => length > 0);
  }

  async #make(chosen: readonly Chosen[]): Promise<void> {
    const orders = chosen.map(({ view, judgement }): BandOrder => ({ view, bands: bandsOfLayers(judgement.toMake) }));
    const bands = await readBands(this.#ports.reader, orders, this.#hold.signal);
    await eachOf(chosen, CONCURRENT_FIELDS, async (entry, index) => {
      this.#hold.signal.throwIfAborted();
      const read = bands[index];
      if (read === undefined || read instanceof RasterError) await this.#failBy(entry.open, read);
      else await this.#writeShown(entry, read);
      await this.#ports.turn();
    });
  }

  /** Judges the layers again, each by what its own bands hold, and writes those that stay. */
  async #writeShown({ open, view: looked, judgement: { toMake, skipped } }: Chosen, bands: FieldBands): Promise<void> {
    const shown = visibilityOfLayers(toMake, fieldSceneOf(looked, bands, bandsOfLayers(toMake)));
    const view = { ...looked, visibility: leastOf(Object.values(shown)) };
    const by = judge(toMake, (layer) => shown[layer] ?? looked.visibility, this.#ports.thresholds);
    const judgement = { toMake: by.toMake, skipped: { ...skipped, ...by.skipped } };
    if (by.toMake.length > 0) await this.#write({ open, view, judgement }, bands, shown);
    else await this.#record({ open, view }, { made: [], skipped: judgement.skipped });
  }

  async #write({ open, view, judgement }: Chosen, bands: FieldBands, shown: LayerVisibility): Promise<void> {
    const place = { customer: this.#customer, fieldId: open.field.fieldId, date: this.#unit.date };
    const layers = judgement.toMake;
    const writing = writeFieldDate({ ...this.#ports, makeLayers: (order) => this.#layersOf(order) });
    // A failed attempt may have left files without a record.
    const isNew = !this.#hold.isRepeated && (open.recorded?.layers.length ?? 0) === 0;
    const written = await writing({ place, open, view, bands, shown, layers, isNew });
    if (written === 'outranked') return; // the attempt that works on the better basis records the day
    const { layers: made, document } = written;
    const item = indexedItem(place.date, document);
    if (item !== undefined) this.#written.set(place.fieldId, item);
    const empty = layers.filter((layer) => !made.includes(layer)).map((layer) => [layer, 'no_data'] as const);
    const skipped = { ...judgement.skipped, ...Object.fromEntries(empty) };
    await this.#record({ open, view }, { made, skipped });
  }

  /** Making layers takes long: an attempt that has lost the unit meanwhile must not write them. */
  async #layersOf(order: LayersToMake): Promise<readonly LayerFile[]> {
    const files = await this.#ports.makeLayers(order);
    this.#hold.signal.throwIfAborted();
    return files;
  }

  async #record(
    { open, view }: { readonly open: OpenFieldDate; readonly view?: FieldView },
    found: Pick<Finding, 'made' | 'skipped'>,
  ): Promise<void> {
    const seen = view === undefined ? {} : { visibility: view.visibility };
    const today = this.#today();
    const finding: Finding = { ...this.#findingOf(open, view), ...seen, ...found, today };
    await this.#recorder.add(recordOf(finding, open.recorded, this.#ports.thresholds), open.recorded === undefined);
  }

  /** Records a field that was not seen: every scene is too cloudy, or none can be read. */
  async #recordUnseen(open: OpenFieldDate, fault: RasterError | undefined): Promise<void> {
    if (fault !== undefined) return this.#failBy(open, fault);
    const skipped = Object.fromEntries(open.toMake.map((layer) => [layer, 'cloud' as const]));
    await this.#record({ open }, { made: [], skipped });
  }

  async #failBy(open: OpenFieldDate, fault: RasterError | undefined): Promise<void> {
    const isPassing = fault?.kind === 'unavailable' || fault?.kind === 'refused';
    await this.#fail(open, `The scene cannot be used: ${fault?.message ?? 'pixels are missing'}.`, isPassing);
  }

  /** Tried again later: the catalogue may correct its description. */
  #recordUnusable(open: OpenFieldDate): Promise<void> {
    const fault = open.field.unusable?.fault ?? '';
    return this.#fail(open, `The catalogue describes the scene in a way that cannot be used: ${fault}.`, true);
  }

  async #fail(open: OpenFieldDate, reason: string, isPassing: boolean): Promise<void> {
    const failure = { reason, wanted: open.toMake, isPassing, today: this.#today() };
    const record = failedRecord(this.#findingOf(open), open.recorded, failure);
    await this.#recorder.add(record, open.recorded === undefined);
  }

  #today(): string {
    return this.#ports.clock.now().toISOString().slice(0, 10);
  }

  #findingOf({ field, grounds }: OpenFieldDate, view?: FieldView) {
    // Without a view the record names the best scene of each overpass.
    const scenes = view?.scenes ?? [...scenesOf(this.#unit, field).map(([best]) => best), field.unusable];
    return {
      fieldId: field.fieldId,
      date: this.#unit.date,
      ...grounds,
      scenes: scenes.flatMap((scene) => scene?.id ?? []),
    };
  }

  async #updateIndexes(open: readonly OpenFieldDate[]): Promise<void> {
    const grids = new Map(open.map(({ field, grid }) => [field.fieldId, grid]));
    const fields = this.#unit.fields.map((field) => {
      const grid = grids.get(field.fieldId) ?? field.grid;
      return { ...field, ...(grid === undefined ? {} : { grid }) };
    });
    const done = new Map(fields.map((field) => [field.fieldId, this.#doneOf(field)]));
    const notes = this.#notes;
    const listed = await updateIndexes(this.#ports)(this.#customer, fields, {
      signal: this.#hold.signal,
      done,
      keep: (fieldId, documents) => notes?.keep(fieldId, documents),
    });
    await notes?.replace(fields, listed);
  }

  /** The cache is used only where this attempt has stored the record of the day; else the cache may lack records. */
  #doneOf(field: UnitField): FieldDone {
    const written = this.#written.get(field.fieldId);
    const record = this.#recorded.get(field.fieldId);
    const notes = this.#hold.isRepeated ? undefined : this.#notes;
    const noted = notes?.of(field);
    if (noted === undefined || record === undefined) return { written };
    return { written, known: () => notes?.documentsWith(noted, record), listed: noted.listed };
  }
}

/**
 * Makes the layers of fields on one day: reads the classification first, then the bands of fields that are clear enough,
 * each block of a file once for all fields. Each field gets a record of the day; a repetition makes only what is missing.
 *
 * @param notes the cache of the same fields
 * @throws CatalogueError, RasterError or ServiceError in an outage: the fields that it concerns get no record
 */
export const renderScenes =
  (ports: RenderPorts) =>
  async (customer: string, unit: RenderUnit, hold: WorkHold, notes?: SliceNotes): Promise<void> =>
    new UnitAtWork(ports, customer, { unit, hold, notes }).run();

/** Ends a unit that failed too often: each open field and day is recorded as failed. */
export const giveUpUnit =
  (ports: RenderPorts) =>
  async (customer: string, unit: RenderUnit, { reason, hold }: { reason: string; hold: WorkHold }): Promise<void> =>
    new UnitAtWork(ports, customer, { unit, hold }).giveUp(reason);
