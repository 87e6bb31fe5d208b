import type { SentEvents } from '../../shared/http/openApi.js';
import { noticeEvents, typesOf, type NoticeSchemaName } from '../../shared/notices/noticeSchemas.js';
import { eventExamples } from './examples.js';

/** What webhooks are sent, for the OpenAPI document. */
export const sentEvents: readonly SentEvents[] = (Object.keys(noticeEvents) as NoticeSchemaName[]).map((name) => ({
  name: `${name}Event`,
  types: typesOf(name),
  schema: noticeEvents[name],
  example: eventExamples[name],
}));
