import { addDays } from '../validation/calendar.js';
import { LATE_SCENE_DAYS, type Enrollment, type EnrollmentKey } from './enrollment.js';

/** The place of an enrollment in the monitoring: every day before `nextDate` has been looked through for scenes. */
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
