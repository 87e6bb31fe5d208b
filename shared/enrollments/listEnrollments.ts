import type { Clock } from '../clock.js';
import { invalidInput } from '../errors/invalidInput.js';
import type { ServiceError } from '../errors/serviceError.js';
import { listPage, type CursorKeys, type PageRequest } from '../listCursor.js';
import type { Enrollment, EnrollmentStatus } from './enrollment.js';
import type { EnrollmentStore } from './enrollmentStore.js';

export interface ListEnrollmentsPorts {
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly cursorKeys: CursorKeys;
  readonly clock: Clock;
}

export interface ListRequest extends PageRequest {
  readonly status?: EnrollmentStatus;
}

const MAX_LIMIT = 200;

/**
 * One page of the caller's enrollments, newest first, in one query.
 *
 * Every enrollment that was there at the first page and keeps to the filter is shown exactly once, whatever is
 * submitted meanwhile.
 *
 * @throws ServiceError 422 for a cursor that is not of this caller and filter
 */
export const listEnrollments =
  ({ enrollments, cursorKeys: keys, clock }: ListEnrollmentsPorts) =>
  async (
    customer: string,
    { status, ...request }: ListRequest,
  ): Promise<{ readonly items: readonly Enrollment[]; readonly cursor: string | null }> => {
    const scope = ['list-cursor', customer, status ?? null];
    const list = { scope, most: MAX_LIMIT, keys, now: clock.now().getTime() };
    const filter = status === undefined ? {} : { status };
    const page = await listPage(request, list, (after, limit) =>
      enrollments.list(customer, { ...filter, ...(after === undefined ? {} : { after }), limit }),
    );
    if (page === undefined) throw badCursor();
    return { items: page.entries.map(({ enrollment }) => enrollment), cursor: page.cursor };
  };

function badCursor(): ServiceError {
  const msg = 'query.cursor is not a cursor of this list; begin at the first page, with the same status throughout';
  return invalidInput([{ loc: ['query', 'cursor'], msg, type: 'cursor' }]);
}
