import { addDays } from '../validation/calendar.js';
import { LATE_SCENE_DAYS, type Enrollment, type EnrollmentKey } from './enrollment.js';

/**
 * An enrollment whose days still have to be looked through from `nextDate` on. It begins when that day comes; what the
 * catalogue shows after that is found by place, for all enrollments together.
 */
export interface ScheduledEnrollment extends EnrollmentKey {
  /** First day not looked through yet. */
  readonly nextDate: string;
  /** Last day of work: the end date and the days on which late scenes turn up. */
  readonly lastDate: string;
}

/** The monitoring of an enrollment as it begins: nothing looked through yet. */
export function firstSchedule({ customer, enrollmentId, request }: Enrollment): ScheduledEnrollment {
  return {
    customer,
    enrollmentId,
    nextDate: request.startDate,
    lastDate: addDays(request.endDate, LATE_SCENE_DAYS),
  };
}
