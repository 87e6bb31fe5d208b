import type { StallCase } from './stallCase.js';

/** Stored geometries that are read. */
export const landCases: readonly StallCase[] = [];
