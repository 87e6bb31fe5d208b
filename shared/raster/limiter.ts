/** Runs a task when fewer than the limit are running; tasks start in the order they were given. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/** A limiter of so many tasks at the same time. */
export function limiter(limit: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  const leave = (): void => {
    running -= 1;
    waiting.shift()?.();
  };
  return async (task) => {
    if (running >= limit) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
    running += 1;
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
