import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Beginning of every key, by which people and secret scanners recognise it. */
const PREFIX = 'pfs';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_ID_LENGTH = 12;
/** 40 digits of base 62 are 238 bits. */
const SECRET_LENGTH = 40;
const CHECK_LENGTH = 6;
const FORM = /^pfs_([0-9A-Za-z]{12})_[0-9A-Za-z]{46}$/;

/** A key and its public part, by which it is found. */
export interface ApiKey {
  /** 12 digits of base 62; not secret. */
  readonly keyId: string;
  /** The whole key: prefix, id, secret and check digits. Secret. */
  readonly text: string;
}

/** Unpredictable bytes, all 256 values equally likely. */
type RandomSource = (length: number) => Uint8Array;

/** Random source of issued keys: the cryptographic generator of the system. */
export const keySource: RandomSource = randomBytes;

/** A fresh key. */
export function newApiKey(random: RandomSource = keySource): ApiKey {
  const keyId = randomDigits(KEY_ID_LENGTH, random);
  const body = `${PREFIX}_${keyId}_${randomDigits(SECRET_LENGTH, random)}`;
  return { keyId, text: `${body}${checkDigits(body)}` };
}

/** The key in a text; undefined when its form or its check digits are wrong. */
export function parseApiKey(text: string): ApiKey | undefined {
  const keyId = FORM.exec(text)?.[1];
  if (keyId === undefined || !text.endsWith(checkDigits(text.slice(0, -CHECK_LENGTH)))) return undefined;
  return { keyId, text };
}

/** CRC-32 in base 62: detects a mistyped key without reading storage; it proves nothing. */
function checkDigits(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < CHECK_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** Digits of base 62, all equally likely: bytes from 248 on are dropped, since they would favour the first eight. */
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
