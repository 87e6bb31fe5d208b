/** Passed over at once. */
const PASSED_BYTES = 64 * 1024;

/** Reads a stream of bytes in pieces of the length that its format says. Browsers have it too. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);
  #at = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes; undefined when the stream ends before them. */
  async read(count: number): Promise<Uint8Array | undefined> {
    const read = this.#rest.byteLength < count ? await this.#gathered(count) : this.#take(count);
    if (read !== undefined) this.#at += count;
    return read;
  }

  /** Passes over what stands before a place, or as much of it as there is. */
  async skipTo(place: number): Promise<void> {
    while (this.#at < place) {
      if ((await this.read(Math.min(place - this.#at, PASSED_BYTES))) === undefined) return;
    }
  }

  /** Reads no further. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Written where they stay while they come: put together at the end, many of them would hold everybody up. */
  async #gathered(count: number): Promise<Uint8Array | undefined> {
    const all = new Uint8Array(count);
    for (let length = 0; ;) {
      const part = this.#take(count - length);
      all.set(part, length);
      length += part.byteLength;
      if (length === count) return all;
      const next = await this.#chunks.next();
      if (next.done !== true) this.#rest = next.value;
      else {
        this.#rest = all.subarray(0, length);
        return undefined;
      }
    }
  }

  /** What is there of so many bytes. */
  #take(count: number): Uint8Array {
    const part = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return part;
  }
}

/** The numbers in bytes, wherever these lie in their memory. */
export const numbersIn = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
