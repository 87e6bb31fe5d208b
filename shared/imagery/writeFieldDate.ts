import type { FieldBands } from './fieldBands.js';
import { percentOf } from './fieldDate.js';
import type { LayerFile, LayersToMake } from './fieldLayers.js';
import type { FieldView } from './fieldView.js';
import type { FieldDatePlace, ImageryStore } from './imageryPorts.js';
import {
  attributionOf,
  hasBasis,
  itemDocument,
  layersIn,
  readItem,
  type ItemDocument,
  type ItemFacts,
} from './itemDocument.js';
import { bandsOfLayers, type LayerName } from './layers.js';
import type { OpenFieldDate } from './openFieldDates.js';

/** What is to be made and stored for one field on one day. */
export interface FieldDateToWrite {
  readonly place: FieldDatePlace;
  readonly open: OpenFieldDate;
  readonly view: FieldView;
  readonly bands: FieldBands;
  /** Layers that pass the thresholds. */
  readonly layers: readonly LayerName[];
}

export interface WriteFieldDatePorts {
  readonly imagery: ImageryStore;
  /** `makeLayers`, here or in another process. */
  readonly makeLayers: (order: LayersToMake) => Promise<readonly LayerFile[]>;
  /** What files say they were made by. */
  readonly software: string;
}

/** Other writers of one document are enrollments of the same field: a handful. */
const MOST_MERGES = 20;

function tagsOf({ place, view, bands }: FieldDateToWrite, software: string): Readonly<Record<string, string>> {
  const [main] = view.scenes;
  const { clearFraction, coverageFraction } = view.visibility;
  const cloud = main.cloudPercent;
  return {
    acquisitionStartDate: main.takenAt,
    acquisitionEndDate: main.takenAt,
    fieldId: place.fieldId,
    sourceId: view.scenes.map(({ id }) => id).join(' '),
    isCalibrated: 'true',
    PROCESSING_BASELINE: main.baseline,
    BOA_OFFSET_BASIS: bands.offset.basis,
    FIELD_CLEAR_PERCENT: String(percentOf(clearFraction)),
    FIELD_COVERAGE_PERCENT: String(percentOf(coverageFraction)),
    ...(cloud === undefined ? {} : { SCENE_CLOUD_PERCENT: String(cloud) }),
    SOFTWARE: software,
    attribution: attributionOf(main),
  };
}

function orderOf(task: FieldDateToWrite, layers: readonly LayerName[], software: string): LayersToMake {
  const { view, bands } = task;
  const { grid } = view.window;
  const needed = bandsOfLayers(layers);
  return {
    scene: {
      width: grid.width,
      height: grid.height,
      field: view.mask,
      clear: view.clear,
      bands: Object.fromEntries(needed.map((band) => [band, bands.bands[band]])),
      offsetDn: bands.offset.offsetDn,
    },
    grid,
    layers,
    tags: tagsOf(task, software),
    software,
    takenAt: view.scenes[0].takenAt,
  };
}

function factsOf({ place, open, view, bands }: FieldDateToWrite, files: readonly LayerFile[]): ItemFacts {
  return {
    fieldId: place.fieldId,
    date: place.date,
    geometry: open.geometry,
    bbox: open.field.bbox,
    basis: open.field.basis,
    scenes: view.scenes,
    offset: bands.offset,
    visibility: view.visibility,
    areaHa: open.areaHa,
    fieldPixels: view.fieldPixels,
    grid: view.window.grid,
    files,
  };
}

/** The document is written with what others have added meanwhile, as often as they do. */
async function writeItem(
  imagery: ImageryStore,
  place: FieldDatePlace,
  facts: ItemFacts,
): Promise<ItemDocument | undefined> {
  for (let merge = 0; merge < MOST_MERGES; merge += 1) {
    const stored = await imagery.findItem(place);
    const before = readItem(stored?.document);
    if (await imagery.putItem(place, itemDocument(facts, before), stored?.etag)) return before;
  }
  throw new Error('The document of a field and day is changed faster than it can be written.');
}

/** Files of other scenes that the new document no longer names. */
async function removeOutdated(
  imagery: ImageryStore,
  { place, open }: FieldDateToWrite,
  before: ItemDocument | undefined,
  made: readonly LayerName[],
): Promise<void> {
  if (before === undefined || hasBasis(before, open.field.basis)) return;
  for (const layer of layersIn(before)) if (!made.includes(layer)) await imagery.removeLayer(place, layer);
}

/**
 * Makes the layers of one field on one day and stores them: files first, then the document that names them.
 *
 * Layers that an earlier attempt has finished are not made again; the same input gives the same bytes anyway.
 *
 * @returns the layers that are there now
 */
export const writeFieldDate =
  ({ imagery, makeLayers, software }: WriteFieldDatePorts) =>
  async (task: FieldDateToWrite): Promise<readonly LayerName[]> => {
    const { place, open, layers } = task;
    const stored = readItem((await imagery.findItem(place))?.document);
    const there = stored !== undefined && hasBasis(stored, open.field.basis) ? layersIn(stored) : [];
    const missing = layers.filter((layer) => !there.includes(layer));
    if (missing.length === 0) return layers;
    const files = await makeLayers(orderOf(task, missing, software));
    if (files.length === 0) return there.filter((layer) => layers.includes(layer));
    await Promise.all(files.map(({ layer, bytes }) => imagery.putLayer(place, layer, bytes)));
    const before = await writeItem(imagery, place, factsOf(task, files));
    const made = files.map(({ layer }) => layer);
    await removeOutdated(imagery, task, before, made);
    return layers.filter((layer) => made.includes(layer) || there.includes(layer));
  };
