import { collectionDocument, type IndexedField } from './collectionDocument.js';
import type { FieldDateStore, ImageryStore } from './imageryPorts.js';

/** Others that write the same index are units of other days: a few at a time. */
const MOST_TRIES = 50;

/**
 * Writes a field's `index.json` anew from what is recorded of it.
 *
 * The mark of the present index is read before the records: whoever writes between the two makes this write fail, so
 * that the last index written knows every record.
 */
export const updateIndex =
  ({ fieldDates, imagery }: { readonly fieldDates: FieldDateStore; readonly imagery: ImageryStore }) =>
  async (customer: string, field: IndexedField): Promise<void> => {
    const { fieldId } = field;
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const etag = await imagery.findIndex(customer, fieldId);
      const recorded = await fieldDates.list(customer, fieldId);
      if (recorded.length === 0) return;
      const document = collectionDocument(field, recorded);
      if (await imagery.putIndex({ customer, fieldId }, document, etag)) return;
    }
    throw new Error('The index of a field is changed faster than it can be written.');
  };
