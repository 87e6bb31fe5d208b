import type { Clock } from '../clock.js';
import { invalidInput } from '../errors/invalidInput.js';
import { listPage, type CursorKeys, type PageRequest } from '../listCursor.js';
import type { EnrollmentStatus } from './enrollment.js';
import type { EnrollmentStore } from './enrollmentStore.js';
import type { FieldStore, ListedField } from './fieldStore.js';

export interface ListFieldsPorts {
  readonly fields: Pick<FieldStore, 'listFieldsOf'>;
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly cursorKeys: CursorKeys;
  readonly clock: Pick<Clock, 'now'>;
}

/** A field as an answer shows it. */
export interface ShownField extends ListedField {
  readonly enrollments: readonly (ListedField['holders'][number] & { readonly status: EnrollmentStatus })[];
}

const MAX_LIMIT = 250;
/** Enrollments that are ingested at the same time are few; of the others a list needs nothing. */
const MOST_OPEN = 1_000;

/**
 * One page of the caller's fields with a boundary, in three queries whatever it shows: each once, in an order that stays.
 *
 * @throws ServiceError 422 for a cursor that is not of this caller
 */
export const listFields =
  (ports: ListFieldsPorts) =>
  async (
    customer: string,
    request: PageRequest,
  ): Promise<{ readonly items: readonly ShownField[]; readonly cursor: string | null }> => {
    const { fields, cursorKeys: keys, clock } = ports;
    const list = { scope: ['field-list', customer], most: MAX_LIMIT, keys, now: clock.now().getTime() };
    const page = await listPage(request, list, (after, limit) =>
      fields.listFieldsOf(customer, { limit, ...(after === undefined ? {} : { after }) }),
    );
    if (page === undefined) throw badCursor();
    const open = await ports.enrollments.list(customer, { status: 'in_progress', limit: MOST_OPEN });
    const isOpen = new Set(open.map(({ enrollment }) => enrollment.enrollmentId));
    // Who holds a field has ingested it, and lets it go when it is stopped or given up.
    const statusOf = (enrollmentId: string) => (isOpen.has(enrollmentId) ? 'in_progress' : 'completed');
    const items = page.entries.map((field): ShownField => {
      const enrollments = field.holders.map(
        (holder) => ({ ...holder, status: statusOf(holder.enrollmentId) }) as const,
      );
      return { ...field, enrollments };
    });
    return { items, cursor: page.cursor };
  };

function badCursor() {
  const msg = 'query.cursor is not a cursor of this list; begin at the first page';
  return invalidInput([{ loc: ['query', 'cursor'], msg, type: 'cursor' }]);
}
