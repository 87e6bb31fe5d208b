/** Runs work of one key one after the other and work of different keys side by side, within this process. */
export type KeyedLock = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * A lock whose line shares bad news: who waited while the work before failed with a shared fault fails with it too,
 * so that a provider that is away costs one wait and not one for each in line. Who comes later tries again.
 *
 * @param isShared whether a fault concerns everybody; a caller who gave up is no reason for the others
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
