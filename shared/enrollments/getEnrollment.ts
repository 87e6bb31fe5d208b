import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import type { Enrollment, EnrollmentKey } from './enrollment.js';
import type { EnrollmentStore } from './enrollmentPorts.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws ServiceError 404 for an id that this customer has no enrollment of, whoever else may have one */
export const getEnrollment =
  ({ enrollments }: { readonly enrollments: Pick<EnrollmentStore, 'find'> }) =>
  async (key: EnrollmentKey): Promise<Enrollment> => {
    const stored = UUID.test(key.enrollmentId) ? await enrollments.find(key) : undefined;
    if (stored !== undefined) return stored.enrollment;
    throw new ServiceError(commonFaults.notFound, 'You have no enrollment of this id. GET /v1/enrollments lists them.');
  };
