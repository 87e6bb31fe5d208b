import type { ReceiverAnswer } from './webhookClient.js';

const MOST_RATE = 600;

/** Whether a receiver wants events from us, whatever its status says. */
export function consentIn(
  { allowedOrigin, allowedRate }: Pick<ReceiverAnswer, 'allowedOrigin' | 'allowedRate'>,
  ownHost: string,
): { readonly consents: boolean; readonly rate: number | undefined } {
  const named = allowedOrigin?.trim().toLowerCase();
  const consents = named === '*' || named === ownHost.toLowerCase();
  const rate = /^\d{1,9}$/.test(allowedRate ?? '') ? Math.max(1, Number(allowedRate)) : undefined;
  return { consents, rate: rate !== undefined && rate < MOST_RATE ? rate : undefined };
}
