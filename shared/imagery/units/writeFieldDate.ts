import { eachOf } from '../../kit/limiter.js';
import { fieldSceneOf, type FieldBands } from '../../scenes/pixels/fieldBands.js';
import { percentOf } from '../../enrollments/fields/fieldDate.js';
import type { LayerFile, LayersToMake } from '../../scenes/layers/fieldLayers.js';
import type { FieldView } from '../../scenes/pixels/fieldView.js';
import type { ImageryStore, StoredDocument } from '../documents/blobImageryStore.js';
import type { FieldDatePlace } from '../records/imageryPaths.js';
import {
  attributionOf,
  hasBasis,
  isAbove,
  itemDocument,
  layersIn,
  namesFile,
  readItem,
  type ItemDocument,
  type ItemFacts,
} from '../documents/itemDocument.js';
import { bandsOfLayers, LAYER_NAMES, type LayerName } from '../../scenes/layers/layers.js';
import type { LayerVisibility } from '../../scenes/layers/visibility.js';
import type { OpenFieldDate } from './openFieldDates.js';

/** What is to be made and stored for one field on one day. */
export interface FieldDateToWrite {
  readonly place: FieldDatePlace;
  readonly open: OpenFieldDate;
  readonly view: FieldView;
  readonly bands: FieldBands;
  /** How much of the field each of the layers shows. */
  readonly shown: LayerVisibility;
  /** Layers that pass the thresholds. */
  readonly layers: readonly LayerName[];
  /** Whether no file is expected to be there: then nothing is read until a write is refused. */
  readonly isNew: boolean;
}

/** The layers of a field that are there after the write. */
export interface WrittenFieldDate {
  readonly layers: readonly LayerName[];
  /** The document that was written; undefined when no file was made. */
  readonly document?: unknown;
}

/** What `writeFieldDate` needs. */
export interface WriteFieldDatePorts {
  readonly imagery: ImageryStore;
  /** `makeLayers`, here or in another process. */
  readonly makeLayers: (order: LayersToMake) => Promise<readonly LayerFile[]>;
  /** Name and version of the service, for the files' tags. */
  readonly software: string;
}

/** Files to be stored, and the document that was read before they were made. */
interface MadeFiles {
  readonly files: readonly LayerFile[];
  readonly read: StoredDocument | undefined;
}

/** A document that was written, and the one that it replaced. */
interface WrittenItem {
  readonly document: unknown;
  readonly before: ItemDocument | undefined;
}

/** Tries of one write; a handful of enrollments of the same field may write the same document. */
const MOST_MERGES = 20;

function tagsOf({ place, view, bands }: FieldDateToWrite, software: string): Readonly<Record<string, string>> {
  const [main] = view.scenes;
  const cloud = main.cloudPercent;
  return {
    acquisitionStartDate: main.takenAt,
    acquisitionEndDate: main.takenAt,
    fieldId: place.fieldId,
    sourceId: view.scenes.map(({ id }) => id).join(' '),
    isCalibrated: 'true',
    PROCESSING_BASELINE: main.baseline,
    BOA_OFFSET_BASIS: bands.offset.basis,
    ...(cloud === undefined ? {} : { SCENE_CLOUD_PERCENT: String(cloud) }),
    SOFTWARE: software,
    attribution: attributionOf(main),
  };
}

const layerTagsOf = ({ shown, layers }: FieldDateToWrite): LayersToMake['layerTags'] =>
  Object.fromEntries(
    layers.flatMap((layer) => {
      const visibility = shown[layer];
      if (visibility === undefined) return [];
      const clear = String(percentOf(visibility.clearFraction));
      const coverage = String(percentOf(visibility.coverageFraction));
      return [[layer, { FIELD_CLEAR_PERCENT: clear, FIELD_COVERAGE_PERCENT: coverage }]];
    }),
  );

function orderOf(task: FieldDateToWrite, layers: readonly LayerName[], software: string): LayersToMake {
  const { view, bands } = task;
  return {
    scene: fieldSceneOf(view, bands, bandsOfLayers(layers)),
    grid: view.window.grid,
    layers,
    tags: tagsOf(task, software),
    layerTags: layerTagsOf(task),
    software,
    takenAt: view.scenes[0].takenAt,
  };
}

function factsOf({ place, open, view, bands, shown }: FieldDateToWrite, files: readonly LayerFile[]): ItemFacts {
  return {
    fieldId: place.fieldId,
    date: place.date,
    geometry: open.geometry,
    bbox: open.field.bbox,
    grounds: open.grounds,
    scenes: view.scenes,
    offset: bands.offset,
    shown,
    areaHa: open.areaHa,
    fieldPixels: view.fieldPixels,
    grid: view.window.grid,
    files,
  };
}

