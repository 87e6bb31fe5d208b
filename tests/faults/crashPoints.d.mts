/** Types of crashPoints.mjs for the tests in TypeScript. */
import type { SourceChange } from './runningService.mjs';

/** The named places where a host can be made to die. */
export const crashPoints: readonly (SourceChange & { readonly name: string })[];
