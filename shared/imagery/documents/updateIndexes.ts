import { limiter } from '../../raster/limiter.js';
import type { FieldGeometrySource } from '../imageryPorts.js';
import { keepNewest, type KeepNewestPorts } from '../records/keepNewest.js';
import type { NewestDays } from '../records/newestDays.js';
import type { IndexedField } from './collectionDocument.js';
import { updateIndex, type IndexPorts } from './updateIndex.js';

export type UpdateIndexesPorts = IndexPorts & KeepNewestPorts & { readonly geometries: FieldGeometrySource };

const AT_ONCE = 8;

/** Writes the documents of fields anew from what is recorded of them, then what lists tell of their newest days. */
export const updateIndexes =
  (ports: UpdateIndexesPorts) =>
  async (customer: string, fields: readonly IndexedField[], signal?: AbortSignal): Promise<void> => {
    const fieldIds = fields.map(({ fieldId }) => fieldId);
    const listed = await ports.fields.findDays(customer, fieldIds);
    const newest = new Map<string, NewestDays>();
    const updating = limiter(AT_ONCE);
    const update = async (field: IndexedField): Promise<void> => {
      signal?.throwIfAborted();
      newest.set(field.fieldId, await updateIndex(ports)(customer, field));
    };
    await Promise.all(fields.map((field) => updating(() => update(field))));
    await keepNewest(ports)(customer, { listed, newest });
  };
