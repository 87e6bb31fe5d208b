import type { NoticeSwitches } from '../notices/noticeSwitches.js';
import { wholeNumber, type Setting } from '../setting.js';

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
  NOTICES_RETENTION_DAYS: {
    meaning: 'Days for which events and deliveries are kept.',
    example: '30',
    fallback: '30',
    parse: wholeNumber(1, 90),
  },
} as const satisfies Record<string, Setting<unknown>>;

/** Events need an address as their source. */
export function noticeSettingFaults(config: NoticeSwitches): string[] {
  const { PUBLIC_URL: publicUrl, WEBHOOK_KEYS: keys } = config;
  return keys !== undefined && publicUrl === undefined
    ? ['PUBLIC_URL is missing: with WEBHOOK_KEYS events are told, and PUBLIC_URL is their source.']
    : [];
}
