// When a service has come to rest: nothing open, nothing to take from a queue, and two sweeps since.

import { standingInLanes } from './checks/lanes.mjs';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks until it is so. @returns false when it was not within the time */
export async function until(limitMs, look, everyMs = 200) {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await pause(everyMs))
    if (await look()) return true;
  return false;
}

const SWEEP = 'upkeepWorkSweep';
/** Two sweeps 5 s apart (see `shortWaits`). */
const SWEEP_PAUSE_MS = 6_000;

/** A job that SUCCEEDED with less than it should runs again after six hours; no other look is so far ahead. */
const RUNS_AGAIN_MS = 2 * 3_600_000;

/** Work that has to wait for another time is not open: a job runs again, a day is looked through again. */
async function openNow(storage) {
  const kinds = ['gdd', 'smartBoundary', 'plan', 'backfill', 'tiles', 'product', 'unit', 'import'];
  const rows = (await Promise.all(kinds.map((kind) => storage.work(kind)))).flat();
  return rows.filter(({ checkAt }) => Date.parse(checkAt) < Date.now() + RUNS_AGAIN_MS);
}

/** What a submission that died has left is looked at for a day. */
async function openIngests(storage) {
  const rows = await storage.work('ingest');
  const enrollments = new Set(
    (await storage.rows('enrollments', "RowKey ge 'E_' and RowKey lt 'E`'")).map(({ rowKey }) => rowKey.slice(2)),
  );
  return rows.filter(({ rowKey }) => enrollments.has(rowKey.split('|')[3]));
}

/** Rows of work that has not ended. */
async function openWork({ storage }) {
  const rows = await Promise.all([openNow(storage), openIngests(storage)]);
  return rows.flat().map(({ rowKey }) => rowKey);
}

const messagesLeft = async ({ storage }) =>
  Object.values(await storage.visibleMessages()).reduce((sum, count) => sum + count, 0);

const sweepsDone = (world) =>
  world
    .logText()
    .split('\n')
    .filter((line) => line.includes('Timer:Done') && line.includes(`"${SWEEP}"`)).length;

/** What keeps a service from being at rest; empty when nothing does. */
async function unrest(world) {
  const open = [...(await openWork(world)), ...(await standingInLanes(world))];
  if (open.length > 0) return open;
  // A write that was delayed past the patience of its caller is applied all the same.
  if ((world.proxy?.pending ?? 0) > 0) return ['requests on their way'];
  return (await messagesLeft(world)) > 0 ? ['messages'] : [];
}

/** Waits until nothing is open and no message can be taken. @returns what was still open when the time was over */
export async function untilNothingOpen(world, limitMs) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const open = await unrest(world);
    if (open.length === 0 || Date.now() > deadline) return open;
    await pause(500);
  }
}

/**
 * Waits until nothing is open and no message can be taken, then for two more sweeps of the work.
 *
 * @returns what was still open when the time was over (empty: quiet), and the seconds until nothing was open
 */
export async function untilQuiet(world, limitMs = 120_000) {
  const start = Date.now();
  const open = await untilNothingOpen(world, limitMs);
  const seconds = (Date.now() - start) / 1000;
  if (open.length > 0) return { open, seconds };
  const before = sweepsDone(world);
  const isSwept = () => sweepsDone(world) >= before + 2;
  while (!isSwept() && Date.now() - start < limitMs + 4 * SWEEP_PAUSE_MS) await pause(500);
  return { open: [...(await openWork(world)), ...(isSwept() ? [] : ['two sweeps'])], seconds };
}
