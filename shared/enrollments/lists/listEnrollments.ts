import type { Clock } from '../../kit/clock.js';
import { invalidInput } from '../../kit/errors/invalidInput.js';
import type { ServiceError } from '../../kit/errors/serviceError.js';
import { listPage, type CursorKeys, type PageRequest } from '../../kit/listCursor.js';
import type { Enrollment, EnrollmentStatus } from '../record/enrollment.js';
import type { EnrollmentStore } from '../record/enrollmentStore.js';

interface ListEnrollmentsPorts {
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly cursorKeys: CursorKeys;
  readonly clock: Clock;
}

interface ListRequest extends PageRequest {
  readonly status?: EnrollmentStatus;
}

const MAX_LIMIT = 200;

/**
 * One page of the caller's enrollments, newest first, in one query.
 *
 * Every enrollment that existed at the first page and still matches the filter is shown exactly once, whatever is
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
    if (page === undefined) throw badCursor(', with the same status throughout');
    return { items: page.entries.map(({ enrollment }) => enrollment), cursor: page.cursor };
  };

/** The 422 for a cursor that is not of this list. @param advice the end of its sentence */
export function badCursor(advice = ''): ServiceError {
  const msg = `query.cursor is not a cursor of this list; begin at the first page${advice}`;
  return invalidInput([{ loc: ['query', 'cursor'], msg, type: 'cursor' }]);
}
