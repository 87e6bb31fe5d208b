import type { Clock } from '../clock.js';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';

const DEADLINE_MS = 120_000;
const GRACE_MS = 10_000;
const SLOWEST_BYTES_PER_MS = 32.768;

export interface TimelyOptions {
  readonly clock: Clock;
  /** What to throw when the caller ends the connection before the body is whole. */
  readonly brokenOff: (cause: unknown) => ServiceError;
}

/**
 * The chunks of a body as long as they come fast enough: 10 s are given to each, and then 32 KB/s are asked for, up to
 * two minutes. A caller that stalls must not hold a request open for as long as it likes.
 *
 * @throws ServiceError 408 when it comes too slowly
 */
export async function* timely(
  body: AsyncIterable<Uint8Array>,
  { clock, brokenOff }: TimelyOptions,
): AsyncIterable<Uint8Array> {
  const startedAt = clock.now().getTime();
  const chunks = body[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (;;) {
      const allowedMs = Math.min(DEADLINE_MS, GRACE_MS + bytes / SLOWEST_BYTES_PER_MS);
      const coming = chunks.next().catch((cause: unknown) => {
        throw brokenOff(cause);
      });
      const next = await inTime(coming, startedAt + allowedMs - clock.now().getTime(), clock);
      if (next.done === true) return;
      bytes += next.value.byteLength;
      yield next.value;
    }
  } finally {
    // Not awaited: a body that has stalled would never confirm.
    void chunks.return?.().catch(() => undefined);
  }
}

async function inTime<T>(coming: Promise<T>, leftMs: number, clock: Clock): Promise<T> {
  const stop = new AbortController();
  const late = clock.sleep(Math.max(0, leftMs), stop.signal).then(() => undefined);
  try {
    const first = await Promise.race([coming, late]);
    if (first !== undefined) return first;
  } finally {
    stop.abort();
  }
  throw new ServiceError(commonFaults.requestTimeout, 'The body came too slowly; send it again.', {
    headers: { connection: 'close' },
  });
}
