import type { TaskName } from './tasks.js';

/** What the task process is asked to do. */
export interface TaskRequest {
  readonly name: TaskName;
  readonly input: unknown;
}

/** What it answers; exactly one answer for each request, in their order. */
export type TaskAnswer =
  | { readonly output: unknown; readonly failure?: undefined }
  | { readonly failure: { readonly message: string; readonly stack: string } };
