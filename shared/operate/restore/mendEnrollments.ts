import { enrollmentOf, enrollmentRowKey, type EnrollmentRow } from '../../enrollments/record/enrollmentRows.js';
import { LATE_SCENE_DAYS, type Enrollment, type EnrollmentKey } from '../../enrollments/record/enrollment.js';
import { ingestWork } from '../../enrollments/ingest/ingestEnrollment.js';
import { planOf } from '../../imagery/discovery/backfill.js';
import { workBeginsAt } from '../../scenes/stac/searchPeriods.js';
import { limiter } from '../../kit/limiter.js';
import { addDays } from '../../kit/validation/calendar.js';
import { dueFrom, newItem } from '../../work/item/workItem.js';
import { WorkStore } from '../../work/item/workStore.js';
import type { MendPorts } from './mendJobs.js';

/** How many work items of each kind were written. */
export interface MendedEnrollments {
  readonly ingests: number;
  /** Enrollments whose days are searched again from the first. */
  readonly plans: number;
}

/** Inputs without an enrollment that are older were removed before the restored export, which is a few nights old. */
const OLDEST_INPUTS_MS = 8 * 24 * 3_600_000;
const LOOKS_AT_ONCE = 16;

/** Whether the search of past days, which an ingest begins, may not have ended by the export: it waits for outages. */
const mayBeSearched = ({ createdAt, completedAt = createdAt }: Enrollment, now: number): boolean =>
  completedAt > now - OLDEST_INPUTS_MS;

/**
 * After a restore: writes the work of enrollments, which is not exported. An enrollment that is not ingested gets an ingest,
 * one under monitoring, or of the last days, a new search of its days; repeating what was done is harmless.
 */
export async function mendEnrollments(ports: MendPorts): Promise<MendedEnrollments> {
  const rows = ports.rows('enrollments');
  const work = new WorkStore(ports.rows('work'));
  const now = ports.clock.now().getTime();
  const today = new Date(now).toISOString().slice(0, 10);
  const found = { ingests: 0, plans: 0 };
  for await (const page of rows.scan<EnrollmentRow>({ prefix: 'E_' })) {
    for (const enrollment of page.map(enrollmentOf)) {
      if (enrollment.stoppedAt !== undefined) continue;
      if (enrollment.status === 'received' || enrollment.status === 'in_progress') {
        await work.insert(newItem(ingestWork(enrollment), now));
        found.ingests += 1;
        continue;
      }
      const { startDate, endDate } = enrollment.request;
      const isOver = addDays(endDate, LATE_SCENE_DAYS) < today && !mayBeSearched(enrollment, now);
      if (enrollment.status !== 'completed' || isOver) continue;
      await work.insert(dueFrom(newItem(planOf(enrollment), now), workBeginsAt(startDate), now));
      found.plans += 1;
    }
  }
  await findLostSubmissions(ports, work);
  return found;
}

/** Inputs without an enrollment, of a submission that died or came after the export: their ingest removes them. */
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
