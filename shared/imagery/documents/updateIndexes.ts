import type { ListedDays } from '../../enrollments/fields/fieldStore.js';
import { eachOf } from '../../kit/limiter.js';
import type { FieldGeometrySource } from '../../scenes/pixels/pixelPorts.js';
import { keepNewest, type KeepNewestPorts } from './keepNewest.js';
import { newestOf, type NewestDays } from '../../enrollments/fields/newestDays.js';
import type { IndexedField } from './collectionDocument.js';
import { updateIndex, type FieldDocuments, type IndexPorts, type JustDone } from './updateIndex.js';

/** What `updateIndexes` needs. */
export type UpdateIndexesPorts = IndexPorts & KeepNewestPorts & { readonly geometries: FieldGeometrySource };

const AT_ONCE = 8;

/** What the caller knows of a field without reading, as in `JustDone`. */
export interface FieldDone extends Pick<JustDone, 'written'> {
  /** Loads the cached documents when it is the field's turn: those of all fields would take too much memory. */
  readonly known?: () => Promise<FieldDocuments | undefined> | undefined;
  /** The field's row of the lists. */
  readonly listed?: ListedDays | undefined;
}

/** Options of `updateIndexes`. */
interface UpdateOptions {
  readonly signal?: AbortSignal;
  /** By field. */
  readonly done?: ReadonlyMap<string, FieldDone>;
  /** Called with the documents of each field after they were written. */
  readonly keep?: (fieldId: string, documents: FieldDocuments) => Promise<void> | undefined;
}

/**
 * Writes the documents of fields from their records, then their newest days in the lists of fields.
 *
 * @returns the rows of the lists by field; fields without a row are left out
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
