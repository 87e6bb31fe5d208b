import { outlineOf } from '../../geo/outline.js';
import { limiter } from '../../raster/limiter.js';
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
import type { FieldDate } from '../records/fieldDate.js';
import { newestOf, type NewestDays } from '../records/newestDays.js';
import type { ImageryStore, StoredDocument } from './imageryStore.js';
import type { FieldGeometrySource } from '../pixels/pixelPorts.js';
import type { FieldDateStore } from '../records/recordPorts.js';
import { isItemOf, itemCollection, itemsIn, indexedItem, statisticsIn, type IndexedItem } from './itemCollection.js';
import { isEmptySeries, seriesCsv } from './timeSeries.js';

/** Others that write the same index are units of other days: a few at a time. */
const MOST_TRIES = 50;
/** Usually one day is new; of a field that has no `items.json` yet all are. */
const DOCUMENTS_AT_ONCE = 4;

export interface IndexPorts {
  readonly fieldDates: Pick<FieldDateStore, 'list'>;
  readonly imagery: Pick<
    ImageryStore,
    'readIndex' | 'putIndex' | 'readItems' | 'putItems' | 'findItem' | 'findStatistics' | 'putStatistics'
  >;
}

interface FieldPlace {
  readonly customer: string;
  readonly fieldId: string;
}

/** What is stored of a field, as it was before `recorded` was read: whoever writes meanwhile makes a write fail. */
export interface FieldDocuments {
  readonly index?: StoredDocument | undefined;
  readonly items?: StoredDocument | undefined;
  /** The mark of `statistics.csv`. */
  readonly statistics?: string | undefined;
  /** By date. */
  readonly recorded: readonly FieldDate[];
}

interface Stored extends FieldDocuments {
  /** Whether somebody else was writing at the same time: then no file is believed to be what the index says. */
  readonly isRepeated: boolean;
}

async function storedOf(
  { fieldDates, imagery }: IndexPorts,
  { customer, fieldId }: FieldPlace,
  attempt: number,
): Promise<Stored> {
  const isRepeated = attempt > 0;
  const index = await imagery.readIndex(customer, fieldId);
  // It is written last: where there is none the others are missing too, or their writes are refused and all is read.
  const isFirst = index === undefined && !isRepeated;
  const items = isFirst ? undefined : await imagery.readItems(customer, fieldId);
  const statistics = isFirst ? undefined : await imagery.findStatistics(customer, fieldId);
  const recorded = await fieldDates.list(customer, fieldId);
  return { index, items, statistics, recorded, isRepeated };
}

/** @param tryOnce undefined when somebody else wrote the documents meanwhile */
async function untilWritten<T>(tryOnce: (attempt: number) => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const done = await tryOnce(attempt);
    if (done !== undefined) return done;
  }
  throw new Error('The index of a field is changed faster than it can be written.');
}

/**
 * Writes a field's `items.json` anew where its days with files are not those listed. Documents of days are read as far
 * as the list doesn't tell what is recorded; a day whose document is gone is left out.
 *
 * @param written a day's item as it was written just now
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
 * Writes a field's `statistics.csv` anew where the index doesn't have these lines yet: it is written before the index.
 *
 * @returns its mark, empty when there is none; undefined when somebody else wrote it meanwhile
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
 * Writes what a field's folder says of all its days: `items.json`, `statistics.csv`, and the index last.
 *
 * @param documentOf makes the index. @returns undefined when somebody else wrote one of them meanwhile
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

/** What whoever has just worked on a field knows of it. */
export interface JustDone {
  /**
   * The documents as they were written last, as far as that is known, with what has been recorded since. It is a hint: the
   * marks decide, and where one is another by now everything is read.
   */
  readonly known?: FieldDocuments | undefined;
  /** The item of one of its days, as it was written just now. */
  readonly written?: IndexedItem | undefined;
}

/** The boundary for the index: that of the index as it is, or the one that ingest stored. */
async function boundaryOf(
  geometries: FieldGeometrySource,
  customer: string,
  { field: { geometryHash }, index }: { readonly field: IndexedField; readonly index: unknown },
): Promise<Outline | undefined> {
  const known = outlineIn(index);
  if (geometryHash === undefined || known?.geometryHash === geometryHash) return known;
  return { geometry: outlineOf(await geometries.read(customer, geometryHash)), geometryHash };
}

/**
 * Writes a field's documents anew from what is recorded of it.
 *
 * The marks of the present ones are read before the records: whoever writes between the two makes this write fail, so
 * that the last one written knows every record.
 *
 * @returns the documents as they are now
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

/** Writes the days of a field's documents anew, whatever else its index says; an index that is gone stays so. */
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
