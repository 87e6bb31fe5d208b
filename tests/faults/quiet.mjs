// When a service has come to rest: nothing open, nothing to take from a queue, and two sweeps since.

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const SWEEPS = ['upkeepSweep', 'upkeepEnrollmentSweep'];
/** Two sweeps 5 s apart (see `shortWaits`). */
const SWEEP_PAUSE_MS = 6_000;

/** Rows of work that has not ended: jobs, enrollments to be ingested, searches and renderings. */
async function openWork({ storage }) {
  const rows = await Promise.all([
    storage.rows('jobs', "RowKey ge 'OPEN_' and RowKey lt 'OPEN`'"),
    storage.rows('enrollments', "RowKey ge 'I_' and RowKey lt 'I`'"),
    storage.rows('fieldDates', "RowKey ge 'A_' and RowKey lt 'A`'"),
    storage.rows('fieldDates', "RowKey ge 'P_' and RowKey lt 'P`'"),
  ]);
  return rows.flat().map(({ rowKey }) => rowKey);
}

const messagesLeft = async ({ storage }) =>
  Object.values(await storage.visibleMessages()).reduce((sum, count) => sum + count, 0);

const sweepsDone = (world, name) =>
  world
    .logText()
    .split('\n')
    .filter((line) => line.includes('Timer:Done') && line.includes(`"${name}"`)).length;

/**
 * Waits until nothing is open and no message can be taken, then for two more sweeps of each kind.
 *
 * @returns what was still open when the time was over (empty: quiet), and the seconds until nothing was open
 */
export async function untilQuiet(world, limitMs = 120_000) {
  const start = Date.now();
  let open = ['not looked yet'];
  while (open.length > 0 && Date.now() - start < limitMs) {
    await pause(500);
    open = await openWork(world);
    // A write that was delayed past the patience of its caller is applied all the same.
    if (open.length === 0 && (world.proxy?.pending ?? 0) > 0) open = ['requests on their way'];
    if (open.length === 0 && (await messagesLeft(world)) > 0) open = ['messages'];
  }
  const seconds = (Date.now() - start) / 1000;
  if (open.length > 0) return { open, seconds };
  const before = SWEEPS.map((name) => sweepsDone(world, name));
  const isSwept = () => SWEEPS.every((name, index) => sweepsDone(world, name) >= before[index] + 2);
  while (!isSwept() && Date.now() - start < limitMs + 4 * SWEEP_PAUSE_MS) await pause(500);
  return { open: [...(await openWork(world)), ...(isSwept() ? [] : ['two sweeps'])], seconds };
}
