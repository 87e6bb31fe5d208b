/**
 * After a restore: an export reads one row after the other while the service works, and a merge revives rows that were
 * gone. So an entry that sweepers go by may be missing, or be there twice. What is missing is made again from the row of
 * the job or enrollment itself. Looking again at what was done is harmless; not looking would lose it.
 */
import type { TableClient } from '@azure/data-tables';
import type { Clock } from '../clock.js';
import {
  enrollmentOf,
  schedulePrefix,
  scheduleRow,
  scheduleRowKey,
  workRow,
  workRowKey,
  type EnrollmentRow,
} from '../enrollments/enrollmentRows.js';
import type { Enrollment } from '../enrollments/enrollment.js';
import { newWork } from '../enrollments/ingestWork.js';
import { firstSchedule } from '../enrollments/schedule.js';
import type { TableName } from '../storage/names.js';
import type { Rows } from '../storage/rows.js';

export interface MendPorts {
  readonly table: (name: TableName) => TableClient;
  readonly rows: (name: TableName) => Rows;
  readonly clock: Pick<Clock, 'now'>;
}

/** How many entries were made again. */
export interface Mended {
  readonly jobs: number;
  readonly ingests: number;
  /** Enrollments whose days are looked through again from the first. */
  readonly schedules: number;
}

interface JobText {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly status: string;
}

/** Every job that has not ended, or runs again, gets its entry in the index of open jobs, due now. */
export async function mendJobs({ table, clock }: MendPorts): Promise<number> {
  const jobs = table('jobs');
  const checkAt = clock.now().toISOString();
  let mended = 0;
  const filter =
    "RowKey ge 'JOB_' and RowKey lt 'JOB`' and (status eq 'WAITING' or status eq 'RUNNING' or runsAgain eq true)";
  for await (const { partitionKey, rowKey } of jobs.listEntities<JobText>({ queryOptions: { filter } })) {
    const open = { partitionKey, rowKey: rowKey.replace(/^JOB_/, 'OPEN_'), checkAt };
    await jobs.upsertEntity(open, 'Replace');
    mended += 1;
  }
  return mended;
}

/** Each enrollment that is not ingested gets its ingest, each one under monitoring one schedule, from its first day. */
export async function mendEnrollments(ports: MendPorts): Promise<Omit<Mended, 'jobs'>> {
  const rows = ports.rows('enrollments');
  const today = ports.clock.now().toISOString().slice(0, 10);
  const found = { ingests: 0, schedules: 0 };
  for await (const page of rows.scan<EnrollmentRow>({ prefix: 'E_' })) {
    for (const enrollment of page.map(enrollmentOf)) {
      if (enrollment.stoppedAt !== undefined) continue;
      if (enrollment.status === 'received' || enrollment.status === 'in_progress') {
        const work = newWork(enrollment, ports.clock.now().getTime());
        await rows.put(enrollment.customer, workRowKey(work), workRow(work));
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
