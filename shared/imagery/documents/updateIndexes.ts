import { limiter } from '../../raster/limiter.js';
import type { FieldGeometrySource } from '../imageryPorts.js';
import { keepNewest, type KeepNewestPorts } from '../records/keepNewest.js';
import type { NewestDays } from '../records/newestDays.js';
import type { IndexedField } from './collectionDocument.js';
import type { ListedItem } from './itemCollection.js';
import { updateIndex, type IndexPorts } from './updateIndex.js';

export type UpdateIndexesPorts = IndexPorts & KeepNewestPorts & { readonly geometries: FieldGeometrySource };

const AT_ONCE = 8;

export interface UpdateOptions {
  readonly signal?: AbortSignal;
  /** By field, the item of one of its days as it was written just now. */
  readonly written?: ReadonlyMap<string, ListedItem>;
}

/** Writes the documents of fields anew from what is recorded of them, then what lists tell of their newest days. */
export const updateIndexes =
  (ports: UpdateIndexesPorts) =>
  async (customer: string, fields: readonly IndexedField[], options: UpdateOptions = {}): Promise<void> => {
    const fieldIds = fields.map(({ fieldId }) => fieldId);
    const listed = await ports.fields.findDays(customer, fieldIds);
    const newest = new Map<string, NewestDays>();
    const updating = limiter(AT_ONCE);
    const update = async (field: IndexedField): Promise<void> => {
      options.signal?.throwIfAborted();
      newest.set(field.fieldId, await updateIndex(ports)(customer, field, options.written?.get(field.fieldId)));
    };
    await Promise.all(fields.map((field) => updating(() => update(field))));
    await keepNewest(ports)(customer, { listed, newest });
  };
