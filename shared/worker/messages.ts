import type { TaskName } from './tasks.js';

/** What the thread is asked to do. */
export interface TaskRequest {
  readonly name: TaskName;
  readonly input: unknown;
}

/** What it answers; exactly one answer for each request, in their order. */
export type TaskAnswer =
  | { readonly output: unknown; readonly failure?: undefined }
  | { readonly failure: { readonly message: string; readonly stack: string } };

/** Smaller arrays may lie in memory shared with others, and copying them costs nothing. */
const MOVED_BYTES = 64 * 1024;
const DEEPEST = 6;

/** The memory of all large arrays in a message: moved to the other thread instead of copied. */
export function movableMemory(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  gather(message, found, DEEPEST);
  return [...found];
}

function gather(value: unknown, found: Set<ArrayBuffer>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && value.buffer.byteLength >= MOVED_BYTES) found.add(value.buffer);
    return;
  }
  for (const item of Object.values(value)) gather(item, found, depth - 1);
}
