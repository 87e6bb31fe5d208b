import { limiter } from '../../raster/limiter.js';
import type { FieldGeometrySource } from '../imageryPorts.js';
import { keepNewest, type KeepNewestPorts } from '../records/keepNewest.js';
import { newestOf, type NewestDays } from '../records/newestDays.js';
import type { IndexedField } from './collectionDocument.js';
import { updateIndex, type FieldDocuments, type IndexPorts, type JustDone } from './updateIndex.js';

export type UpdateIndexesPorts = IndexPorts & KeepNewestPorts & { readonly geometries: FieldGeometrySource };

const AT_ONCE = 8;

export interface UpdateOptions {
  readonly signal?: AbortSignal;
  /** By field. */
  readonly done?: ReadonlyMap<string, JustDone>;
}

/**
 * Writes the documents of fields anew from what is recorded of them, then what lists tell of their newest days.
 *
 * @returns the documents as they are now, by field
 */
export const updateIndexes =
  (ports: UpdateIndexesPorts) =>
  async (
    customer: string,
    fields: readonly IndexedField[],
    { signal, done }: UpdateOptions = {},
  ): Promise<ReadonlyMap<string, FieldDocuments>> => {
    const fieldIds = fields.map(({ fieldId }) => fieldId);
    const listed = await ports.fields.findDays(customer, fieldIds);
    const newest = new Map<string, NewestDays>();
    const documents = new Map<string, FieldDocuments>();
    const updating = limiter(AT_ONCE);
    const update = async (field: IndexedField): Promise<void> => {
      signal?.throwIfAborted();
      const { fieldId } = field;
      const written = await updateIndex(ports)(customer, field, done?.get(fieldId));
      documents.set(fieldId, written);
      newest.set(fieldId, newestOf(written.recorded));
    };
    await Promise.all(fields.map((field) => updating(() => update(field))));
    await keepNewest(ports)(customer, { listed, newest });
    return documents;
  };
