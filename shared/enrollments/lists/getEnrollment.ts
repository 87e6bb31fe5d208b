import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { foldedId, isUuid } from '../../kit/ids.js';
import type { Enrollment, EnrollmentKey } from '../record/enrollment.js';
import type { EnrollmentStore } from '../record/enrollmentStore.js';

/** @throws ServiceError 404 for an id that this customer has no enrollment of, whoever else may have one */
export const getEnrollment =
  ({ enrollments }: { readonly enrollments: Pick<EnrollmentStore, 'find'> }) =>
  async ({ customer, enrollmentId }: EnrollmentKey): Promise<Enrollment> => {
    const key = { customer, enrollmentId: foldedId(enrollmentId) };
    const stored = isUuid(enrollmentId) ? await enrollments.find(key) : undefined;
    if (stored !== undefined) return stored.enrollment;
    throw new ServiceError(commonFaults.notFound, 'You have no enrollment of this id. GET /v1/enrollments lists them.');
  };
