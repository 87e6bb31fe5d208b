import type { Enrollment } from '../record/enrollment.js';
import type { EnrollmentStore } from '../record/enrollmentStore.js';

const PAGE = 200;

/** All enrollments of a customer, newest first, read a page at a time. */
export async function* allEnrollments(
  enrollments: Pick<EnrollmentStore, 'list'>,
  customer: string,
): AsyncGenerator<Enrollment> {
  let after: string | undefined;
  for (;;) {
    const page = await enrollments.list(customer, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const { enrollment } of page) yield enrollment;
    after = page.at(-1)?.position;
    if (page.length < PAGE) return;
  }
}
