/** Waits so many seconds, or throws an AbortError as soon as the signal is aborted. */
export const pause = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(new DOMException('Aborted', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });

/** Looks again and again, each time so many seconds after the last look has ended, until the signal is aborted. */
export async function keepLooking(seconds: number, look: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(seconds, signal).catch(() => undefined); // Cut short: nobody looks any more.
    if (signal.aborted) return;
    await look().catch(() => undefined); // The next look may see it.
  }
}
