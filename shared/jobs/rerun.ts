/**
 * A job that SUCCEEDED with less than there should be runs again: its insight is replaced by a better one. Status, times
 * and insight id of the job stay as they are; without storage, clock or wire words.
 */
import type { Job, Rerun } from './job.js';

/** Between two runs. */
export const RERUN_MS = 6 * 3_600_000;
/** Runs after the one that SUCCEEDED; what is not there by then is not waited for. */
export const MOST_RERUNS = 3;

/** The runs of a job that has just SUCCEEDED without something. */
export const firstRerun = (lacks: string, now: number): DueRerun => ({ dueAt: now + RERUN_MS, runs: 0, lacks });

/** A run that is due at an instant. */
export type DueRerun = Rerun & { readonly dueAt: number };

/** What is left to be done after a run, or after telling the data manager; undefined when nothing is. */
export const nextRerun = ({ runs }: Rerun, lacks: string | undefined, now: number): DueRerun | undefined =>
  lacks === undefined || runs >= MOST_RERUNS ? undefined : { dueAt: now + RERUN_MS, runs, lacks };

/**
 * What the run that begins now is about. After a run that never came to its end, which leaves no time for the next one,
 * nobody knows how far its insight was told: that is made good first, and is no run.
 */
export function begunRerun({ dueAt, ...before }: Rerun, now: number): Rerun {
  const untoldSince = before.untoldSince ?? (dueAt === undefined ? now : undefined);
  return untoldSince === undefined ? { ...before, runs: before.runs + 1 } : { ...before, untoldSince };
}

/** The job with what is left to be done; undefined when nothing is. */
export function withRerun({ rerun: _before, ...job }: Job, rerun: Rerun | undefined): Job {
  return rerun === undefined ? job : { ...job, rerun };
}
