/** The time, handed in so that tests can hold it still and move it. */
export interface Clock {
  /** The present instant. */
  now(): Date;
  /** Resolves after the given time, or at once when the signal aborts. @param milliseconds 0 or more */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls `action` every `milliseconds` until the returned function is called. */
  every(milliseconds: number, action: () => void): () => void;
}

/** The machine's own clock. Its timers never keep a finished process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal?.addEventListener('abort', done);
    }),
  every: (milliseconds, action) => {
    const timer = setInterval(action, milliseconds);
    timer.unref();
    return () => {
      clearInterval(timer);
    };
  },
};
