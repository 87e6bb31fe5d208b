import type { ListedDays } from '../../enrollments/enrollmentPorts.js';
import { eachOf } from '../../raster/limiter.js';
import type { FieldGeometrySource } from '../imageryPorts.js';
import { keepNewest, type KeepNewestPorts } from '../records/keepNewest.js';
import { newestOf, type NewestDays } from '../records/newestDays.js';
import type { IndexedField } from './collectionDocument.js';
import { updateIndex, type FieldDocuments, type IndexPorts, type JustDone } from './updateIndex.js';

export type UpdateIndexesPorts = IndexPorts & KeepNewestPorts & { readonly geometries: FieldGeometrySource };

const AT_ONCE = 8;

/** What whoever has just worked on a field knows of it: hints, as those of its documents. */
export interface FieldDone extends JustDone {
  /** As it was listed before. */
  readonly listed?: ListedDays | undefined;
}

export interface UpdateOptions {
  readonly signal?: AbortSignal;
  /** By field. */
  readonly done?: ReadonlyMap<string, FieldDone>;
}

/** What was written of a field. */
export interface UpdatedField {
  readonly documents: FieldDocuments;
  /** Undefined for a field that no list has. */
  readonly listed: ListedDays | undefined;
}

/**
 * Writes the documents of fields anew from what is recorded of them, then what lists tell of their newest days.
 *
 * @returns by field
 */
export const updateIndexes =
  (ports: UpdateIndexesPorts) =>
  async (
    customer: string,
    fields: readonly IndexedField[],
    { signal, done }: UpdateOptions = {},
  ): Promise<ReadonlyMap<string, UpdatedField>> => {
    const known = fields.flatMap(({ fieldId }) => done?.get(fieldId)?.listed ?? []);
    const others = fields.filter(({ fieldId }) => done?.get(fieldId)?.listed === undefined);
    const found = await ports.fields.findDays(
      customer,
      others.map(({ fieldId }) => fieldId),
    );
    const listed = [...known, ...found];
    const newest = new Map<string, NewestDays>();
    const documents = new Map<string, FieldDocuments>();
    await eachOf(fields, AT_ONCE, async (field) => {
      signal?.throwIfAborted();
      const { fieldId } = field;
      const written = await updateIndex(ports)(customer, field, done?.get(fieldId));
      documents.set(fieldId, written);
      newest.set(fieldId, newestOf(written.recorded));
    });
    const present = await keepNewest(ports)(customer, { listed, newest });
    return new Map([...documents].map(([id, written]) => [id, { documents: written, listed: present.get(id) }]));
  };
