import { limiter } from '../../raster/limiter.js';
import { collectionDocument, withDays, type IndexDocument, type IndexedField } from './collectionDocument.js';
import type { FieldDate } from '../records/fieldDate.js';
import type { FieldDateStore, ImageryStore, StoredDocument } from '../imageryPorts.js';
import { isItemOf, itemCollection, itemsIn, listedItem } from './itemCollection.js';

/** Others that write the same index are units of other days: a few at a time. */
const MOST_TRIES = 50;
/** Usually one day is new; of a field that has no `items.json` yet all are. */
const DOCUMENTS_AT_ONCE = 4;

export interface IndexPorts {
  readonly fieldDates: Pick<FieldDateStore, 'list'>;
  readonly imagery: Pick<ImageryStore, 'findIndex' | 'readIndex' | 'putIndex' | 'readItems' | 'putItems' | 'findItem'>;
}

interface FieldPlace {
  readonly customer: string;
  readonly fieldId: string;
}

/** @param tryOnce false when somebody else wrote the index meanwhile */
async function untilWritten(tryOnce: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) if (await tryOnce()) return;
  throw new Error('The index of a field is changed faster than it can be written.');
}

/**
 * Writes a field's `items.json` anew where its days with files are not those listed. Documents of days are read as far
 * as the list doesn't tell what is recorded; a day whose document is gone is left out.
 *
 * @param stored as it was before `recorded` was read. @returns false when somebody else wrote it meanwhile
 */
async function updateItems(
  { imagery }: IndexPorts,
  place: FieldPlace,
  { stored, recorded }: { readonly stored: StoredDocument | undefined; readonly recorded: readonly FieldDate[] },
): Promise<boolean> {
  const listed = itemsIn(stored?.document);
  const reading = limiter(DOCUMENTS_AT_ONCE);
  const done = recorded.filter(({ outcome }) => outcome === 'done');
  const found = await Promise.all(
    done.map(async (day) => {
      const item = listed.get(day.date);
      if (item !== undefined && isItemOf(item, day)) return [item];
      const document = await reading(() => imagery.findItem({ ...place, date: day.date }));
      return listedItem(day.date, document?.document) ?? [];
    }),
  );
  const items = found.flat();
  const before = [...listed.values()];
  const isAsListed = items.length === before.length && items.every((item, index) => item === before[index]);
  return isAsListed || imagery.putItems(place, itemCollection(items), stored?.etag);
}

/**
 * Writes a field's `items.json` and `index.json` anew from what is recorded of it.
 *
 * The marks of the present ones are read before the records: whoever writes between the two makes this write fail, so
 * that the last one written knows every record.
 */
export const updateIndex =
  (ports: IndexPorts) =>
  (customer: string, field: IndexedField): Promise<void> => {
    const { fieldDates, imagery } = ports;
    const { fieldId } = field;
    return untilWritten(async () => {
      const etag = await imagery.findIndex(customer, fieldId);
      const stored = await imagery.readItems(customer, fieldId);
      const recorded = await fieldDates.list(customer, fieldId);
      if (recorded.length === 0) return true;
      if (!(await updateItems(ports, { customer, fieldId }, { stored, recorded }))) return false;
      return imagery.putIndex({ customer, fieldId }, collectionDocument(field, recorded), etag);
    });
  };

/** Writes the days of a field's `items.json` and index anew, whatever else it says; an index that is gone stays so. */
export const updateDays =
  (ports: IndexPorts) =>
  (customer: string, fieldId: string): Promise<void> => {
    const { fieldDates, imagery } = ports;
    return untilWritten(async () => {
      const index = await imagery.readIndex(customer, fieldId);
      if (index === undefined) return true;
      const stored = await imagery.readItems(customer, fieldId);
      const recorded = await fieldDates.list(customer, fieldId);
      if (!(await updateItems(ports, { customer, fieldId }, { stored, recorded }))) return false;
      const document = withDays(index.document as IndexDocument, recorded);
      return imagery.putIndex({ customer, fieldId }, document, index.etag);
    });
  };
