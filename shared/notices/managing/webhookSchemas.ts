import { Type, type Static } from 'typebox';
import {
  closedObject,
  dateTimeSchema,
  listPageSchema,
  nullable,
  pageParameters,
} from '../../kit/validation/schemaParts.js';
import { disabledReasons, webhookStatuses } from '../webhooks/webhookStates.js';

/** Events of a log that are looked at to say how many wait for a webhook. */
export const MOST_PENDING = 1_000;

const url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'Address of the receiver: https on port 443 of the public internet; a query is kept to yourself',
});
const types = Type.Array(
  Type.String({
    pattern: '^partner(\\.[a-z]+){1,2}(\\.\\*)?$',
    maxLength: 64,
    description: 'a type such as partner.job.failed, or several as in partner.job.*',
  }),
  { minItems: 1, maxItems: 20, uniqueItems: true, description: 'Types that are sent; all when absent' },
);
const description = Type.String({
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'a text of one line for yourself',
});
const maxInFlight = Type.Integer({ minimum: 1, maximum: 8, description: 'Requests at the same time; 4 when absent' });

/** Body of a create. */
export const NewWebhook = closedObject('NewWebhook', {
  url,
  types: Type.Optional(types),
  description: Type.Optional(description),
  max_in_flight: Type.Optional(maxInFlight),
});
export type NewWebhook = Static<typeof NewWebhook>;

/** Body of a change. */
export const WebhookChange = closedObject('WebhookChange', {
  url: Type.Optional(url),
  types: Type.Optional(nullable(types)),
  description: Type.Optional(nullable(description)),
  max_in_flight: Type.Optional(maxInFlight),
  status: Type.Optional(Type.Enum(['enabled', 'paused'], { description: 'What it is to become' })),
  resume_from: Type.Optional(
    Type.Enum(['cursor', 'now'], { description: '`now` passes over what has not been sent yet; `cursor` when absent' }),
  ),
});
export type WebhookChange = Static<typeof WebhookChange>;

/** Body of a rotation. */
export const Rotation = closedObject('WebhookRotation', {
  expires_in_hours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 168, description: 'How long the former secret signs too; 24 when absent' }),
  ),
});
export type Rotation = Static<typeof Rotation>;

const sequence = Type.String({ description: 'Place in your log: 13 digits' });
const members = {
  id: Type.String({ description: 'Begins with wh_' }),
  url: Type.String({ description: 'Address of the receiver' }),
  types: nullable(Type.Array(Type.String()), 'Types that are sent; null for all'),
  description: nullable(Type.String(), 'Your text'),
  status: Type.Enum(webhookStatuses, {
    description:
      '`pending` until the receiver has consented, `disabled` by the service; only `enabled` is sent anything',
  }),
  disabled_reason: nullable(Type.Enum(disabledReasons), 'Why it is disabled'),
  max_in_flight: Type.Integer({ description: 'Requests at the same time' }),
  allowed_rate: nullable(Type.Integer(), 'Requests a minute that the receiver takes'),
  created_date_time: dateTimeSchema('When it was created'),
  cursor_sequence: sequence,
  pending_events: Type.Integer({
    minimum: 0,
    maximum: MOST_PENDING,
    description: `Events of its types behind \`cursor_sequence\`, among the next ${MOST_PENDING} of your log`,
  }),
  last_success_date_time: nullable(dateTimeSchema('When the receiver took an event last'), 'Null before the first'),
  failing_since: nullable(dateTimeSchema('Of the first failure since the last success'), 'Null while all goes well'),
  secrets: Type.Array(
    closedObject('WebhookSecret', {
      kid: Type.String({ description: 'Names the secret' }),
      created_date_time: dateTimeSchema('When it was made'),
      expires_date_time: nullable(dateTimeSchema('Until when it signs'), 'Null for the newest'),
    }),
    { description: 'The newest first; the secrets themselves are shown once' },
  ),
};

/** A webhook. */
export const WebhookRecord = closedObject('Webhook', members);
export type WebhookRecord = Static<typeof WebhookRecord>;

/** A webhook with its newest secret. */
export const WebhookWithSecret = closedObject('WebhookWithSecret', {
  ...members,
  secret: Type.String({ description: 'Signs what is sent; shown this once' }),
});

export const WebhookList = closedObject('WebhookList', {
  items: Type.Array(WebhookRecord, { description: 'At most 10' }),
});

const errorWord = nullable(
  Type.String({ description: '`unreachable`, `connect`, `tls`, `timeout`, `too_long` or `redirect`' }),
  'Null when an answer came',
);

/** What came of a ping. */
export const PingResult = closedObject('WebhookPing', {
  status_code: nullable(Type.Integer(), 'Null when no answer came'),
  duration_ms: Type.Integer({ description: 'Milliseconds until the answer' }),
  error: errorWord,
});
export type PingResult = Static<typeof PingResult>;

export const DeliveryStatuses = ['delivered', 'retrying', 'failed'] as const;
export const DeliveryRecord = closedObject('WebhookDelivery', {
  event_id: Type.String({ description: '`id` of the event' }),
  type: Type.String({ description: '`type` of the event' }),
  sequence,
  status: Type.Enum(DeliveryStatuses, { description: 'What became of it' }),
  attempts: Type.Array(
    closedObject('WebhookAttempt', {
      at: dateTimeSchema('When'),
      status_code: nullable(Type.Integer(), 'Null when no answer came'),
      duration_ms: Type.Integer({ description: 'Milliseconds until the answer' }),
      error: errorWord,
    }),
    { description: 'The latest ten' },
  ),
  next_attempt_date_time: nullable(dateTimeSchema('When it is sent once more'), 'Null when that is not planned'),
});
export type DeliveryRecord = Static<typeof DeliveryRecord>;
export const DeliveryPage = listPageSchema('WebhookDeliveryPage', DeliveryRecord, 'The newest events first');
export const DeliveryParameters = Type.Object({
  ...pageParameters('`cursor` of the page before', 100),
  status: Type.Optional(Type.Enum(DeliveryStatuses, { description: 'Only deliveries of this status' })),
});
export type DeliveryParameters = Static<typeof DeliveryParameters>;
