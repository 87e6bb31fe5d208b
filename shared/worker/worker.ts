// The process beside the event loop: takes one task after the other and answers each.
import { TaskReceiver } from './sentTask.js';
import { tasks, type TaskAnswer, type TaskMessage, type TaskRequest } from './tasks.js';

const receiver = new TaskReceiver();

async function answer({ name, input }: TaskRequest): Promise<TaskAnswer> {
  try {
    const task = tasks[name] as (input: unknown) => unknown;
    return { output: await task(input) };
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    return { failure: { message: error.message, stack: error.stack ?? '' } };
  }
}

process.on('message', (message: TaskMessage) => {
  const request = receiver.take(message);
  if (request !== undefined) void answer(request).then((answered) => process.send?.(answered));
});
// Ctrl-C in a terminal reaches this process too, while the host still drains: the host decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
