import type { Clock } from '../../kit/clock.js';
import type { NewId } from '../../kit/ids.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { LandKey } from '../land/land.js';
import { cascadeFacts } from './cascadeFacts.js';
import { CASCADE } from './cascadeJob.js';

/**
 * A request writes nothing any more so long after it began: its storage tries end within 10 s, and so do the writes of
 * jobs and imports, which use the same limits from the check of a parent on.
 */
export const WRITER_MS = 15_000;

export interface SweepUpPorts {
  readonly work: Pick<Enqueuer, 'ask'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
}

/**
 * Has a resource that is about to be marked deleted with whatever slips in below it. It stands in no lane: there is
 * hardly anything to do, and a deletion must not wait for an import.
 */
export const sweepUp =
  ({ work, clock, newId }: SweepUpPorts) =>
  async (target: LandKey): Promise<void> => {
    // Work of its own each time: work from before may end just now, and has not seen the mark.
    const id = `${target.tenant}|${target.kind}|${newId()}`;
    await work.ask(
      { kind: CASCADE, id, facts: cascadeFacts({ target }) },
      { dueAt: clock.now().getTime() + WRITER_MS },
    );
  };
