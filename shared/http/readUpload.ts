import type { Clock } from '../clock.js';
import { commonFaults, enrollmentFaults } from '../errors/catalogue.js';
import { invalidInput } from '../errors/invalidInput.js';
import { ServiceError } from '../errors/serviceError.js';
import { PartReader, type PartRule } from './partReader.js';
import { refuseAnnouncedSize, type IncomingBody } from './readBody.js';
import type { UploadSlots } from './uploadSlots.js';

/** Bytes from which on an upload needs one of the slots. */
const LARGE_BYTES = 5 * 1024 * 1024;
/** Room for boundaries and part headers beside the parts themselves. */
const FRAMING_BYTES = 64 * 1024;
const DEADLINE_MS = 120_000;
const GRACE_MS = 10_000;
const SLOWEST_BYTES_PER_MS = 32.768;
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
  const reading = new Reading(maxBytes, ports);
  if (Number(request.headers.get('content-length') ?? 0) > LARGE_BYTES) reading.takeSlot();
  const reader = newReader(contentType, rules);
  try {
    for await (const chunk of reading.timely(request.body ?? emptyBody())) await reader.write(chunk);
    const { parts, faults } = await reader.end();
    if (faults.length > 0) throw invalidInput(faults);
    return { parts, release: reading.release };
  } catch (error) {
    reader.destroy();
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

function newReader(contentType: string, rules: Readonly<Record<string, PartRule>>): PartReader {
  const boundary = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType);
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  if (length === 0 || length > MAX_BOUNDARY) {
    const msg = `Content-Type must name a boundary of 1 to ${MAX_BOUNDARY} characters`;
    throw invalidInput([{ loc: ['body'], msg, type: 'multipart' }]);
  }
  return new PartReader(contentType, rules);
}

async function* emptyBody(): AsyncIterable<Uint8Array> {
  // A request without a body reads as an empty one.
}

/** How far the reading of one body has come, and what it occupies. */
class Reading {
  readonly #maxBytes: number;
  readonly #ports: UploadPorts;
  readonly #startedAt: number;
  #bytes = 0;
  #release: (() => void) | undefined;

  constructor(maxBytes: number, ports: UploadPorts) {
    this.#maxBytes = maxBytes;
    this.#ports = ports;
    this.#startedAt = ports.clock.now().getTime();
  }

  readonly release = (): void => {
    this.#release?.();
  };

  takeSlot(): void {
    if (this.#release !== undefined) return;
    this.#release = this.#ports.slots.tryTake();
    if (this.#release !== undefined) return;
    const text = 'Other large uploads are being read right now; repeat this one in a moment.';
    throw new ServiceError(commonFaults.unavailable, text, { retryAfterSeconds: 10 });
  }

  /** The chunks of the body as long as they come fast enough. */
  async *timely(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#inTime(chunks.next());
        if (next.done === true) return;
        this.#count(next.value);
        yield next.value;
      }
    } finally {
      // Not awaited: a body that has stalled would never confirm.
      void chunks.return?.().catch(() => undefined);
    }
  }

  #count(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#maxBytes) {
      throw new ServiceError(commonFaults.payloadTooLarge, `The body is larger than ${this.#maxBytes} bytes.`);
    }
    if (this.#bytes > LARGE_BYTES) this.takeSlot();
  }

  /** The next chunk, unless it comes so late that the whole upload is slower than allowed. */
  async #inTime(next: Promise<IteratorResult<Uint8Array>>): Promise<IteratorResult<Uint8Array>> {
    const { clock } = this.#ports;
    const allowedMs = Math.min(DEADLINE_MS, GRACE_MS + this.#bytes / SLOWEST_BYTES_PER_MS);
    const leftMs = this.#startedAt + allowedMs - clock.now().getTime();
    const stop = new AbortController();
    const late = clock.sleep(Math.max(0, leftMs), stop.signal).then(() => undefined);
    try {
      const first = await Promise.race([next.catch(brokenOff), late]);
      if (first !== undefined) return first;
    } finally {
      stop.abort();
    }
    throw new ServiceError(enrollmentFaults.uploadTimeout, 'The upload came too slowly; send it again.', {
      headers: { connection: 'close' },
    });
  }
}

function brokenOff(cause: unknown): never {
  const detail = { loc: ['body'], msg: 'The body broke off before it was whole', type: 'multipart' };
  throw invalidInput([detail], { cause });
}
