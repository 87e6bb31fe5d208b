/** Examples for the OpenAPI document: one event of each type. */
const source = 'https://fields.contoso.com';

const event = (type: string, place: number, members: object) => ({
  specversion: '1.0',
  id: `6f0d40e8-b2e0-5f2b-8922-390cd52b22${place}`,
  source,
  type,
  ...members,
  datacontenttype: 'application/json',
  dataschema: `${source}/schemas/events/${type.split('.')[1] ?? ''}.v1.json`,
  sequence: `17778768000${place}`,
});

const enrollment_id = '0d5b3c1a-6f2e-4b7d-9c8a-1e2f3a4b5c6d';
const requestPath = '/v1/gdd/spring-corn-2026';
const insightId = '60e0629d-49bc-5a4a-8736-07097a0a74a1';
const webhook_id = 'wh_5f3b2c1d-8a7e-5b6c-9d0e-1f2a3b4c5d6e';

const job = {
  kind: 'gdd',
  requestPath,
  e2eId: '7a4e8f2b-3c5d-4e6f-8a9b-0c1d2e3f4a5b',
  jobCreatedDateTime: '2026-05-04T06:00:00.000Z',
} as const;
const jobEnded = { subject: requestPath, time: '2026-05-04T06:00:09.412Z' };
const jobProcessingEndDateTime = jobEnded.time;

const ofEnrollment = (time: string) => ({ subject: `/v1/enrollments/${enrollment_id}`, time });
const ofImages = {
  subject: '/v1/fields',
  time: '2026-05-04T10:35:00.000Z',
  data: {
    image_source: 'sentinel-2-l2a',
    origin: 'new',
    field_date_count: 2,
    groups: [{ date: '2026-05-03', layers: ['ndvi', 'true-color'], field_ids: ['north-6', 'north-7'] }],
  },
};
const ofWebhook = { subject: `/v1/webhooks/${webhook_id}`, time: '2026-05-10T10:00:00.000Z' };

const examples = [
  event('partner.job.succeeded', 41, {
    ...jobEnded,
    data: { ...job, status: 'SUCCEEDED', jobProcessingEndDateTime, insightId },
  }),
  event('partner.job.failed', 42, {
    ...jobEnded,
    data: { ...job, status: 'FAILED', jobProcessingEndDateTime, code: 'GDD-05005' },
  }),
  event('partner.job.cancelled', 43, { ...jobEnded, data: { ...job, status: 'CANCELLED' } }),
  event('partner.insight.updated', 44, {
    subject: `/v1/insights/${insightId}`,
    time: '2026-05-04T12:00:31.007Z',
    data: { requestPath, insightId, run: 1, isFinal: true },
  }),
  event('partner.enrollment.completed', 45, {
    ...ofEnrollment('2026-05-04T10:30:12.345Z'),
    data: { enrollment_id, status: 'completed', total_fields: 250, processed_fields: 249, failed_fields: 1 },
  }),
  event('partner.enrollment.failed', 46, {
    ...ofEnrollment('2026-05-04T10:30:12.345Z'),
    data: { enrollment_id, status: 'failed', total_fields: 250, processed_fields: 0, failed_fields: 250 },
  }),
  event('partner.imagery.available', 47, ofImages),
  event('partner.imagery.replaced', 48, ofImages),
  event('partner.backfill.completed', 49, {
    ...ofEnrollment('2026-05-05T01:00:00.000Z'),
    data: { enrollment_id, from: '2025-05-04', to: '2026-05-04', fields: 249 },
  }),
  event('partner.webhook.disabled', 50, {
    ...ofWebhook,
    data: { webhook_id, reason: 'no_success_for_5_days', since: '2026-05-05T09:58:11.000Z' },
  }),
  event('partner.webhook.ping', 51, { ...ofWebhook, data: { webhook_id } }),
];

export const eventExamples: Readonly<Record<string, unknown>> = Object.fromEntries(
  examples.map((example) => [example.type, example]),
);

export const eventPageExample = {
  items: examples.slice(0, 1),
  cursor: 'Kqf8h0mGkJ9hXb2oQv1c5FsxLCIxNzc3ODc2ODAwMDQxIl0',
  has_more: false,
};
