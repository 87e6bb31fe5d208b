const FIRST_BYTES = 64 * 1024;
/** How much larger the next piece is: what is not written costs nothing, what is left behind waits for the garbage collector. */
const GROWTH = 16;

/** Puts chunks together in one piece of memory, which grows when it is full; chunks themselves are not kept. */
export class ByteCollector {
  readonly #maxBytes: number;
  #memory: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param expectedBytes how many are announced, a promise that may be broken: memory that is not written costs nothing */
  constructor(maxBytes: number, expectedBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#memory = new Uint8Array(Math.min(maxBytes, expectedBytes > 0 ? expectedBytes : FIRST_BYTES));
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

  get length(): number {
    return this.#length;
  }

  /** All bytes so far, without a copy. */
  bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const capacity = Math.max(length, Math.min(this.#memory.byteLength * GROWTH, this.#maxBytes));
    const memory = new Uint8Array(capacity);
    memory.set(this.bytes());
    this.#memory = memory;
  }
}
