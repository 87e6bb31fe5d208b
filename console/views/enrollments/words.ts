import { fieldFaults } from '../../../shared/kit/errors/catalogue.js';
import type { EnrollmentRecord } from '../../../shared/enrollments/record/enrollmentSchemas.js';
import type { BackfillProgress } from '../../../shared/imagery/discovery/backfillSchemas.js';
import { dayText } from '../../parts/dateText.js';
import { LAYERS } from '../fields/selection.js';
import type { PictureCount } from './pictureCount.js';

const REMEDIES: ReadonlyMap<string, string> = new Map(
  Object.values(fieldFaults).map(({ code, remedy }) => [code, remedy]),
);

/** What to do about a field's fault, as the service's own table of errors says it. */
export const remedyOf = (code: string): string => REMEDIES.get(code) ?? 'Tell us the code.';

/** Layers by their names, as the card of layers has them. */
export const layerNames = (layers: readonly string[]): string =>
  layers.map((layer) => LAYERS.find((each) => each.layer === layer)?.name ?? layer).join(', ');

/** True until its fields are taken in. */
export const isOpen = ({ status }: Pick<EnrollmentRecord, 'status'>): boolean =>
  status === 'received' || status === 'in_progress';

/** How far back its days were looked through; those of today and later are looked at as they come. */
function backfillText({ status, from, days, days_left: left }: BackfillProgress): string {
  const back = `back to ${dayText(from)}`;
  if (status === 'completed') return `looked through ${back}`;
  return `${(days - left).toLocaleString('en-US')} of ${days.toLocaleString('en-US')} days ${back} looked through`;
}

function monitoringText({ start_date: start, end_date: end }: EnrollmentRecord['request_metadata'], today: string) {
  if (end < today) return `monitoring ended on ${dayText(end)}`;
  return start > today ? `monitored from ${dayText(start)} until ${dayText(end)}` : `monitored until ${dayText(end)}`;
}

/**
 * How far an enrollment is: what is taken in, then its pictures, its days, and until when new ones come.
 *
 * @param backfill undefined while it is not known
 */
export function progressText(
  item: EnrollmentRecord,
  { total: monitored, withPicture }: PictureCount,
  backfill: BackfillProgress | undefined,
  today: string,
): string {
  const { status, total_fields: total, processed_fields: done, failed_fields: failed, message } = item;
  if (isOpen(item)) return `${done + failed} of ${total} taken in${failed === 0 ? '' : `, ${failed} failed`}`;
  if (status === 'failed' || done === 0) return message;
  const { request_metadata: asked } = item;
  return [
    ...(monitored === 0 ? [] : [`${withPicture} of ${monitored} with a picture`]),
    ...(backfill === undefined || asked.start_date > today ? [] : [backfillText(backfill)]),
    monitoringText(asked, today),
  ].join(' · ');
}
