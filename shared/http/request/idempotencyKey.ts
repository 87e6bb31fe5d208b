import { invalidInput } from '../../kit/errors/invalidInput.js';

/** Name of the header as documents write it. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key by which a caller marks repetitions of one request. @throws ServiceError 422 for a key that is none */
export function idempotencyKeyOf(headers: { get(name: string): string | null }): string | undefined {
  const key = headers.get(IDEMPOTENCY_KEY);
  if (key === null) return undefined;
  if (KEY.test(key)) return key;
  const msg = `${IDEMPOTENCY_KEY} must have 1 to 255 visible ASCII characters, no spaces; a UUID will do`;
  throw invalidInput([{ loc: ['header', IDEMPOTENCY_KEY], msg, type: 'idempotency_key' }]);
}
