import type { WorkKey } from '../../work/item/workItem.js';
import type { EnrollmentKey } from './enrollment.js';

/** Work of a kind that is about one enrollment. */
export const workOfEnrollment = (kind: string, { customer, enrollmentId }: EnrollmentKey): WorkKey => ({
  kind,
  id: `${customer}|${enrollmentId}`,
});

/** The enrollment that such work is about. */
export function enrollmentOfWork({ id }: Pick<WorkKey, 'id'>): EnrollmentKey {
  const [customer = '', enrollmentId = ''] = id.split('|');
  return { customer, enrollmentId };
}
