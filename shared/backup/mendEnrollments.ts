import {
  enrollmentOf,
  enrollmentRowKey,
  schedulePrefix,
  scheduleRow,
  scheduleRowKey,
  type EnrollmentRow,
} from '../enrollments/enrollmentRows.js';
import type { Enrollment, EnrollmentKey } from '../enrollments/enrollment.js';
import { ingestWork } from '../enrollments/ingestEnrollment.js';
import { firstSchedule } from '../enrollments/schedule.js';
import { limiter } from '../raster/limiter.js';
import type { Rows } from '../storage/rows.js';
import { newItem } from '../work/workItem.js';
import { WorkStore } from '../work/workStore.js';
import type { MendPorts } from './mendJobs.js';

export interface MendedEnrollments {
  readonly ingests: number;
  /** Enrollments whose days are looked through again from the first. */
  readonly schedules: number;
}

/** Exports are made every night; older inputs without an enrollment were removed before the one that is restored. */
const OLDEST_INPUTS_MS = 8 * 24 * 3_600_000;
const LOOKS_AT_ONCE = 16;

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
  await findLostSubmissions(ports, work);
  return found;
}

/** A submission that died, or came after the export, left inputs of which no row tells: its work removes them. */
async function findLostSubmissions({ rows, inputs, clock }: MendPorts, work: WorkStore): Promise<void> {
  const now = clock.now().getTime();
  const table = rows('enrollments');
  const looking = limiter(LOOKS_AT_ONCE);
  const look = async (key: EnrollmentKey): Promise<void> => {
    const row = await table.find(key.customer, enrollmentRowKey(key));
    if (row === undefined) await work.insert(newItem(ingestWork(key), now));
  };
  const written = await inputs.listWritten(now - OLDEST_INPUTS_MS);
  await Promise.all(written.map((key) => looking(() => look(key))));
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
