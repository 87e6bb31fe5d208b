/** The events as schemas: of the OpenAPI document, and of what the service hands out below `/schemas/events`. */
import { Type, type Static, type TSchema } from 'typebox';
import { closedObject, dateSchema, dateTimeSchema, uuidSchema } from '../../kit/validation/schemaParts.js';
import { noticeTypes, schemaNameOf, type NoticeType } from './notice.js';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const requestPath = Type.String({ description: 'The `requestPath` of the job' });

/** `data` by the name of its schema. Later versions may add members; none goes and none changes. */
export const noticeData = {
  job: closedObject('JobEventData', {
    kind: Type.Enum(['gdd', 'smartBoundary'], { description: 'The kind of job' }),
    requestPath,
    status: Type.Enum(['SUCCEEDED', 'FAILED', 'CANCELLED'], { description: 'How the job has ended' }),
    e2eId: uuidSchema('Correlation id of the create'),
    jobCreatedDateTime: dateTimeSchema('When the job was created'),
    jobProcessingEndDateTime: Type.Optional(dateTimeSchema('When its processing ended; absent if it never began')),
    insightId: Type.Optional(uuidSchema('Of a job that SUCCEEDED: GET /v1/insights/{insightId}')),
    code: Type.Optional(Type.String({ description: 'Of a job that FAILED: the code of the reason' })),
  }),
  insight: closedObject('InsightEventData', {
    requestPath,
    insightId: uuidSchema('GET /v1/insights/{insightId}'),
    run: count('Which run made it'),
    isFinal: Type.Boolean({ description: 'Whether no further run is to come' }),
  }),
  enrollment: closedObject('EnrollmentEventData', {
    enrollment_id: uuidSchema('GET /v1/enrollments/{enrollment_id}'),
    status: Type.Enum(['completed', 'failed'], { description: 'How its ingest has ended' }),
    total_fields: count('Fields submitted'),
    processed_fields: count('Fields under monitoring'),
    failed_fields: count('Fields that could not be taken'),
    description: Type.Optional(Type.String({ description: 'That of its submission' })),
  }),
  imagery: closedObject('ImageryEventData', {
    image_source: Type.String({ description: 'The satellite imagery source' }),
    origin: Type.Enum(['new', 'backfill'], { description: '`new`: of the last ten days' }),
    field_date_count: count('Fields and days in all groups'),
    groups: Type.Array(
      closedObject('ImageryEventGroup', {
        date: dateSchema('UTC day of the images'),
        layers: Type.Array(Type.String(), { description: 'Layers that are there now' }),
        field_ids: Type.Array(Type.String(), { description: 'The fields' }),
      }),
      { description: 'Fields with the same layers of a day' },
    ),
  }),
  backfill: closedObject('BackfillEventData', {
    enrollment_id: uuidSchema('GET /v1/enrollments/{enrollment_id}'),
    from: dateSchema('First day that was looked through'),
    to: dateSchema('Last day that was looked through'),
    fields: count('Fields under monitoring'),
  }),
  webhook: closedObject('WebhookEventData', {
    webhook_id: Type.String({ description: 'GET /v1/webhooks/{webhook_id}' }),
    reason: Type.Optional(Type.String({ description: 'Why it was disabled' })),
    since: Type.Optional(dateTimeSchema('Since when it has failed')),
  }),
} as const satisfies Record<string, TSchema>;

export type NoticeSchemaName = keyof typeof noticeData;
export const isSchemaName = (name: string): name is NoticeSchemaName => name in noticeData;

/** The types of events whose data has a schema. */
export const typesOf = (name: NoticeSchemaName): readonly NoticeType[] =>
  noticeTypes.filter((type) => schemaNameOf(type) === name);

const envelope = <D extends TSchema>(types: readonly string[], data: D) => ({
  specversion: Type.Enum(['1.0'], { description: 'Version of CloudEvents' }),
  id: uuidSchema('The same for the same event, however often it comes: drop what you have'),
  source: Type.String({ description: 'Address of the service' }),
  type: Type.Enum([...types], { description: 'What has happened' }),
  subject: Type.String({ description: 'Path of what it is about' }),
  time: dateTimeSchema('When it happened; UTC with milliseconds'),
  datacontenttype: Type.Enum(['application/json'], { description: 'Of `data`' }),
  dataschema: Type.String({ description: 'Where the schema of `data` is' }),
  sequence: Type.String({ pattern: '^\\d{13}$', description: 'Place in your log: 13 digits that grow' }),
  data,
});

const titleOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}Event`;

/** The whole event by the name of its schema. */
export const noticeEvents: Readonly<Record<NoticeSchemaName, TSchema>> = Object.fromEntries(
  Object.entries(noticeData).map(([name, data]) => {
    return [name, closedObject(titleOf(name), envelope(typesOf(name as NoticeSchemaName), data))];
  }),
) as unknown as Record<NoticeSchemaName, TSchema>;

/** An event of any type, as lists have it. */
const AnyEvent = closedObject('Event', envelope(noticeTypes, Type.Unknown({ description: 'As the type says' })));

/** Parameters of the list of events. */
export const EventListParameters = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 512, description: '`cursor` of the answer before' })),
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Where to begin without a cursor: `latest`, or an instant; the beginning of the log when absent',
    }),
  ),
  types: Type.Optional(
    Type.String({ maxLength: 600, description: 'Types separated by commas, such as `partner.job.*`; all when absent' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Page size, 50 when absent; above 200 is 200' })),
});
export type EventListParameters = Static<typeof EventListParameters>;

/** One page of events. */
export const EventPage = closedObject('EventPage', {
  items: Type.Array(AnyEvent, { description: 'Events as they are sent, in the order of `sequence`' }),
  cursor: Type.String({ description: 'Goes on behind the last event; never null, for more may come' }),
  has_more: Type.Boolean({ description: 'Whether more is there already' }),
});
