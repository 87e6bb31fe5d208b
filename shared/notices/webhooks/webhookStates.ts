/** `pending` until its receiver has consented; nothing is sent before. */
export const webhookStatuses = ['pending', 'enabled', 'paused', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export const disabledReasons = [
  'verification_failed',
  'gone_410',
  'no_success_for_5_days',
  'too_many_failed_events',
  'secret_lost',
  'operator',
] as const;
export type DisabledReason = (typeof disabledReasons)[number];
