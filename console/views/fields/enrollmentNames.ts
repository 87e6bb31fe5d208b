import { signal } from '@preact/signals';
import type { EnrollmentRecord } from '../../../shared/enrollments/record/enrollmentSchemas.js';
import { readEnrollments } from '../../api/enrollments.js';
import { dayText } from '../../parts/dateText.js';
import { forgetAtSignOut } from '../../session/forgetting.js';

const PAGE = 200;

/** What enrollments are called and when they were submitted, by their ids, the newest first. */
export const enrollmentNames = signal<ReadonlyMap<string, string>>(new Map());

/** Forgets them, for another customer. */
function forgetEnrollmentNames(): void {
  enrollmentNames.value = new Map();
}
forgetAtSignOut(forgetEnrollmentNames);

/** What an enrollment is called: as it was described, else by its number of fields. */
export const titleOf = ({
  description,
  total_fields: total,
}: Pick<EnrollmentRecord, 'description' | 'total_fields'>): string =>
  description ?? `${total} ${total === 1 ? 'field' : 'fields'}`;

const nameOf = (item: EnrollmentRecord): string => `${titleOf(item)} · ${dayText(item.created_date_time.slice(0, 10))}`;

/** Reads what these enrollments are called; as far as it goes, for their periods tell them apart as well. */
export async function loadEnrollmentNames(ids: readonly string[], signal: AbortSignal): Promise<void> {
  const names = new Map<string, string>();
  let cursor: string | null = null;
  try {
    do {
      const page: Awaited<ReturnType<typeof readEnrollments>> = await readEnrollments(PAGE, cursor, signal);
      for (const item of page.items) names.set(item.enrollment_id, nameOf(item));
      cursor = page.cursor;
    } while (cursor !== null && ids.some((id) => !names.has(id)));
  } catch {
    return; // The next change of the list asks again.
  }
  enrollmentNames.value = names;
}
