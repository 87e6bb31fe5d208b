import type { Fault } from './fault.js';

/** Faults of the operations on webhooks beyond the common ones. */
export const webhookFaults = {
  rotationOpen: {
    code: 'RotationOpen',
    status: 409,
    when: 'Two secrets of the webhook sign already; a third is made when the former has expired.',
  },
  notAsked: {
    code: 'ReceiverNotAsked',
    status: 409,
    when: 'The receiver of the webhook has not consented yet, so nothing is sent to it.',
  },
  secretLost: {
    code: 'SecretLost',
    status: 409,
    when: 'No key of the service opens the secret of the webhook any more; rotate the secret.',
  },
  askedJustNow: {
    code: 'ReceiverAskedJustNow',
    status: 409,
    retryAfterSeconds: 10,
    when: 'The receiver of the webhook was asked for its consent within the last ten seconds.',
  },
} as const satisfies Record<string, Fault>;
