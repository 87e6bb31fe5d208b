/** Runs work of one key one after the other and work of different keys side by side, within this process. */
export type KeyedLock = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function keyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = tails.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    // The next in line waits for the end, whichever it is; the fault belongs to the one who asked.
    const tail = mine.then(
      () => undefined,
      () => undefined,
    );
    tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
