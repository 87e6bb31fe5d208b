/** The secrets of a webhook as they are stored: sealed, each in its own place. */
import { randomBytes } from 'node:crypto';
import { SecretLost, type Sealed, type SecretBox } from '../secrets/secretBox.js';
import { CONSENT, placeOfSecret, validSecrets, type Webhook, type WebhookKey, type WebhookSecret } from './webhook.js';
import type { WebhookPorts } from './webhookPorts.js';

const CONSENT_BYTES = 32;

/** A secret under a name of its own. */
export function sealedSecret({ box, clock, newId }: WebhookPorts, key: WebhookKey, secret: string): WebhookSecret {
  const kid = newId().slice(0, 8);
  return { kid, sealed: box.seal(secret, placeOfSecret(key, kid)), createdAt: clock.now().getTime() };
}

/** What the administrator of a receiver shows to consent. */
export const newConsent = ({ box }: Pick<WebhookPorts, 'box'>, key: WebhookKey): Sealed =>
  box.seal(randomBytes(CONSENT_BYTES).toString('base64url'), placeOfSecret(key, CONSENT));

/** What a box holds; undefined when no key opens it any more. */
function opened(box: SecretBox, sealed: Sealed, place: string): string | undefined {
  try {
    return box.open(sealed, place);
  } catch (error) {
    if (error instanceof SecretLost) return undefined;
    throw error;
  }
}

/** The text of a secret; undefined when no key opens it any more. */
export const openedSecret = (
  { box }: Pick<WebhookPorts, 'box'>,
  key: WebhookKey,
  { kid, sealed }: Pick<WebhookSecret, 'kid' | 'sealed'>,
): string | undefined => opened(box, sealed, placeOfSecret(key, kid));

/** What consents to a webhook; undefined when no key opens it any more. */
export const openedConsent = (ports: Pick<WebhookPorts, 'box'>, webhook: Webhook): string | undefined =>
  openedSecret(ports, webhook, { kid: CONSENT, sealed: webhook.consent });

/**
 * The webhook with everything sealed by the newest key, without secrets that sign no more. What no key opens stays as it
 * is: the key may come back.
 */
export function resealed({ box }: Pick<WebhookPorts, 'box'>, webhook: Webhook, now: number): Webhook {
  const anew = (kid: string, sealed: Sealed): Sealed => {
    const place = placeOfSecret(webhook, kid);
    const text = sealed.keyVersion === box.newest ? undefined : opened(box, sealed, place);
    return text === undefined ? sealed : box.seal(text, place);
  };
  const secrets = validSecrets(webhook, now).map((held) => ({ ...held, sealed: anew(held.kid, held.sealed) }));
  return { ...webhook, secrets, consent: anew(CONSENT, webhook.consent) };
}

/** Versions of keys that a webhook needs, each once. */
export const keyVersionsOf = ({ secrets, consent }: Webhook): readonly string[] => [
  ...new Set([consent, ...secrets.map(({ sealed }) => sealed)].map(({ keyVersion }) => keyVersion)),
];
