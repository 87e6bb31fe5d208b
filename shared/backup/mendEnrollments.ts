import {
  enrollmentOf,
  schedulePrefix,
  scheduleRow,
  scheduleRowKey,
  type EnrollmentRow,
} from '../enrollments/enrollmentRows.js';
import type { Enrollment } from '../enrollments/enrollment.js';
import { ingestWork } from '../enrollments/ingestEnrollment.js';
import { firstSchedule } from '../enrollments/schedule.js';
import type { Rows } from '../storage/rows.js';
import { newItem } from '../work/workItem.js';
import { WorkStore } from '../work/workStore.js';
import type { MendPorts } from './mendJobs.js';

export interface MendedEnrollments {
  readonly ingests: number;
  /** Enrollments whose days are looked through again from the first. */
  readonly schedules: number;
}

/**
 * After a restore: each enrollment that is not ingested gets its ingest, each one under monitoring one schedule, from its
 * first day. An export reads one row after the other while the service works, and a merge revives rows that were gone, so
 * what sweepers go by may be missing or be there twice. Looking again at what was done is harmless; not looking would
 * lose it.
 */
export async function mendEnrollments(ports: MendPorts): Promise<MendedEnrollments> {
  const rows = ports.rows('enrollments');
  const work = new WorkStore(ports.rows('work'));
  const today = ports.clock.now().toISOString().slice(0, 10);
  const found = { ingests: 0, schedules: 0 };
  for await (const page of rows.scan<EnrollmentRow>({ prefix: 'E_' })) {
    for (const enrollment of page.map(enrollmentOf)) {
      if (enrollment.stoppedAt !== undefined) continue;
      if (enrollment.status === 'received' || enrollment.status === 'in_progress') {
        await work.insert(newItem(ingestWork(enrollment), ports.clock.now().getTime()));
        found.ingests += 1;
      } else if (enrollment.status === 'completed' && firstSchedule(enrollment).lastDate >= today) {
        await scheduleAnew(rows, enrollment);
        found.schedules += 1;
      }
    }
  }
  return found;
}

async function scheduleAnew(rows: Rows, enrollment: Enrollment): Promise<void> {
  const { customer, enrollmentId } = enrollment;
  const first = firstSchedule(enrollment);
  const others = (await rows.range(customer, { prefix: schedulePrefix }))
    .map(({ rowKey }) => rowKey)
    .filter((rowKey) => rowKey.endsWith(`_${enrollmentId}`) && rowKey !== scheduleRowKey(first));
  // The schedule first: a restore that dies in between is repeated, and leaves one too many rather than none.
  await rows.put(customer, scheduleRowKey(first), scheduleRow(first));
  await rows.deleteMany(customer, others);
}
