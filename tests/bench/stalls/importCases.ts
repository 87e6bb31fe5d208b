import type { StallCase } from './stallCase.js';

/** Files and uploads. */
export const importCases: readonly StallCase[] = [];
