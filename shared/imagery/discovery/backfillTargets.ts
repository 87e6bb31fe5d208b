import type { Enrollment, EnrollmentKey } from '../../enrollments/record/enrollment.js';
import type { EnrollmentStore } from '../../enrollments/record/enrollmentStore.js';
import type { FieldStore } from '../../enrollments/fields/fieldStore.js';
import type { ReadyField } from '../../enrollments/fields/field.js';
import { limiter } from '../../kit/limiter.js';
import { isHeldOn } from '../interest/wantedLayers.js';
import type { Backfill } from './backfill.js';

export interface TargetPorts {
  readonly enrollments: Pick<EnrollmentStore, 'find'>;
  readonly fields: Pick<FieldStore, 'listFields' | 'listHolders'>;
}

/** Fields of an enrollment whose days are to be looked through. */
export interface BackfillTarget {
  readonly enrollment: Enrollment;
  readonly fields: readonly ReadyField[];
}

const HOLDERS_AT_ONCE = 8;

const readyFields = async ({ fields }: TargetPorts, key: EnrollmentKey): Promise<readonly ReadyField[]> =>
  (await fields.listFields(key)).filter((field) => field.status === 'ready');

/** These fields of an enrollment; undefined when the enrollment was stopped or has none of them. @param fieldIds all when absent */
async function targetOf(
  ports: TargetPorts,
  key: EnrollmentKey,
  fieldIds?: ReadonlySet<string>,
): Promise<BackfillTarget | undefined> {
  const enrollment = (await ports.enrollments.find(key))?.enrollment;
  if (enrollment === undefined || enrollment.stoppedAt !== undefined) return undefined;
  const fields = (await readyFields(ports, key)).filter(({ fieldId }) => fieldIds?.has(fieldId) !== false);
  return fields.length === 0 ? undefined : { enrollment, fields };
}

/** The fields of a stopped enrollment in the other enrollments that monitor them on a day. */
async function targetsOfOthers(
  ports: TargetPorts,
  key: EnrollmentKey,
  date: string,
): Promise<readonly BackfillTarget[]> {
  const { customer } = key;
  const reading = limiter(HOLDERS_AT_ONCE);
  const holdersOf = async ({ fieldId, shape }: ReadyField) =>
    (await ports.fields.listHolders(customer, fieldId)).filter((holder) => isHeldOn(holder, shape, date));
  const fields = await readyFields(ports, key);
  const holders = (await Promise.all(fields.map((field) => reading(() => holdersOf(field))))).flat();
  const fieldIds = new Set(holders.map(({ fieldId }) => fieldId));
  const targets: BackfillTarget[] = [];
  for (const enrollmentId of new Set(holders.map((holder) => holder.enrollmentId))) {
    const target = await targetOf(ports, { customer, enrollmentId }, fieldIds);
    if (target !== undefined) targets.push(target);
  }
  return targets;
}

/**
 * The fields that a backfill is about. When the enrollment was stopped, a `retry` goes on for the other enrollments that
 * monitor its fields, for the failure concerns them too.
 */
export async function targetsOf(ports: TargetPorts, backfill: Backfill): Promise<readonly BackfillTarget[]> {
  const { customer, enrollmentId, fieldIds, why, from } = backfill;
  const key = { customer, enrollmentId };
  const own = await targetOf(ports, key, fieldIds && new Set(fieldIds));
  if (own !== undefined) return [own];
  return why === 'retry' ? targetsOfOthers(ports, key, from) : [];
}
