import { computed, signal } from '@preact/signals';
import { ApiError } from './errors.js';
import { pause } from './pause.js';

/** Something that is asked for later by itself. */
export interface Delay {
  readonly error: ApiError;
  /** Milliseconds since 1970, by this computer's clock. */
  readonly until: number;
}

const delays = signal<readonly Delay[]>([]);

/** What is being waited for, if anything: the latest of all. */
export const delay = computed(() => delays.value.at(-1));

/** Whether this computer says that it has no network. */
export const isOffline = signal(typeof document !== 'undefined' && !navigator.onLine);

/** Seconds between tries of what got no answer; the last one again and again. */
const WAITS_SECONDS = [1, 2, 5, 10, 20, 30];

/** Keeps up with the network of this computer. */
export function followNetwork(): void {
  const look = (): void => {
    isOffline.value = !navigator.onLine;
  };
  addEventListener('online', look);
  addEventListener('offline', look);
}

/** An answer came: whatever the computer says, there is a network. */
export function noteAnswer(): void {
  isOffline.value = false;
}

/** Calls back whenever the network comes back. @returns ends that */
export function onBackOnline(again: () => void): () => void {
  let was = isOffline.value;
  return isOffline.subscribe((is) => {
    if (was && !is) again();
    was = is;
  });
}

/** Waits, and says so above the view; no longer than until the network comes back. */
export async function waitToAskAgain(error: ApiError, seconds: number, ended?: AbortSignal): Promise<void> {
  const mine = { error, until: Date.now() + seconds * 1000 };
  const back = new AbortController();
  const endBack = onBackOnline(() => {
    back.abort();
  });
  delays.value = [...delays.value, mine];
  try {
    await pause(seconds, ended === undefined ? back.signal : AbortSignal.any([back.signal, ended]));
  } catch (cause) {
    if (!back.signal.aborted || ended?.aborted === true) throw cause;
  } finally {
    endBack();
    delays.value = delays.value.filter((each) => each !== mine);
  }
}

/**
 * Asks for something that changes nothing until there is an answer, whatever it says: networks go away and come back.
 *
 * @param ask throws an ApiError without status where there was no answer
 */
export async function untilAnswered<T>(ask: () => Promise<T>, ended?: AbortSignal): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) throw error;
      await waitToAskAgain(error, WAITS_SECONDS[Math.min(tries, WAITS_SECONDS.length - 1)] ?? 30, ended);
    }
  }
}
