/** Passed over at once. */
const PASSED_BYTES = 64 * 1024;

/** Reads a stream of bytes in pieces of the length that its format says. Browsers have it too. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest = new Uint8Array(0);
  #at = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes; undefined when the stream ends before them. */
  async read(count: number): Promise<Uint8Array | undefined> {
    if (this.#rest.byteLength < count && !(await this.#fill(count))) return undefined;
    const read = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    this.#at += count;
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

  async #fill(count: number): Promise<boolean> {
    const chunks: Uint8Array[] = [this.#rest];
    let length = this.#rest.byteLength;
    while (length < count) {
      const next = await this.#chunks.next();
      if (next.done === true) break;
      chunks.push(next.value);
      length += next.value.byteLength;
    }
    this.#rest = joined(chunks, length);
    return length >= count;
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

/** The numbers in bytes, wherever these lie in their memory. */
export const numbersIn = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
