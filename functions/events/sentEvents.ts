import type { SentEvent } from '../../shared/http/openApi/openApi.js';
import { noticeTypes, schemaNameOf, type NoticeType } from '../../shared/notices/log/notice.js';
import { noticeEvents, type NoticeSchemaName } from '../../shared/notices/log/noticeSchemas.js';
import { eventExamples } from './examples.js';

const summaries: Readonly<Record<NoticeType, string>> = {
  'partner.job.succeeded': 'A job has SUCCEEDED',
  'partner.job.failed': 'A job has FAILED',
  'partner.job.cancelled': 'A job was cancelled',
  'partner.insight.updated': 'A better insight has taken the place of an earlier one',
  'partner.enrollment.completed': 'The fields of an enrollment were taken',
  'partner.enrollment.failed': 'An enrollment could not be taken',
  'partner.imagery.available': 'Images of fields and days are there',
  'partner.imagery.replaced': 'Images rest on a better scene now',
  'partner.backfill.completed': 'The days before an enrollment were looked through',
  'partner.webhook.disabled': 'A webhook was disabled',
  'partner.webhook.ping': 'A ping that was asked for; it stands in no log',
};

/** What webhooks are sent, for the OpenAPI document. */
export const sentEvents: readonly SentEvent[] = noticeTypes.map((type) => ({
  type,
  summary: summaries[type],
  schema: noticeEvents[schemaNameOf(type) as NoticeSchemaName],
  example: eventExamples[type],
}));
