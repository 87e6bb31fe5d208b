/** Examples for the OpenAPI document: one event of each schema. */
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

export const eventExamples = {
  job: event('partner.job.succeeded', 41, {
    subject: requestPath,
    time: '2026-05-04T06:00:09.412Z',
    data: {
      kind: 'gdd',
      requestPath,
      status: 'SUCCEEDED',
      e2eId: '7a4e8f2b-3c5d-4e6f-8a9b-0c1d2e3f4a5b',
      jobCreatedDateTime: '2026-05-04T06:00:00.000Z',
      jobProcessingEndDateTime: '2026-05-04T06:00:09.412Z',
      insightId,
    },
  }),
  insight: event('partner.insight.updated', 42, {
    subject: `/v1/insights/${insightId}`,
    time: '2026-05-04T12:00:31.007Z',
    data: { requestPath, insightId, run: 1, isFinal: true },
  }),
  enrollment: event('partner.enrollment.completed', 43, {
    subject: `/v1/enrollments/${enrollment_id}`,
    time: '2026-05-04T10:30:12.345Z',
    data: { enrollment_id, status: 'completed', total_fields: 250, processed_fields: 249, failed_fields: 1 },
  }),
  imagery: event('partner.imagery.available', 44, {
    subject: '/v1/fields',
    time: '2026-05-04T10:35:00.000Z',
    data: {
      image_source: 'sentinel-2-l2a',
      origin: 'new',
      field_date_count: 2,
      groups: [{ date: '2026-05-03', layers: ['ndvi', 'true-color'], field_ids: ['north-6', 'north-7'] }],
    },
  }),
  backfill: event('partner.backfill.completed', 45, {
    subject: `/v1/enrollments/${enrollment_id}`,
    time: '2026-05-05T01:00:00.000Z',
    data: { enrollment_id, from: '2025-05-04', to: '2026-05-04', fields: 249 },
  }),
  webhook: event('partner.webhook.disabled', 46, {
    subject: `/v1/webhooks/${webhook_id}`,
    time: '2026-05-10T10:00:00.000Z',
    data: { webhook_id, reason: 'no_success_for_5_days', since: '2026-05-05T09:58:11.000Z' },
  }),
};

export const eventPageExample = {
  items: [eventExamples.job],
  cursor: 'Kqf8h0mGkJ9hXb2oQv1c5FsxLCIxNzc3ODc2ODAwMDQxIl0',
  has_more: false,
};
