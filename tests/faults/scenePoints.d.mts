/** Types of scenePoints.mjs for the tests in TypeScript. */
import type { crashPoints } from './crashPoints.mjs';

/** The named places on the way of a scene where a host can be made to die. */
export const scenePoints: typeof crashPoints;
