/** Types of variants.mjs for the tests in TypeScript. */
import type { SourceChange } from './runningService.mjs';

/** Shorter waits and more frequent sweeps; nothing else differs. */
export const shortWaits: readonly SourceChange[];
