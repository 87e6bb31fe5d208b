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

/**
 * Runs an action for each item, at most `limit` at a time. After a fault no further action begins; the first fault is
 * thrown when all running actions have ended, so that none goes on unnoticed.
 */
export async function eachOf<T>(
  items: readonly T[],
  limit: number,
  action: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const running = limiter(limit);
  const faults: unknown[] = [];
  const one = async (item: T, index: number): Promise<void> => {
    if (faults.length > 0) return;
    await action(item, index).catch((fault: unknown) => faults.push(fault));
  };
  await Promise.all(items.map((item, index) => running(() => one(item, index))));
  if (faults.length > 0) throw faults[0];
}
