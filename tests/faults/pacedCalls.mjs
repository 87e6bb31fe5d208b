// Calls at a pace, whatever became of those before, with their times counted from when they should have been sent.
import { pause } from './quiet.mjs';

/**
 * Sends `perSecond` calls a second for some seconds and awaits them all.
 *
 * @param send makes the call of that number; gives the entry of the client's history
 * @returns `{ dueAt, ms, status }` of each call in the order of their sending; `dueAt` in ms since 1970
 */
export async function pacedCalls(send, { perSecond, seconds }) {
  const startedAt = Date.now();
  const one = async (number) => {
    const dueAt = startedAt + (number * 1_000) / perSecond;
    const { status } = await send(number);
    return { dueAt, ms: Date.now() - dueAt, status };
  };
  const running = [];
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const wait = startedAt + (number * 1_000) / perSecond - Date.now();
    if (wait > 0) await pause(wait);
    running.push(one(number));
  }
  return Promise.all(running);
}

/** The smallest value that so many percent of the values do not exceed; 0 without a value. */
export function percentileOf(values, percent) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100) - 1)] ?? 0;
}