/** Layers that a stored document of the same basis names and whose files have the checksum of the document. */
async function layersThere(
  { imagery }: WriteFieldDatePorts,
  { place, open }: FieldDateToWrite,
  stored: ItemDocument | undefined,
): Promise<readonly LayerName[]> {
  if (stored === undefined || !hasBasis(stored, open.grounds.basis)) return [];
  const found = await Promise.all(
    layersIn(stored).map(async (layer) => {
      const sha256 = await imagery.findLayer(place, layer);
      return sha256 !== undefined && namesFile(stored, layer, sha256) ? [layer] : [];
    }),
  );
  return found.flat();
}

/**
 * Writes the document, merged with the stored one. When a write is refused, the stored document is read and merged again.
 *
 * @returns `outranked` when a document of a better basis is there, which stays
 */
async function writeItem(
  ports: WriteFieldDatePorts,
  task: FieldDateToWrite,
  { files, read }: MadeFiles,
): Promise<WrittenItem | 'outranked'> {
  for (let merge = 0; merge < MOST_MERGES; merge += 1) {
    const stored = merge === 0 ? read : await ports.imagery.findItem(task.place);
    const before = readItem(stored?.document);
    if (before !== undefined && isAbove(before, task.open.grounds.standing)) return 'outranked';
    const there = await layersThere(ports, task, before);
    const kept = Object.fromEntries(there.map((layer) => [layer, before?.assets[layer]]));
    const document = itemDocument(factsOf(task, files), kept);
    if (await ports.imagery.putItem(task.place, document, stored?.etag)) return { document, before };
  }
  throw new Error('The document of a field and day is changed faster than it can be written.');
}

/** Deletes files that the document doesn't name; files of a better basis stay. */
async function removeUnnamed(
  { imagery }: WriteFieldDatePorts,
  { place, open }: FieldDateToWrite,
  layers: readonly LayerName[],
): Promise<void> {
  const named = readItem((await imagery.findItem(place))?.document);
  const unnamed = layers.filter((layer) => named === undefined || !layersIn(named).includes(layer));
  for (const layer of unnamed) await imagery.removeLayer(place, layer, open.grounds.standing);
}

/** Stores the files, then the document. @returns the document; undefined when one of a better basis is there */
async function store(ports: WriteFieldDatePorts, task: FieldDateToWrite, { files, read }: MadeFiles): Promise<unknown> {
  const { basis, standing } = task.open.grounds;
  const written: boolean[] = [];
  const put = async (file: LayerFile): Promise<void> => {
    written.push(await ports.imagery.putLayer(task.place, file, standing));
  };
  await eachOf(files, files.length, put);
  const item = written.includes(false) ? 'outranked' : await writeItem(ports, task, { files, read });
  if (item === 'outranked') {
    const own = files.map(({ layer }) => layer);
    await removeUnnamed(ports, task, own);
    return undefined;
  }
  if (item.before !== undefined && !hasBasis(item.before, basis)) await removeUnnamed(ports, task, LAYER_NAMES);
  return item.document;
}

/**
 * Makes the layers of one field on one day and stores them: files first, then the document that names them.
 *
 * Layers that an earlier attempt has finished are not made again. Of two attempts at the same day the one with the better
 * basis wins, in whichever order they write: its files and document are not overwritten.
 *
 * @returns the layers that are there now, or `outranked`: somebody else makes this day of better scenes
 */
export const writeFieldDate =
  (ports: WriteFieldDatePorts) =>
  async (task: FieldDateToWrite): Promise<WrittenFieldDate | 'outranked'> => {
    const { place, open, layers, isNew } = task;
    const read = isNew ? undefined : await ports.imagery.findItem(place);
    const stored = readItem(read?.document);
    if (stored !== undefined && isAbove(stored, open.grounds.standing)) return 'outranked';
    const there = await layersThere(ports, task, stored);
    const missing = layers.filter((layer) => !there.includes(layer));
    if (missing.length === 0) return { layers };
    const files = await ports.makeLayers(orderOf(task, missing, ports.software));
    const document = files.length > 0 ? await store(ports, task, { files, read }) : undefined;
    if (files.length > 0 && document === undefined) return 'outranked';
    const made = files.map(({ layer }) => layer);
    return { layers: layers.filter((layer) => made.includes(layer) || there.includes(layer)), document };
  };
