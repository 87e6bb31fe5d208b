import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../kit/clock.js';
import { commonFaults } from '../kit/errors/catalogue.js';
import { invalidInput } from '../kit/errors/invalidInput.js';
import { ServiceError } from '../kit/errors/serviceError.js';
import { ByteCollector } from '../kit/byteCollector.js';
import { parsedType } from './request/partHeaders.js';
import { MOST_PIECE_BYTES, PartReader, type PartRule } from './request/partReader.js';
import { refuseAnnouncedSize, requireType, type IncomingBody } from './request/readBody.js';
import { MeasuredReading } from './request/measuredReading.js';
import type { ReceivedFile, RouteFile } from './route.js';
import { readTimely } from './request/timelyBody.js';
import type { UploadSlots } from '../access/rates/uploadSlots.js';

/** Bytes from which on an upload needs one of the slots. */
const LARGE_BYTES = 5 * 1024 * 1024;
/** Room for boundaries and part headers beside the parts themselves. */
const FRAMING_BYTES = 64 * 1024;
const MAX_BOUNDARY = 70;

export interface UploadPorts {
  readonly slots: UploadSlots;
  readonly clock: Clock;
}

/** The parts of an upload; `release` gives back what they occupy, once they are done with. */
export interface ReceivedUpload {
  readonly parts: Readonly<Record<string, Uint8Array>>;
  readonly release: () => void;
}

/**
 * Reads a multipart body, counting its bytes while they come: a length that was announced proves nothing.
 *
 * @throws ServiceError 415 for another type, 413 above the limits, 422 that names what is wrong with the parts,
 *   408 when it comes too slowly, 503 when too many large uploads are being read
 */
export async function readUpload(
  request: IncomingBody,
  rules: Readonly<Record<string, PartRule>>,
  ports: UploadPorts,
): Promise<ReceivedUpload> {
  const contentType = requireMultipart(request);
  const maxBytes = Object.values(rules).reduce((sum, part) => sum + part.maxBytes, FRAMING_BYTES);
  refuseAnnouncedSize(request, maxBytes);
  const announcedBytes = Number(request.headers.get('content-length')) || 0;
  const reading = new MeasuredReading({ maxBytes, largeBytes: LARGE_BYTES, slots: ports.slots });
  reading.announce(announcedBytes);
  const reader = newReader(contentType, rules, announcedBytes);
  try {
    const take = async (chunk: Uint8Array): Promise<void> => {
      reading.count(chunk);
      // A body may come in one piece, and other requests must have their turn.
      for (let start = 0; start < chunk.byteLength; start += MOST_PIECE_BYTES) {
        await reader.write(chunk.subarray(start, start + MOST_PIECE_BYTES));
        await nextTurn();
      }
    };
    await readTimely(request.body ?? emptyBody(), take, { clock: ports.clock, brokenOff });
    const { parts, faults } = await reader.end();
    if (faults.length > 0) throw invalidInput(faults);
    return { parts, release: reading.release };
  } catch (error) {
    reader.destroy();
    reading.release();
    throw error;
  }
}

/**
 * Reads a body that is one file.
 *
 * @throws ServiceError 415, 413, 408, 503 as `readUpload`; 400 when it breaks off
 */
export async function readFile(
  request: IncomingBody,
  { types, maxBytes }: RouteFile,
  { slots, clock }: UploadPorts,
): Promise<Pick<ReceivedUpload, 'release'> & { readonly file: ReceivedFile }> {
  const type = requireType(request, Object.keys(types));
  refuseAnnouncedSize(request, maxBytes);
  const reading = new MeasuredReading({ maxBytes, largeBytes: LARGE_BYTES, slots });
  const announcedBytes = Number(request.headers.get('content-length')) || 0;
  const collector = new ByteCollector(maxBytes, announcedBytes);
  const take = (chunk: Uint8Array): undefined => {
    reading.count(chunk);
    collector.add(chunk);
  };
  const broken = (cause: unknown): ServiceError =>
    new ServiceError(commonFaults.badRequest, 'The body broke off before it was whole.', { cause });
  try {
    await readTimely(request.body ?? emptyBody(), take, { clock, brokenOff: broken });
    return { file: { type, bytes: collector.bytes() }, release: reading.release };
  } catch (error) {
    reading.release();
    throw error;
  }
}

function requireMultipart({ headers }: IncomingBody): string {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    const text = 'Content-Encoding is not supported; send the body as it is.';
    throw new ServiceError(commonFaults.unsupportedMediaType, text);
  }
  const type = headers.get('content-type') ?? '';
  if (/^multipart\/form-data\s*(;|$)/i.test(type)) return type;
  throw new ServiceError(commonFaults.unsupportedMediaType, 'Content-Type must be multipart/form-data.');
}

function newReader(contentType: string, rules: Readonly<Record<string, PartRule>>, announcedBytes: number): PartReader {
  const boundary = parsedType(contentType)?.params.get('boundary') ?? '';
  if (boundary.length === 0 || boundary.length > MAX_BOUNDARY) {
    const msg = `Content-Type must name a boundary of 1 to ${MAX_BOUNDARY} characters`;
    throw invalidInput([{ loc: ['body'], msg, type: 'multipart' }]);
  }
  return new PartReader(boundary, rules, announcedBytes);
}

async function* emptyBody(): AsyncIterable<Uint8Array> {
  // A request without a body reads as an empty one.
}

function brokenOff(cause: unknown): ServiceError {
  const detail = { loc: ['body'], msg: 'The body broke off before it was whole', type: 'multipart' };
  return invalidInput([detail], { cause });
}
