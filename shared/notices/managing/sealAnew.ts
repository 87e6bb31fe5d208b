import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import { keyVersionsOf, resealed } from '../webhooks/webhookSecrets.js';
import type { StoredWebhook } from '../webhooks/webhookStore.js';

/**
 * Seals the secrets of a webhook with the newest key.
 *
 * @returns versions of keys that it needs then; a webhook that somebody changes at the same moment is left to the next time
 */
export async function sealAnew(
  ports: Pick<WebhookPorts, 'box' | 'webhooks' | 'clock'>,
  stored: StoredWebhook,
): Promise<readonly string[]> {
  const { webhook } = stored;
  const next = resealed(ports, webhook, ports.clock.now().getTime());
  const isSame = JSON.stringify(next) === JSON.stringify(webhook);
  return keyVersionsOf(isSame || (await ports.webhooks.replace(stored, next)) ? next : webhook);
}
