/** What is told of something that happened, before it has its place in the log of its owner. */
import type { JsonObject } from '../../kit/json/json.js';

/** Types of events; a caller may know more of them one day. */
export const noticeTypes = [
  'partner.job.succeeded',
  'partner.job.failed',
  'partner.job.cancelled',
  'partner.insight.updated',
  'partner.enrollment.completed',
  'partner.enrollment.failed',
  'partner.imagery.available',
  'partner.imagery.replaced',
  'partner.backfill.completed',
  'partner.webhook.disabled',
  'partner.webhook.ping',
] as const;
export type NoticeType = (typeof noticeTypes)[number];

/** One event without its place. Thin: ids and states, never parameters, geometry, texts of failures or tokens. */
export interface Notice {
  /** The same for the same event, however often it is told. */
  readonly id: string;
  readonly type: NoticeType;
  /** Path of what it is about, from the service's address on. */
  readonly subject: string;
  /** When it happened: ISO 8601 with three digits of a second. */
  readonly time: string;
  readonly data: JsonObject;
}

/** Name of the schema of an event's data: `job` of `partner.job.failed`. */
export const schemaNameOf = (type: NoticeType): string => type.split('.')[1] ?? '';

/** Whether a filter takes a type: a type itself, or the beginning of several as in `partner.job.*`. */
export const takesType = (filters: readonly string[] | undefined, type: string): boolean =>
  filters === undefined ||
  filters.some((filter) => filter === type || (filter.endsWith('.*') && type.startsWith(filter.slice(0, -1))));
