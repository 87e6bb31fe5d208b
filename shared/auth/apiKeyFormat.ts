import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a key of ours begins with: secret scanners and people recognise it. */
const PREFIX = 'pfs';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_ID_LENGTH = 12;
/** 40 digits of base 62 are 238 bits. */
const SECRET_LENGTH = 40;
const CHECK_LENGTH = 6;
const FORM = /^pfs_([0-9A-Za-z]{12})_[0-9A-Za-z]{46}$/;

/** A key as its owner shows it, and the public part of it by which it is found. */
export interface ApiKey {
  /** 12 digits of base 62; not secret. */
  readonly keyId: string;
  /** The whole key: prefix, id, secret and check digits. Secret. */
  readonly text: string;
}

/** Gives so many bytes, each of the 256 as likely as the other and none to be told from those before. */
type RandomSource = (length: number) => Uint8Array;

/** Where the keys that are handed out come from: the system's cryptographic generator. */
export const keySource: RandomSource = randomBytes;

/** A fresh key. */
export function newApiKey(random: RandomSource = keySource): ApiKey {
  const keyId = randomDigits(KEY_ID_LENGTH, random);
  const body = `${PREFIX}_${keyId}_${randomDigits(SECRET_LENGTH, random)}`;
  return { keyId, text: `${body}${checkDigits(body)}` };
}

/** The key a text is; undefined when its form or its check digits are wrong, which needs no look into storage. */
export function parseApiKey(text: string): ApiKey | undefined {
  const keyId = FORM.exec(text)?.[1];
  if (keyId === undefined || !text.endsWith(checkDigits(text.slice(0, -CHECK_LENGTH)))) return undefined;
  return { keyId, text };
}

/** CRC-32 in base 62: tells a mistyped key from an unknown one, and proves nothing. */
function checkDigits(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < CHECK_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** Digits of base 62, each as likely as the other: bytes from 248 on would favour the first eight, so they are left out. */
function randomDigits(length: number, random: RandomSource): string {
  const fair = Math.floor(256 / ALPHABET.length) * ALPHABET.length;
  let digits = '';
  while (digits.length < length) {
    for (const byte of random(length)) {
      if (byte < fair && digits.length < length) digits += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return digits;
}
