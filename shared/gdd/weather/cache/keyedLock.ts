/** Runs work of the same key one after the other, and work of different keys side by side, within this process. */
export type KeyedLock = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * A lock whose waiting work fails together: when the work before it fails with a shared fault, all work that waits
 * fails with the same fault. A provider that is away then costs one timeout instead of one for each waiting job. Work
 * that arrives later is tried again.
 *
 * @param isShared whether a fault concerns all waiting work; the end of one caller's request does not
 */
export function keyedLock(isShared: (fault: unknown) => fault is Error): KeyedLock {
  const tails = new Map<string, Promise<Error | undefined>>();
  return async (key, work) => {
    const before = tails.get(key) ?? Promise.resolve(undefined);
    const mine = before.then(async (fault) => {
      if (fault !== undefined) throw fault;
      return await work();
    });
    const tail = mine.then(
      () => undefined,
      (fault: unknown) => (isShared(fault) ? fault : undefined),
    );
    tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
