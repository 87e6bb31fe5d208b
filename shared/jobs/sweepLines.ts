import { errorText } from '../telemetry/telemetry.js';
import { isEnded, LOST_MESSAGE_MS, type Job, type SolutionId } from './job.js';
import { nameOf, type Holder, type LineState } from './line.js';
import type { LineStore } from './linePorts.js';
import type { Lines } from './lines.js';
import { isAtWorkAgain } from './rerun.js';
import { reviveJob, type ReviveJobPorts, type Surroundings } from './reviveJob.js';
import { queueProgress } from './sweepJobs.js';

export interface SweepLinesPorts extends ReviveJobPorts {
  readonly lines: ReviveJobPorts['lines'] & Pick<Lines, 'fill'>;
  readonly lineStore: LineStore;
}

/** Between two looks at a job that has a place and lives. */
const HOLDER_LOOK_MS = 5 * LOST_MESSAGE_MS;

/**
 * Looks after every line in which somebody has a place: who has ended leaves it, who has got a place and no message
 * gets one, and free places are given. @returns how many lines there are, and how many places were found left behind
 */
export const sweepLines = (ports: SweepLinesPorts) => async (): Promise<{ lines: number; left: number }> => {
  const lines = await ports.lineStore.list();
  const servedUntil = queueProgress(ports);
  let left = 0;
  for (const { line, state } of lines) {
    try {
      left += await sweepLine(ports, { line, state, servedUntil });
    } catch (error) {
      // One line's trouble is not another's.
      ports.log('Line:SweepFailed', { line, cause: errorText(error) });
    }
  }
  return { lines: lines.length, left };
};

interface LineSweep {
  readonly line: string;
  readonly state: LineState;
  readonly servedUntil: (solution: SolutionId) => Promise<number>;
}

/** @returns how many places were found left behind */
async function sweepLine(ports: SweepLinesPorts, { line, state, servedUntil }: LineSweep): Promise<number> {
  const gone = new Set<string>();
  const checks = new Map<string, number>();
  for (const holder of state.holders) {
    const served = await servedUntil(holder.solution);
    if (holder.checkAt > served) continue;
    if (await isOpen(ports, holder, { servedUntil: served, placeIn: line }))
      checks.set(nameOf(holder), ports.clock.now().getTime() + HOLDER_LOOK_MS);
    else gone.add(nameOf(holder));
  }
  await ports.lines.fill(line, { gone, checks });
  return gone.size;
}

/** Whether a job that has a place is open; one that should have moved is looked after. */
async function isOpen(ports: SweepLinesPorts, holder: Holder, surroundings: Surroundings): Promise<boolean> {
  const stored = await ports.jobs.find(holder);
  if (stored === undefined || !needsPlace(stored.job, ports.clock.now().getTime())) return false;
  const open = await ports.jobs.findOpen(holder);
  if (open !== undefined) await reviveJob(ports)(open, surroundings);
  return true;
}

const needsPlace = (job: Job, now: number): boolean => !isEnded(job) || isAtWorkAgain(job, now);
