/** A file that can be read in pieces: a blob over HTTP, bytes in memory. */
export interface ByteSource {
  /** Name of the file in messages, without signature or token. */
  readonly name: string;
  /** Bytes of the whole file; undefined until the first read. */
  readonly size: number | undefined;
  /** Version of the file; undefined until the first read and for sources without versions. */
  readonly etag: string | undefined;
  /**
   * Bytes from `offset` on: exactly `length` of them, fewer only at the end of the file.
   *
   * Throws RasterError, or the signal's reason once it is aborted.
   */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}
