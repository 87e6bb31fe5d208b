/** Types of noticePoints.mjs for the tests in TypeScript. */
import type { SourceChange } from './runningService.mjs';

/** The named places between a job's end and a receiver's answer where a host can be made to die. */
export const noticePoints: readonly (SourceChange & { readonly name: string })[];
