import { outlineOf } from '../../geo/shapes/thinnedOutline.js';
import { limiter } from '../../kit/limiter.js';
import {
  collectionDocument,
  outlineIn,
  seriesCsvOf,
  withDays,
  type IndexDocument,
  type IndexedField,
  type Outline,
  type StatisticsOn,
} from './collectionDocument.js';
import type { FieldDate } from '../../enrollments/fields/fieldDate.js';
import type { FieldPlace } from '../records/imageryPaths.js';
import { newestOf, type NewestDays } from '../../enrollments/fields/newestDays.js';
import type { ImageryStore, StoredDocument } from './blobImageryStore.js';
import type { FieldGeometrySource } from '../../scenes/pixels/pixelPorts.js';
import type { FieldDateStore } from '../records/tableFieldDateStore.js';
import { isItemOf, itemCollection, itemsIn, indexedItem, statisticsIn, type IndexedItem } from './itemCollection.js';
import { isEmptySeries, seriesCsv } from './timeSeries.js';

/** Tries of one write; a few units of other days may write the same index at the same time. */
const MOST_TRIES = 50;
/** Documents of days read at the same time. Usually one day is new; without an `items.json` all are. */
const DOCUMENTS_AT_ONCE = 4;

export interface IndexPorts {
  readonly fieldDates: Pick<FieldDateStore, 'list'>;
  readonly imagery: Pick<
    ImageryStore,
    'readIndex' | 'putIndex' | 'readItems' | 'putItems' | 'findItem' | 'findStatistics' | 'putStatistics'
  >;
}

/** What is stored of a field. The documents were read before the records, so a write that comes between changes an ETag. */
export interface FieldDocuments {
  readonly index?: StoredDocument | undefined;
  readonly items?: StoredDocument | undefined;
  /** The ETag of `statistics.csv`. */
  readonly statistics?: string | undefined;
  /** By date. */
  readonly recorded: readonly FieldDate[];
}

interface Stored extends FieldDocuments {
  /** Whether somebody else was writing at the same time: then `statistics.csv` may differ from what the index says. */
  readonly isRepeated: boolean;
}

async function storedOf(
  { fieldDates, imagery }: IndexPorts,
  { customer, fieldId }: FieldPlace,
  attempt: number,
): Promise<Stored> {
  const isRepeated = attempt > 0;
  const index = await imagery.readIndex(customer, fieldId);
  // The index is written last. Without it the other files are missing too, or their writes are refused and all are read.
  const isFirst = index === undefined && !isRepeated;
  const items = isFirst ? undefined : await imagery.readItems(customer, fieldId);
  const statistics = isFirst ? undefined : await imagery.findStatistics(customer, fieldId);
  const recorded = await fieldDates.list(customer, fieldId);
  return { index, items, statistics, recorded, isRepeated };
}

/** Repeats a write. @param tryOnce answers undefined when somebody else wrote meanwhile */
async function untilWritten<T>(tryOnce: (attempt: number) => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const done = await tryOnce(attempt);
    if (done !== undefined) return done;
  }
  throw new Error('The index of a field is changed faster than it can be written.');
}

/**
 * Writes a field's `items.json` when its items don't match the records. The documents of days that don't match are read;
 * a day without a document is left out.
 *
 * @param written the item of the day that was written just now
 * @returns undefined when somebody else wrote the list meanwhile
 */
async function updateItems(
  { imagery }: IndexPorts,
  place: FieldPlace,
  { items: stored, recorded }: Stored,
  written: IndexedItem | undefined,
): Promise<StoredDocument | undefined> {
  const listed = itemsIn(stored?.document);
  const reading = limiter(DOCUMENTS_AT_ONCE);
  const done = recorded.filter(({ outcome }) => outcome === 'done');
  const found = await Promise.all(
    done.map(async (day) => {
      const item = [listed.get(day.date), written].find((known) => known !== undefined && isItemOf(known, day));
      if (item !== undefined) return [item];
      const document = await reading(() => imagery.findItem({ ...place, date: day.date }));
      return indexedItem(day.date, document?.document) ?? [];
    }),
  );
  const items = found.flat();
  const before = [...listed.values()];
  const isAsListed = items.length === before.length && items.every((item, index) => item === before[index]);
  const document = itemCollection(items);
  if (isAsListed) return { document, etag: stored?.etag ?? '' };
  const etag = await imagery.putItems(place, document, stored?.etag);
  return etag === undefined ? undefined : { document, etag };
}

/**
 * Writes a field's `statistics.csv` when the index doesn't have these lines yet: the index is written after it.
 *
 * @returns the file's ETag, empty when there is none; undefined when somebody else wrote it meanwhile
 */
