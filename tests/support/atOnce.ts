import { setImmediate as turn } from 'node:timers/promises';

/** Something slow that knows how many of it ran at the same time at most. */
export function countingAtOnce<T>(result: T): { readonly run: () => Promise<T>; readonly most: () => number } {
  let [running, most] = [0, 0];
  return {
    run: async () => {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      return result;
    },
    most: () => most,
  };
}
