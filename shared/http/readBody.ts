import type { Clock } from '../clock.js';
import type { Fault } from '../errors/fault.js';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import { readTimely } from './timelyBody.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Largest JSON body in bytes. */
export const MAX_JSON_BYTES = 64 * 1024;

export interface IncomingBody {
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** @throws ServiceError 415 unless the request says that it sends plain JSON */
export function requireJson({ headers }: IncomingBody): void {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError(
      commonFaults.unsupportedMediaType,
      'Content-Encoding is not supported; send the body as it is.',
    );
  }
  const type = headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new ServiceError(commonFaults.unsupportedMediaType, 'Content-Type must be application/json (UTF-8).');
  }
}

/** @throws ServiceError 413 when the request announces more than `maxBytes` */
export function refuseAnnouncedSize({ headers }: IncomingBody, maxBytes: number): void {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * The JSON value of a body. Bytes are counted while they come: a length that was announced proves nothing.
 *
 * @throws ServiceError 413 over 64 KB; 408 when it comes too slowly; `invalid` when the body isn't JSON in UTF-8
 */
export async function readJson({ body }: IncomingBody, invalid: Fault, clock: Clock): Promise<unknown> {
  const bytes = body === null ? new Uint8Array() : await bytesOf(body, invalid, clock);
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch (error) {
    throw new ServiceError(invalid, 'The body is not JSON in UTF-8.', { cause: error });
  }
}

async function bytesOf(body: AsyncIterable<Uint8Array>, invalid: Fault, clock: Clock): Promise<Uint8Array> {
  const brokenOff = (cause: unknown): ServiceError =>
    new ServiceError(invalid, 'The body broke off before it was whole.', { cause });
  const chunks: Uint8Array[] = [];
  let length = 0;
  const take = (chunk: Uint8Array): undefined => {
    length += chunk.byteLength;
    if (length > MAX_JSON_BYTES) throw tooLarge(MAX_JSON_BYTES);
    chunks.push(chunk);
  };
  await readTimely(body, take, { clock, brokenOff });
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    commonFaults.payloadTooLarge,
    `The body is larger than ${maxBytes} bytes, the most this operation takes.`,
  );
}
