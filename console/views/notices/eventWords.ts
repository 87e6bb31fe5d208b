import { dayText } from '../../parts/dateText.js';

/** What the page reads of an event's data; a delivery has none, and later versions of the service may tell more. */
interface EventData {
  readonly kind?: string;
  readonly origin?: string;
  readonly groups?: readonly { readonly date: string; readonly field_ids: readonly string[] }[];
  readonly description?: string;
  readonly total_fields?: number;
  readonly processed_fields?: number;
  readonly from?: string;
}

/** An event as far as it is told of in words. */
export interface ToldEvent {
  readonly type: string;
  readonly data?: EventData;
}

/** ` of North, 3 May 2026`, or ` of 3 fields, 2 days`; nothing where the data does not tell. */
function ofFields({ groups = [] }: EventData): string {
  const fields = [...new Set(groups.flatMap(({ field_ids: ids }) => ids))];
  const dates = [...new Set(groups.map(({ date }) => date))];
  const [field, date] = [fields[0], dates[0]];
  if (field === undefined || date === undefined) return '';
  const days = dates.length === 1 ? dayText(date) : `${dates.length} days`;
  return ` of ${fields.length === 1 ? field : `${fields.length} fields`}, ${days}`;
}

const JOBS: Readonly<Record<string, string>> = { gdd: 'Degree-days', smartBoundary: 'Search for a boundary' };

const job =
  (ended: string) =>
  ({ kind = '' }: EventData): string =>
    `${JOBS[kind] ?? 'Calculation or search'}: ${ended}`;

const ofEnrollment = ({ description }: EventData, text: string): string =>
  description === undefined ? text : `${description}: ${text}`;

const WORDS: Readonly<Record<string, (data: EventData) => string>> = {
  'partner.imagery.available': (data) => `${data.origin === 'backfill' ? 'Earlier' : 'New'} pictures${ofFields(data)}`,
  'partner.imagery.replaced': (data) => `Better pictures${ofFields(data)}`,
  'partner.enrollment.completed': (data) =>
    data.processed_fields === undefined
      ? 'The fields of an enrollment were checked'
      : ofEnrollment(data, `${data.processed_fields} of ${data.total_fields ?? '?'} fields are monitored`),
  'partner.enrollment.failed': (data) => ofEnrollment(data, 'No field of the enrollment could be taken'),
  'partner.backfill.completed': ({ from }) =>
    `Days ${from === undefined ? 'before an enrollment' : `back to ${dayText(from)}`} were looked through`,
  'partner.job.succeeded': job('ready'),
  'partner.job.failed': job('failed'),
  'partner.job.cancelled': job('cancelled'),
  'partner.insight.updated': () => 'Degree-days were calculated anew',
  'partner.webhook.disabled': () => 'A webhook was disabled',
  'partner.webhook.ping': () => 'A test of a webhook',
};

/** An event in words of the farm; a type that the page does not know stands for itself. */
export const eventText = ({ type, data = {} }: ToldEvent): string => WORDS[type]?.(data) ?? type;
