// The thread beside the event loop: takes one task after the other and answers each.
import { parentPort } from 'node:worker_threads';
import { movableMemory, type TaskAnswer, type TaskRequest } from './messages.js';
import { tasks } from './tasks.js';

async function answer({ name, input }: TaskRequest): Promise<TaskAnswer> {
  try {
    const task = tasks[name] as (input: unknown) => unknown;
    return { output: await task(input) };
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    return { failure: { message: error.message, stack: error.stack ?? '' } };
  }
}

parentPort?.on('message', (request: TaskRequest) => {
  void answer(request).then((message) => {
    parentPort?.postMessage(message, movableMemory(message));
  });
});
