import { enrollmentOf, enrollmentRowKey, type EnrollmentRow } from '../enrollments/enrollmentRows.js';
import { LATE_SCENE_DAYS, type EnrollmentKey } from '../enrollments/enrollment.js';
import { ingestWork } from '../enrollments/ingestEnrollment.js';
import { planOf } from '../imagery/discovery/backfill.js';
import { workBeginsAt } from '../imagery/catalogue/searchPeriods.js';
import { limiter } from '../raster/limiter.js';
import { addDays } from '../validation/calendar.js';
import { dueFrom, newItem } from '../work/workItem.js';
import { WorkStore } from '../work/workStore.js';
import type { MendPorts } from './mendJobs.js';

export interface MendedEnrollments {
  readonly ingests: number;
  /** Enrollments whose days are looked through again from the first. */
  readonly plans: number;
}

/** Exports are made every night; older inputs without an enrollment were removed before the one that is restored. */
const OLDEST_INPUTS_MS = 8 * 24 * 3_600_000;
const LOOKS_AT_ONCE = 16;

/**
 * After a restore: each enrollment that is not ingested gets its ingest, each one under monitoring begins anew. An export
 * has no rows of what is to be done. Looking again at what was done is harmless; not looking would lose it.
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
      if (enrollment.status !== 'completed' || addDays(endDate, LATE_SCENE_DAYS) < today) continue;
      await work.insert(dueFrom(newItem(planOf(enrollment), now), workBeginsAt(startDate), now));
      found.plans += 1;
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
