/** Examples for the OpenAPI document. */
export const newWebhookExample = {
  url: 'https://farm.contoso.com/hooks/fields',
  types: ['partner.job.*'],
  description: 'Jobs of the planning tool',
};

export const webhookExample = {
  id: 'wh_5f3b2c1d-8a7e-5b6c-9d0e-1f2a3b4c5d6e',
  url: 'https://farm.contoso.com/hooks/fields',
  types: ['partner.job.*'],
  description: 'Jobs of the planning tool',
  status: 'pending' as const,
  disabled_reason: null,
  max_in_flight: 4,
  allowed_rate: null,
  created_date_time: '2026-05-04T06:00:00.000Z',
  cursor_sequence: '1777876800040',
  pending_events: 1,
  last_success_date_time: null,
  failing_since: null,
  secrets: [{ kid: '3f0c9a1e', created_date_time: '2026-05-04T06:00:00.000Z', expires_date_time: null }],
};

export const webhookWithSecretExample = {
  ...webhookExample,
  secret: 'whsec_mXCz4+btyS7K44aEB9DVIwbZLmK5dX55sWZP6c1zTIk=',
};

export const pingExample = { status_code: 204, duration_ms: 87, error: null };

export const deliveryPageExample = {
  items: [
    {
      event_id: 'a2ecca4f-6719-562a-96f3-974eb3b5ab76',
      type: 'partner.job.succeeded',
      sequence: '1777876800041',
      status: 'delivered' as const,
      attempts: [{ at: '2026-05-04T06:00:10.100Z', status_code: 204, duration_ms: 87, error: null }],
      next_attempt_date_time: null,
    },
  ],
  cursor: null,
};
