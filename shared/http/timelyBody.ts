import type { Clock } from '../clock.js';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';

const DEADLINE_MS = 120_000;
const GRACE_MS = 10_000;
const SLOWEST_BYTES_PER_MS = 32.768;
const WATCH_MS = 250;

export interface TimelyOptions {
  readonly clock: Clock;
  /** What to throw when the caller ends the connection before the body is whole. */
  readonly brokenOff: (cause: unknown) => ServiceError;
}

/**
 * Hands the chunks of a body on as long as they come fast enough: 10 s are given to each, and then 32 KB/s are asked
 * for, up to two minutes. A caller that stalls must not hold a request open for as long as it likes. The time is looked
 * at four times a second.
 *
 * @param take gets each chunk; the next is read when it is done
 * @throws ServiceError 408 when it comes too slowly; what `take` throws
 */
export async function readTimely(
  body: AsyncIterable<Uint8Array>,
  take: (chunk: Uint8Array) => Promise<void> | undefined,
  { clock, brokenOff }: TimelyOptions,
): Promise<void> {
  const startedAt = clock.now().getTime();
  const chunks = body[Symbol.asyncIterator]();
  let bytes = 0;
  const isLate = (): boolean =>
    clock.now().getTime() >= startedAt + Math.min(DEADLINE_MS, GRACE_MS + bytes / SLOWEST_BYTES_PER_MS);
  // One watch for the whole body: a timer for each chunk is dear where bodies are small.
  const { late, stop } = watch(clock, isLate);
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), late]).catch((cause: unknown) => {
        throw brokenOff(cause);
      });
      if (next === undefined) throw tooSlow();
      if (next.done === true) return;
      bytes += next.value.byteLength;
      const taken = take(next.value);
      if (taken !== undefined) await taken;
    }
  } finally {
    stop();
    // Not awaited: a body that has stalled would never confirm.
    void chunks.return?.().catch(() => undefined);
  }
}

/** A promise that resolves once it is too late, until it is stopped. */
function watch(clock: Clock, isLate: () => boolean): { readonly late: Promise<undefined>; readonly stop: () => void } {
  let stop = (): void => undefined;
  const late = new Promise<undefined>((resolve) => {
    stop = clock.every(WATCH_MS, () => {
      if (isLate()) resolve(undefined);
    });
  });
  return { late, stop };
}

const tooSlow = (): ServiceError =>
  new ServiceError(commonFaults.requestTimeout, 'The body came too slowly; send it again.', {
    headers: { connection: 'close' },
  });
