import type { NoticeSwitches } from '../log/noticeSwitches.js';
import { url, wholeNumber, type Setting } from '../../kit/setting.js';

/** Keys by version; there are two while one replaces the other. */
export type WebhookKeys = ReadonlyMap<string, Uint8Array>;

const KEY_BYTES = 32;

/** @throws Error that says what the text must be, never what it is */
function webhookKeys(value: string): WebhookKeys {
  const parsed: unknown = JSON.parse(value);
  const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  const keys = entries.map(([version, key]: [string, unknown]): [string, Buffer] => [
    version,
    Buffer.from(typeof key === 'string' ? key : '', 'base64'),
  ]);
  const isRight = ([version, key]: [string, Buffer]): boolean =>
    /^[1-9]\d{0,5}$/.test(version) && key.length === KEY_BYTES;
  if (keys.length > 0 && keys.every(isRight)) return new Map(keys);
  throw new Error('must be a JSON object: version (1, 2, …) → base64 of 32 bytes');
}

function localHosts(value: string): readonly string[] {
  const hosts = value.split(',').map((host) => host.trim());
  if (!hosts.every((host) => /^(?:127\.0\.0\.1|localhost):\d{1,5}$/.test(host))) {
    throw new Error('must be addresses of this machine with their port, separated by commas');
  }
  return hosts;
}

/** The service shows its token there: never without TLS, not even on this machine. */
function topicUrl(value: string): string {
  const { protocol, search, hash } = new URL(url(value));
  if (protocol !== 'https:') throw new Error('must be an https address');
  if (search !== '' || hash !== '') throw new Error('must not hold a query or a fragment');
  return url(value);
}

/** Settings of notices: webhooks and the log of events. */
export const webhookSettings = {
  WEBHOOK_KEYS: {
    meaning:
      'JSON by version: the keys, base64 of 32 bytes, that seal the secrets of webhooks (in Azure a Key Vault reference). The highest version seals; an old one stays as long as secrets name it. Notices are off when absent; needs `PUBLIC_URL`.',
    example: '{"1":"base64…"}',
    optional: true,
    parse: webhookKeys,
  },
  WEBHOOK_LOCAL_HOSTS: {
    meaning: 'Receivers on this machine, with their port, that webhooks may name by http or https; never in Azure.',
    example: '127.0.0.1:9443',
    optional: true,
    parse: localHosts,
  },
  NOTICES_TOPIC_URL: {
    meaning:
      'Endpoint of a custom topic of Event Grid to which the events of all tenants and customers are sent; none when absent. Needs `PUBLIC_URL` and `WEBHOOK_KEYS`.',
    example: 'https://fields.westeurope-1.eventgrid.azure.net/api/events',
    optional: true,
    parse: topicUrl,
  },
  NOTICES_RETENTION_DAYS: {
    meaning: 'Days for which events and deliveries are kept.',
    example: '30',
    fallback: '30',
    parse: wholeNumber(1, 90),
  },
} as const satisfies Record<string, Setting<unknown>>;

/** Events need an address as their source; what is sent to Event Grid stands in the log that is kept where notices are on. */
export function noticeSettingFaults(
  config: NoticeSwitches & { readonly NOTICES_TOPIC_URL?: string | undefined },
): string[] {
  const { PUBLIC_URL: publicUrl, WEBHOOK_KEYS: keys, NOTICES_TOPIC_URL: topic } = config;
  const faults: string[] = [];
  if (keys !== undefined && publicUrl === undefined) {
    faults.push('PUBLIC_URL is missing: with WEBHOOK_KEYS events are told, and PUBLIC_URL is their source.');
  }
  if (topic !== undefined && keys === undefined) {
    faults.push(
      'WEBHOOK_KEYS is missing: with NOTICES_TOPIC_URL notices must be on, which takes PUBLIC_URL and WEBHOOK_KEYS.',
    );
  }
  return faults;
}
