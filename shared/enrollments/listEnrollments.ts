import type { Clock } from '../clock.js';
import { invalidInput } from '../errors/invalidInput.js';
import type { ServiceError } from '../errors/serviceError.js';
import { openCursor, sealCursor, type CursorKeys } from '../listCursor.js';
import type { Enrollment, EnrollmentStatus } from './enrollment.js';
import type { EnrollmentStore } from './enrollmentPorts.js';

export interface ListEnrollmentsPorts {
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly cursorKeys: CursorKeys;
  readonly clock: Clock;
}

export interface ListRequest {
  readonly status?: EnrollmentStatus;
  readonly cursor?: string;
  readonly limit?: number;
}

const DEFAULT_LIMIT = 50;
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
    { status, cursor, limit = DEFAULT_LIMIT }: ListRequest,
  ): Promise<{ readonly items: readonly Enrollment[]; readonly cursor: string | null }> => {
    const now = clock.now().getTime();
    const scope = ['list-cursor', customer, status ?? null];
    const after = cursor === undefined ? undefined : openCursor(cursor, scope, { keys, now });
    if (cursor !== undefined && after === undefined) throw badCursor();
    const size = Math.min(limit, MAX_LIMIT);
    const found = await enrollments.list(customer, {
      ...(status === undefined ? {} : { status }),
      ...(after === undefined ? {} : { after }),
      limit: size + 1,
    });
    const page = found.slice(0, size);
    const last = found.length > size ? page.at(-1) : undefined;
    const next = last === undefined ? null : sealCursor(scope, last.position, { keys, now });
    return { items: page.map(({ enrollment }) => enrollment), cursor: next };
  };

function badCursor(): ServiceError {
  const msg = 'query.cursor is not a cursor of this list; begin at the first page, with the same status throughout';
  return invalidInput([{ loc: ['query', 'cursor'], msg, type: 'cursor' }]);
}
