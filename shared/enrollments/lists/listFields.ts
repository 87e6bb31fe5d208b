import { boundedScan, type ScanPage } from '../../kit/boundedScan.js';
import type { Clock } from '../../kit/clock.js';
import { listPage, scannedPage, type CursorKeys, type PageRequest } from '../../kit/listCursor.js';
import type { EnrollmentStatus } from '../record/enrollment.js';
import type { EnrollmentStore } from '../record/enrollmentStore.js';
import type { FieldStore, ListedField } from '../fields/fieldStore.js';
import { badCursor } from './listEnrollments.js';

interface ListFieldsPorts {
  readonly fields: Pick<FieldStore, 'listFieldsOf' | 'listGroups' | 'findListed'>;
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly cursorKeys: CursorKeys;
  readonly clock: Pick<Clock, 'now'>;
}

/** What a caller asks of the list. */
interface ListFieldsRequest extends PageRequest {
  /** Only fields of this group; empty: only those without one. */
  readonly group?: string;
}

/** A field as an answer shows it: its enrollments have their status. */
export interface FieldEntry extends ListedField {
  readonly enrollments: readonly (ListedField['holders'][number] & { readonly status: EnrollmentStatus })[];
}

const MAX_LIMIT = 250;
/** Rows of a read for a group, a query of the platform. */
const ROWS_A_READ = 1_000;
/** Most enrollments that are ingested at the same time; a customer has far fewer. */
const MOST_OPEN = 1_000;

/**
 * One page of the caller's fields with a boundary, each once and in a constant order; three queries whatever it shows. Of a
 * group the groups of a bounded number of fields are looked through, and what is shown is read field by field.
 *
 * @throws ServiceError 422 for a cursor that is not of this caller and filter
 */
export const listFields =
  (ports: ListFieldsPorts) =>
  async (
    customer: string,
    { group, ...request }: ListFieldsRequest,
  ): Promise<{ readonly items: readonly FieldEntry[]; readonly cursor: string | null }> => {
    const { fields, cursorKeys: keys, clock } = ports;
    const scope = ['field-list', customer, ...(group === undefined ? [] : [group])];
    const list = { scope, most: MAX_LIMIT, keys, now: clock.now().getTime() };
    const page = await (group === undefined
      ? listPage(request, list, (after, limit) => fields.listFieldsOf(customer, { after, limit }))
      : scannedPage(request, list, (after, size) => fieldsOfGroup(fields, customer, { group, after, size })));
    if (page === undefined) throw badCursor(', with the same group throughout');
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

/** Most fields of a group behind a position: a page may be short where the group is rare. */
async function fieldsOfGroup(
  fields: ListFieldsPorts['fields'],
  customer: string,
  { group, after, size }: { readonly group: string; readonly after: string | undefined; readonly size: number },
): Promise<ScanPage<ListedField, string>> {
  const { items, ...behind } = await boundedScan({
    read: (position, limit) => fields.listGroups(customer, { after: position, limit }),
    isWanted: (field) => field.group === group,
    ...{ most: ROWS_A_READ, isFiltered: true, after, size },
  });
  const ids = items.map(({ fieldId }) => fieldId);
  return { items: await fields.findListed(customer, ids), ...behind };
}
