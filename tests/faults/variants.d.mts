/** Types of variants.mjs for the tests in TypeScript. */
import type { SourceChange } from './runningService.mjs';

/** By protection: what takes it out. */
export const protections: Readonly<Record<string, readonly SourceChange[]>>;
/** Shorter waits and more frequent sweeps; nothing else differs. */
export const shortWaits: readonly SourceChange[];
/** GDD jobs that can be slowed. */
export const slowableJobs: readonly SourceChange[];
/** Clocks that can be moved. */
export const movableClock: readonly SourceChange[];
/** What the next version would change (E20), a shorter wait for what is put back, and for the next run of a job (E26). */
export const nextVersion: readonly SourceChange[];
export const shortPutBack: readonly SourceChange[];
export const soonRerun: readonly SourceChange[];
/** The crash point of E31. */
export const deadlyField: SourceChange;
