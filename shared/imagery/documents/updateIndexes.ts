import type { ListedDays } from '../../enrollments/fieldStore.js';
import { eachOf } from '../../raster/limiter.js';
import type { FieldGeometrySource } from '../pixels/pixelPorts.js';
import { keepNewest, type KeepNewestPorts } from './keepNewest.js';
import { newestOf, type NewestDays } from '../records/newestDays.js';
import type { IndexedField } from './collectionDocument.js';
import { updateIndex, type FieldDocuments, type IndexPorts, type JustDone } from './updateIndex.js';

export type UpdateIndexesPorts = IndexPorts & KeepNewestPorts & { readonly geometries: FieldGeometrySource };

const AT_ONCE = 8;

/** What whoever has just worked on a field knows of it: hints, as those of its documents. */
export interface FieldDone extends Pick<JustDone, 'written'> {
  /** See `JustDone`; asked when it is the field's turn, for the documents of all fields are large. */
  readonly known?: () => Promise<FieldDocuments | undefined> | undefined;
  /** As it was listed before. */
  readonly listed?: ListedDays | undefined;
}

export interface UpdateOptions {
  readonly signal?: AbortSignal;
  /** By field. */
  readonly done?: ReadonlyMap<string, FieldDone>;
  /** Is told the documents of each field as they were written. */
  readonly keep?: (fieldId: string, documents: FieldDocuments) => Promise<void> | undefined;
}

/**
 * Writes the documents of fields anew from what is recorded of them, then what lists tell of their newest days.
 *
 * @returns as they are listed now, by field; without those that no list has
 */
export const updateIndexes =
  (ports: UpdateIndexesPorts) =>
  async (
    customer: string,
    fields: readonly IndexedField[],
    { signal, done, keep }: UpdateOptions = {},
  ): Promise<ReadonlyMap<string, ListedDays>> => {
    const known = fields.flatMap(({ fieldId }) => done?.get(fieldId)?.listed ?? []);
    const others = fields.filter(({ fieldId }) => done?.get(fieldId)?.listed === undefined);
    const found = await ports.fields.findDays(
      customer,
      others.map(({ fieldId }) => fieldId),
    );
    const listed = [...known, ...found];
    const newest = new Map<string, NewestDays>();
    await eachOf(fields, AT_ONCE, async (field) => {
      signal?.throwIfAborted();
      const { fieldId } = field;
      const own = done?.get(fieldId);
      const documents = await updateIndex(ports)(customer, field, {
        known: await own?.known?.(),
        written: own?.written,
      });
      newest.set(fieldId, newestOf(documents.recorded));
      await keep?.(fieldId, documents);
    });
    return keepNewest(ports)(customer, { listed, newest });
  };
