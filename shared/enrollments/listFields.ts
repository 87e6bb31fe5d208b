import type { Clock } from '../clock.js';
import { listPage, type CursorKeys, type PageRequest } from '../listCursor.js';
import type { EnrollmentStatus } from './enrollment.js';
import type { EnrollmentStore } from './enrollmentStore.js';
import type { FieldStore, ListedField } from './fieldStore.js';
import { badCursor } from './listEnrollments.js';

interface ListFieldsPorts {
  readonly fields: Pick<FieldStore, 'listFieldsOf'>;
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly cursorKeys: CursorKeys;
  readonly clock: Pick<Clock, 'now'>;
}

/** A field as an answer shows it: its enrollments have their status. */
export interface FieldEntry extends ListedField {
  readonly enrollments: readonly (ListedField['holders'][number] & { readonly status: EnrollmentStatus })[];
}

const MAX_LIMIT = 250;
/** Most enrollments that are ingested at the same time; a customer has far fewer. */
const MOST_OPEN = 1_000;

/**
 * One page of the caller's fields with a boundary, each once and in a constant order; three queries whatever it shows.
 *
 * @throws ServiceError 422 for a cursor that is not of this caller
 */
export const listFields =
  (ports: ListFieldsPorts) =>
  async (
    customer: string,
    request: PageRequest,
  ): Promise<{ readonly items: readonly FieldEntry[]; readonly cursor: string | null }> => {
    const { fields, cursorKeys: keys, clock } = ports;
    const list = { scope: ['field-list', customer], most: MAX_LIMIT, keys, now: clock.now().getTime() };
    const page = await listPage(request, list, (after, limit) =>
      fields.listFieldsOf(customer, { limit, ...(after === undefined ? {} : { after }) }),
    );
    if (page === undefined) throw badCursor();
    const open = await ports.enrollments.list(customer, { status: 'in_progress', limit: MOST_OPEN });
    const isOpen = new Set(open.map(({ enrollment }) => enrollment.enrollmentId));
    // An enrollment that holds a field has ingested it; one that is stopped or fails holds none.
    const statusOf = ({ enrollmentId }: { readonly enrollmentId: string }) =>
      isOpen.has(enrollmentId) ? 'in_progress' : 'completed';
    const items = page.entries.map((field): FieldEntry => {
      return { ...field, enrollments: field.holders.map((holder) => ({ ...holder, status: statusOf(holder) })) };
    });
    return { items, cursor: page.cursor };
  };
