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
  const allowedMs = (): number => Math.min(DEADLINE_MS, GRACE_MS + bytes / SLOWEST_BYTES_PER_MS);
  const stop = new AbortController();
  // One watch for the whole body: a timer for each chunk is dear where bodies are small.
  const late = watch(clock, () => startedAt + allowedMs(), stop.signal);
  try {
    for (;;) {
      const coming = chunks.next().catch((cause: unknown) => {
        throw brokenOff(cause);
      });
      const next = await Promise.race([coming, late]);
      if (next === undefined) throw tooSlow();
      if (next.done === true) return;
      bytes += next.value.byteLength;
      yield next.value;
    }
  } finally {
    // With a reason, for without one an error with its stack would be made.
    stop.abort('done');
    // Not awaited: a body that has stalled would never confirm.
    void chunks.return?.().catch(() => undefined);
  }
}

/** Resolves when the end has come, which moves on with the bytes, or when it is stopped. */
async function watch(clock: Clock, endsAt: () => number, stop: AbortSignal): Promise<undefined> {
  const leftMs = (): number => Math.ceil(endsAt() - clock.now().getTime());
  for (let left = leftMs(); left > 0 && !stop.aborted; left = leftMs()) await clock.sleep(left, stop);
}

const tooSlow = (): ServiceError =>
  new ServiceError(commonFaults.requestTimeout, 'The body came too slowly; send it again.', {
    headers: { connection: 'close' },
  });
