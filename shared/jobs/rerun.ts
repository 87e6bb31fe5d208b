/**
 * A job that SUCCEEDED with less than there should be runs again: its insight is replaced by a better one. Status, times
 * and insight id of the job stay as they are; without storage, clock or wire words.
 */
import { nextEpoch, type Job } from './job.js';
import { workLineOf } from './line.js';

export interface Rerun {
  /** When the next run is due; milliseconds since 1970 UTC. */
  readonly dueAt: number;
  /** Runs begun so far. */
  readonly runs: number;
  /** What the insight lacks, in words for the caller; absent when it lacks nothing any more and is only to be told. */
  readonly lacks?: string;
  /** Since when the data manager may not know the insight that is kept with us. */
  readonly untoldSince?: number;
}

/** Between two runs. */
export const RERUN_MS = 6 * 3_600_000;
/** Runs after the one that SUCCEEDED; what is not there by then is not waited for. */
export const MOST_RERUNS = 3;

/** The runs of a job that has just SUCCEEDED without something. */
export const firstRerun = (lacks: string, now: number): Rerun => ({ dueAt: now + RERUN_MS, runs: 0, lacks });

/** What is left to be done after a run, or after telling the data manager; undefined when nothing is. */
export const nextRerun = ({ runs }: Rerun, lacks: string | undefined, now: number): Rerun | undefined =>
  lacks === undefined || runs >= MOST_RERUNS ? undefined : { dueAt: now + RERUN_MS, runs, lacks };

/** Whether whoever holds a message of the job may run it again now. */
export const mayRunAgain = ({ rerun, lease }: Job, now: number): boolean =>
  rerun !== undefined && rerun.dueAt <= now && (lease === undefined || lease.until <= now);

/**
 * The job as the run that begins now owns it. After a run that died nobody knows how far its insight was told: that is
 * made good first, and is no run.
 */
export function runningAgain(job: Job & { readonly rerun: Rerun }, lease: NonNullable<Job['lease']>, now: number): Job {
  const { parked: _parked, rerun: before, ...rest } = job;
  const untoldSince = before.untoldSince ?? (job.lease === undefined ? undefined : now);
  const rerun = untoldSince === undefined ? { ...before, runs: before.runs + 1 } : { ...before, untoldSince };
  return { ...rest, epoch: nextEpoch(job, now), rerun, lease };
}

/** The job after a run, with what is left to be done. */
export function ranAgain(job: Job, rerun: Rerun | undefined): Job {
  const { lease: _lease, parked: _parked, lines: _lines, rerun: _rerun, ...rest } = job;
  return rerun === undefined ? rest : awaitingRerun(rest, rerun);
}

/** It stands in its tenant's line when it is due, as jobs do that wait for long. */
export function awaitingRerun(job: Job, rerun: Rerun): Job {
  const line = workLineOf(job);
  return { ...job, rerun, parked: { line, askedAt: rerun.dueAt }, lines: [line] };
}

/** Whether an ended job is at work again, or should be by now. */
export const isAtWorkAgain = ({ rerun, lease }: Job, now: number): boolean =>
  rerun !== undefined && (lease !== undefined || rerun.dueAt <= now);
