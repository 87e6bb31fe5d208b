/** Reads a stream of bytes in pieces of the length that its format says. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes; undefined when the stream ends before them. */
  async read(count: number): Promise<Buffer | undefined> {
    if (this.#rest.byteLength < count && !(await this.#fill(count))) return undefined;
    const read = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return read;
  }

  /** Reads no further. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #fill(count: number): Promise<boolean> {
    const chunks = [this.#rest];
    let length = this.#rest.byteLength;
    while (length < count) {
      const next = await this.#chunks.next();
      if (next.done === true) break;
      chunks.push(next.value);
      length += next.value.byteLength;
    }
    this.#rest = Buffer.concat(chunks);
    return length >= count;
  }
}
