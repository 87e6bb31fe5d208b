/** Types of variants.mjs for the tests in TypeScript. */
import type { SourceChange } from './runningService.mjs';

/** By protection: what takes it out. */
export const protections: Readonly<Record<string, readonly SourceChange[]>>;
/** Shorter waits and more frequent sweeps; nothing else differs. */
export const shortWaits: readonly SourceChange[];
/** Clocks that can be moved. */
export const movableClock: readonly SourceChange[];
