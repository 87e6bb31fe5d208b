// The process beside the event loop: takes one task after the other and answers each.
import { tasks, type TaskAnswer, type TaskRequest } from './tasks.js';

async function answer({ name, input }: TaskRequest): Promise<TaskAnswer> {
  try {
    const task = tasks[name] as (input: unknown) => unknown;
    return { output: await task(input) };
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    return { failure: { message: error.message, stack: error.stack ?? '' } };
  }
}

process.on('message', (request: TaskRequest) => {
  void answer(request).then((message) => process.send?.(message));
});
// Ctrl-C in a terminal reaches this process too, while the host still drains: the host decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
