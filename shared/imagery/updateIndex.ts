import { collectionDocument, withDays, type IndexDocument, type IndexedField } from './collectionDocument.js';
import type { FieldDateStore, ImageryStore } from './imageryPorts.js';

/** Others that write the same index are units of other days: a few at a time. */
const MOST_TRIES = 50;

export interface IndexPorts {
  readonly fieldDates: Pick<FieldDateStore, 'list'>;
  readonly imagery: Pick<ImageryStore, 'findIndex' | 'readIndex' | 'putIndex'>;
}

/** @param tryOnce false when somebody else wrote the index meanwhile */
async function untilWritten(tryOnce: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) if (await tryOnce()) return;
  throw new Error('The index of a field is changed faster than it can be written.');
}

/**
 * Writes a field's `index.json` anew from what is recorded of it.
 *
 * The mark of the present index is read before the records: whoever writes between the two makes this write fail, so
 * that the last index written knows every record.
 */
export const updateIndex =
  ({ fieldDates, imagery }: IndexPorts) =>
  (customer: string, field: IndexedField): Promise<void> => {
    const { fieldId } = field;
    return untilWritten(async () => {
      const etag = await imagery.findIndex(customer, fieldId);
      const recorded = await fieldDates.list(customer, fieldId);
      if (recorded.length === 0) return true;
      return imagery.putIndex({ customer, fieldId }, collectionDocument(field, recorded), etag);
    });
  };

/** Writes the days of a field's index anew, whatever else it says; one that is gone stays so. */
export const updateDays =
  ({ fieldDates, imagery }: IndexPorts) =>
  (customer: string, fieldId: string): Promise<void> =>
    untilWritten(async () => {
      const stored = await imagery.readIndex(customer, fieldId);
      if (stored === undefined) return true;
      const recorded = await fieldDates.list(customer, fieldId);
      const document = withDays(stored.document as IndexDocument, recorded);
      return imagery.putIndex({ customer, fieldId }, document, stored.etag);
    });
