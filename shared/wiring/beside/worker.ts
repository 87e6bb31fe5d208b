// The process beside the event loop: takes one task after the other and answers each.
import { readSync } from 'node:fs';
import { FILES_PIPE, FileSpace, receivedTask } from './sentTask.js';
import { tasks, type TaskAnswer, type TaskMessage } from './tasks.js';

const readFile = (into: Uint8Array, offset: number): number => readSync(FILES_PIPE, into, { offset });

const space = new FileSpace();

async function answer(message: TaskMessage): Promise<TaskAnswer> {
  try {
    const { name, input } = receivedTask(message, readFile, space);
    const task = tasks[name] as (input: unknown) => unknown;
    return { output: await task(input) };
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    return { failure: { message: error.message, stack: error.stack ?? '' } };
  }
}

process.on('message', (message: TaskMessage) => {
  void answer(message).then((answered) => process.send?.(answered));
});
// Ctrl-C in a terminal reaches this process too, while the host still drains: the host decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
