import type { Clock } from '../../kit/clock.js';
import type { Fault } from '../../kit/errors/fault.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { UploadSlots } from '../../access/rates/uploadSlots.js';
import { parsedJson, type JsonText, type ParsedJson } from '../../kit/json/jsonText.js';
import { MeasuredReading } from './measuredReading.js';
import { readTimely } from './timelyBody.js';

/** Bytes from which on a JSON body needs one of the slots of uploads; with a member apart it is read beside the event loop. */
const LARGE_JSON_BYTES = 256 * 1024;

export interface IncomingBody {
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * The content type of a body, one of those taken.
 *
 * @throws ServiceError 415 for another type or an encoded body
 */
export function requireType({ headers }: IncomingBody, taken: readonly string[]): string {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError(
      commonFaults.unsupportedMediaType,
      'Content-Encoding is not supported; send the body as it is.',
    );
  }
  const [, type = ''] = /^([^;\s]*)\s*(?:;\s*charset="?utf-8"?\s*)?$/i.exec(headers.get('content-type') ?? '') ?? [];
  const known = taken.find((each) => each === type.toLowerCase());
  if (known !== undefined) return known;
  throw new ServiceError(commonFaults.unsupportedMediaType, `Content-Type must be ${taken.join(' or ')} (UTF-8).`);
}

/** @throws ServiceError 413 when the request announces more than `maxBytes` */
export function refuseAnnouncedSize({ headers }: IncomingBody, maxBytes: number): void {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

export interface BodyRules {
  /** The fault of a body that is not JSON, or breaks off. */
  readonly invalid: Fault;
  readonly maxBytes: number;
  /** Whether numbers are read by `parseExact`; by `JSON.parse` when absent. */
  readonly keepsDigits?: boolean | undefined;
  /** A member that is handed on as its JSON, in bytes. */
  readonly apart?: string | undefined;
  /** Reads a large body beside the event loop; in it when absent. */
  readonly parseBeside?: ((text: JsonText) => Promise<ParsedJson>) | undefined;
  readonly clock: Clock;
  readonly slots: UploadSlots;
}

/** The value of a body; `release` gives back what it occupies, once it is done with. */
export interface ReceivedJson {
  readonly value: unknown;
  readonly release: () => void;
}

/**
 * The JSON value of a body. Bytes are counted while they come: a length that was announced proves nothing.
 *
 * @throws ServiceError 413 over the limit; 408 when it comes too slowly; 503 for a large one while too many are being
 *   read; `invalid` when the body isn't JSON in UTF-8
 */
export async function readJson(incoming: IncomingBody, rules: BodyRules): Promise<ReceivedJson> {
  const { maxBytes, slots } = rules;
  const reading = new MeasuredReading({ maxBytes, largeBytes: LARGE_JSON_BYTES, slots });
  try {
    reading.announce(Number(incoming.headers.get('content-length')) || 0);
    return { value: await jsonIn(await readBytes(incoming, reading, rules), rules), release: reading.release };
  } catch (error) {
    reading.release();
    throw error;
  }
}

async function jsonIn(bytes: Uint8Array, rules: BodyRules): Promise<unknown> {
  const { invalid, keepsDigits = false, apart, parseBeside = inTheLoop } = rules;
  const text = { bytes, keepsDigits, apart };
  const isMuch = apart !== undefined && bytes.byteLength > LARGE_JSON_BYTES;
  const parsed = isMuch ? await parseBeside(text) : parsedJson(text);
  if (parsed.wrong !== undefined) throw new ServiceError(invalid, parsed.wrong);
  return parsed.value;
}

const inTheLoop = (text: JsonText): Promise<ParsedJson> => Promise.resolve(parsedJson(text));

async function readBytes(
  { body }: IncomingBody,
  reading: MeasuredReading,
  { invalid, clock }: BodyRules,
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const brokenOff = (cause: unknown): ServiceError =>
    new ServiceError(invalid, 'The body broke off before it was whole.', { cause });
  const chunks: Uint8Array[] = [];
  const take = (chunk: Uint8Array): undefined => {
    reading.count(chunk);
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
