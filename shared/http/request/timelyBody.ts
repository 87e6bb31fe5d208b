import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../kit/clock.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';

/** From so many bytes on other requests have their turn after each chunk: a body that has arrived would be read without one. */
const BYTES_WITHOUT_TURN = 256 * 1024;
const DEADLINE_MS = 120_000;
const GRACE_MS = 10_000;
const SLOWEST_BYTES_PER_MS = 32.768;
const WATCH_MS = 250;
/** What is left of a refused body is read away for so long at most. */
const REST_MS = 30_000;
/** And so many bytes: the host hands no larger body on. */
const REST_BYTES = 104_857_600;

export interface TimelyOptions {
  readonly clock: Clock;
  /** What to throw when the caller ends the connection before the body is whole. */
  readonly brokenOff: (cause: unknown) => ServiceError;
}

/**
 * Hands the chunks of a body on as long as they come fast enough: 10 s are given to each, and then 32 KB/s are asked
 * for, up to two minutes. A caller that stalls must not hold a request open for as long as it likes. The time is looked
 * at four times a second. What is left when the body is refused is read away while the answer is on its way.
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
      if (bytes > BYTES_WITHOUT_TURN) await nextTurn();
    }
  } catch (refusal) {
    // Not awaited: the answer need not wait, and a body that has broken off has no rest.
    void readAway(chunks, clock).catch(() => undefined);
    throw refusal;
  } finally {
    stop();
  }
}

/**
 * Reads the rest of a body and drops it. Unread it would stay in the connection between host and worker, which the host
 * then gives to the next request, of anybody: that one would wait behind it and fail, and this one get a 500 for its
 * answer if the rest is large. A body without an end is given up: the worker then ends the connection, which nobody
 * else has got.
 */
async function readAway(chunks: AsyncIterator<Uint8Array>, clock: Clock): Promise<void> {
  const ended = new AbortController();
  const late = clock.sleep(REST_MS, ended.signal);
  let bytes = 0;
  try {
    while (bytes <= REST_BYTES) {
      const next = await Promise.race([chunks.next(), late]);
      if (next === undefined || next.done === true) return;
      bytes += next.value.byteLength;
      await nextTurn();
    }
  } finally {
    ended.abort();
    // Not awaited: a body that has stalled would never confirm.
    void chunks.return?.().catch(() => undefined);
  }
}

/** A promise that resolves once it is too late, until it is stopped. */
function watch(clock: Clock, isLate: () => boolean): { readonly late: Promise<undefined>; readonly stop: () => void } {
  let stop = (): void => undefined;
  let looks = 0;
  const late = new Promise<undefined>((resolve) => {
    stop = clock.every(WATCH_MS, () => {
      looks = isLate() ? looks + 1 : 0;
      // Between two looks comes what had arrived while the process was busy with something else.
      if (looks === 2) resolve(undefined);
    });
  });
  return { late, stop };
}

const tooSlow = (): ServiceError =>
  new ServiceError(commonFaults.requestTimeout, 'The body came too slowly; send it again.', {
    headers: { connection: 'close' },
  });
