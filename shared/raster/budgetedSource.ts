import type { ByteSource } from './byteSource.js';
import { RasterError } from './rasterError.js';

/** How many bytes may still be fetched. */
export interface ByteBudget {
  /** @throws RasterError `too_large` when fewer than `bytes` are left */
  take(bytes: number): void;
  readonly left: number;
}

/** A budget of so many bytes. */
export function byteBudget(limit: number): ByteBudget {
  let left = limit;
  return {
    get left() {
      return left;
    },
    take: (bytes) => {
      if (bytes > left) throw new RasterError('too_large', `the read needs more than the ${limit} bytes allowed`);
      left -= bytes;
    },
  };
}

/** A source whose reads are counted against a budget before they are made. */
export function budgetedSource(source: ByteSource, budget: ByteBudget): ByteSource {
  return {
    name: source.name,
    get size() {
      return source.size;
    },
    get etag() {
      return source.etag;
    },
    read: async (offset, length, signal) => {
      budget.take(length);
      return await source.read(offset, length, signal);
    },
  };
}
