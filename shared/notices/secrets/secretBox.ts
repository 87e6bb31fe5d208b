import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { WebhookKeys } from './webhookSettings.js';

/** A secret as it is stored: nobody reads it without the key of its version. */
export interface Sealed {
  readonly keyVersion: string;
  /** Base64 of nonce, cipher text and tag. */
  readonly box: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** No key opens a stored secret: its version is not configured any more, or is another key than it was. */
export class SecretLost extends Error {
  override readonly name = 'SecretLost';

  constructor(version: string, options?: ErrorOptions) {
    super(`No key of WEBHOOK_KEYS opens a stored secret of version ${version}.`, options);
  }
}

/** Seals secrets with AES-256-GCM. @param place where the secret belongs: elsewhere it does not open */
export class SecretBox {
  /** Version of the key that seals. */
  readonly newest: string;
  readonly #keys: WebhookKeys;

  constructor(keys: WebhookKeys) {
    this.#keys = keys;
    this.newest = [...keys.keys()].sort((a, b) => Number(a) - Number(b)).at(-1) ?? '';
  }

  seal(secret: string, place: string): Sealed {
    const keyVersion = this.newest;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(keyVersion), nonce);
    cipher.setAAD(Buffer.from(`${place}|${keyVersion}`));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { keyVersion, box: Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64') };
  }

  /** @throws SecretLost, also when the box belongs elsewhere or was changed */
  open({ keyVersion, box }: Sealed, place: string): string {
    const bytes = Buffer.from(box, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.#keyOf(keyVersion), bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(`${place}|${keyVersion}`));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SecretLost(keyVersion, { cause });
    }
  }

  #keyOf(version: string): Uint8Array {
    const key = this.#keys.get(version);
    if (key === undefined) throw new SecretLost(version);
    return key;
  }
}
