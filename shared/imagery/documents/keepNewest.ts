import { DAYS_PER_WRITE, type FieldStore, type ListedDays } from '../../enrollments/fields/fieldStore.js';
import type { FieldDateStore } from '../records/tableFieldDateStore.js';
import { newestOf, type NewestDays } from '../../enrollments/fields/newestDays.js';

/** What `keepNewest` needs. */
export interface KeepNewestPorts {
  readonly fields: Pick<FieldStore, 'findDays' | 'putDays'>;
  readonly fieldDates: Pick<FieldDateStore, 'list'>;
}

/** Tries of one write; a few units of other days and ingests may write the same rows at the same time. */
const MOST_TRIES = 20;

const isSame = (one: NewestDays, other: NewestDays): boolean =>
  one.newestPicture === other.newestPicture && JSON.stringify(one.newest) === JSON.stringify(other.newest);

/**
 * Writes the newest days of fields into the lists of fields.
 *
 * @param listed rows that were read before the records: a write between the two makes this one fail, and both are read again
 * @returns the present rows by field
 */
export const keepNewest =
  ({ fields, fieldDates }: KeepNewestPorts) =>
  async (
    customer: string,
    { listed, newest }: { readonly listed: readonly ListedDays[]; readonly newest: ReadonlyMap<string, NewestDays> },
  ): Promise<ReadonlyMap<string, ListedDays>> => {
    const present = new Map(listed.map((field) => [field.fieldId, field]));
    const put = async (batch: readonly ListedDays[], known: typeof newest, tries: number): Promise<void> => {
      const changed = batch.flatMap((before): ListedDays[] => {
        const now = known.get(before.fieldId);
        return now === undefined || isSame(before, now) ? [] : [{ ...before, ...now }];
      });
      const written = changed.length === 0 ? [] : await fields.putDays(customer, changed);
      for (const field of written ?? batch) present.set(field.fieldId, field);
      if (written !== undefined) return;
      if (tries <= 0) throw new Error('The newest days of fields are changed faster than they can be written.');
      const fieldIds = changed.map(({ fieldId }) => fieldId);
      const again = await fields.findDays(customer, fieldIds);
      const recorded = new Map<string, NewestDays>();
      for (const fieldId of fieldIds) recorded.set(fieldId, newestOf(await fieldDates.list(customer, fieldId)));
      await put(again, recorded, tries - 1);
    };
    for (let start = 0; start < listed.length; start += DAYS_PER_WRITE) {
      await put(listed.slice(start, start + DAYS_PER_WRITE), newest, MOST_TRIES);
    }
    return present;
  };
