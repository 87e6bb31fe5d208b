const FIRST_BYTES = 64 * 1024;

/** Puts chunks together in one piece of memory that grows by doubling; chunks themselves are not kept. */
export class ByteCollector {
  readonly #maxBytes: number;
  #memory = new Uint8Array(FIRST_BYTES);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns false when the chunk goes beyond the limit; it is not taken then */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.byteLength;
    if (length > this.#maxBytes) return false;
    if (length > this.#memory.byteLength) this.#grow(length);
    this.#memory.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  /** All bytes so far, without a copy. */
  bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const capacity = Math.max(length, Math.min(this.#memory.byteLength * 2, this.#maxBytes));
    const memory = new Uint8Array(capacity);
    memory.set(this.bytes());
    this.#memory = memory;
  }
}