async function updateStatistics(
  { imagery }: IndexPorts,
  place: FieldPlace,
  {
    stored: { index, statistics, recorded, isRepeated },
    statisticsOn,
  }: { readonly stored: Stored; readonly statisticsOn: StatisticsOn },
): Promise<string | undefined> {
  const csv = seriesCsv(recorded.map((day) => ({ ...day, statistics: statisticsOn(day) })));
  const isWritten = statistics === undefined ? isEmptySeries(csv) : !isRepeated && csv === seriesCsvOf(index?.document);
  return isWritten ? (statistics ?? '') : imagery.putStatistics(place, csv, statistics);
}

/**
 * Writes the documents of all days of a field: `items.json`, `statistics.csv`, and the index last.
 *
 * @param documentOf makes the index. @returns undefined when somebody else wrote one of the documents meanwhile
 */
async function writeDocuments(
  ports: IndexPorts,
  place: FieldPlace,
  {
    stored,
    written,
    documentOf,
  }: {
    readonly stored: Stored;
    readonly written?: IndexedItem | undefined;
    readonly documentOf: (statisticsOn: StatisticsOn) => IndexDocument;
  },
): Promise<FieldDocuments | undefined> {
  const items = await updateItems(ports, place, stored, written);
  if (items === undefined) return undefined;
  const listed = itemsIn(items.document);
  const statisticsOn: StatisticsOn = ({ date }) => {
    const item = listed.get(date);
    return item === undefined ? undefined : statisticsIn(item);
  };
  const statistics = await updateStatistics(ports, place, { stored, statisticsOn });
  if (statistics === undefined) return undefined;
  const document = documentOf(statisticsOn);
  const etag = await ports.imagery.putIndex(place, document, stored.index?.etag);
  if (etag === undefined) return undefined;
  const { recorded } = stored;
  return {
    index: { document, etag },
    ...(items.etag === '' ? {} : { items }),
    ...(statistics === '' ? {} : { statistics }),
    recorded,
  };
}

/** What the caller knows of a field without reading. */
export interface JustDone {
  /** Cached documents with the present records. Where an ETag has changed since, the write fails and all are read. */
  readonly known?: FieldDocuments | undefined;
  /** The item of the day that was written just now. */
  readonly written?: IndexedItem | undefined;
}

/** The boundary for the index: that of the present index, or, where the geometry has changed, the one that ingest stored. */
async function boundaryOf(
  geometries: FieldGeometrySource,
  customer: string,
  { field: { geometryHash }, index }: { readonly field: IndexedField; readonly index: unknown },
): Promise<Outline> {
  const known = outlineIn(index);
  if (known?.geometryHash === geometryHash) return known;
  return { geometry: outlineOf(await geometries.read(customer, geometryHash)), geometryHash };
}

/**
 * Writes a field's documents from its records.
 *
 * The ETags of the present documents are read before the records. A write between the two makes this one fail, so the
 * documents that are written last contain every record.
 *
 * @returns the present documents
 */
export const updateIndex =
  (ports: IndexPorts & { readonly geometries: FieldGeometrySource }) =>
  async (customer: string, field: IndexedField, { known, written }: JustDone = {}): Promise<FieldDocuments> => {
    const place = { customer, fieldId: field.fieldId };
    return untilWritten(async (attempt) => {
      const isKnown = attempt === 0 && known !== undefined;
      const stored = isKnown ? { ...known, isRepeated: false } : await storedOf(ports, place, attempt);
      const { index, recorded } = stored;
      if (recorded.length === 0) return stored;
      const outline = await boundaryOf(ports.geometries, customer, { field, index: index?.document });
      const documentOf = (statisticsOn: StatisticsOn): IndexDocument =>
        collectionDocument({ ...field, outline }, recorded, statisticsOn);
      return writeDocuments(ports, place, { stored, written, documentOf });
    });
  };

/** Writes the days of a field's documents and leaves the rest of the index; without an index nothing is written. */
export const updateDays =
  (ports: IndexPorts) =>
  async (customer: string, fieldId: string): Promise<NewestDays> => {
    const place = { customer, fieldId };
    return untilWritten(async (attempt) => {
      const stored = await storedOf(ports, place, attempt);
      const { index, recorded } = stored;
      if (index === undefined) return newestOf(recorded);
      const documentOf = (statisticsOn: StatisticsOn): IndexDocument =>
        withDays(index.document as IndexDocument, recorded, statisticsOn);
      const written = await writeDocuments(ports, place, { stored, documentOf });
      return written === undefined ? undefined : newestOf(recorded);
    });
  };
