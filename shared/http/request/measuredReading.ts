import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { UploadSlots } from '../../access/rates/uploadSlots.js';

export interface Measures {
  /** Most bytes that are read. */
  readonly maxBytes: number;
  /** From so many bytes on the reading needs one of the slots. */
  readonly largeBytes: number;
  readonly slots: UploadSlots;
}

/** How far the reading of one body has come, and what it occupies until it is released. */
export class MeasuredReading {
  readonly #measures: Measures;
  #bytes = 0;
  #release: (() => void) | undefined;

  constructor(measures: Measures) {
    this.#measures = measures;
  }

  readonly release = (): void => {
    this.#release?.();
  };

  /** A large body takes its slot before it comes. @throws ServiceError 503 when none is free */
  announce(bytes: number): void {
    if (bytes > this.#measures.largeBytes) this.#takeSlot();
  }

  /** @throws ServiceError 413 above the limit, 503 when it needs a slot and none is free */
  count(chunk: Uint8Array): void {
    const { maxBytes, largeBytes } = this.#measures;
    this.#bytes += chunk.byteLength;
    if (this.#bytes > maxBytes) {
      const text = `The body is larger than ${maxBytes} bytes, the most this operation takes.`;
      throw new ServiceError(commonFaults.payloadTooLarge, text);
    }
    if (this.#bytes > largeBytes) this.#takeSlot();
  }

  #takeSlot(): void {
    if (this.#release !== undefined) return;
    this.#release = this.#measures.slots.tryTake();
    if (this.#release !== undefined) return;
    const text = 'Other large uploads are being read right now; repeat this one in a moment.';
    throw new ServiceError(commonFaults.unavailable, text, { retryAfterSeconds: 10 });
  }
}
