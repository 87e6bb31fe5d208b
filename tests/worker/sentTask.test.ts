import { describe, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { sendTask, TaskReceiver } from '../../shared/worker/sentTask.js';
import type { TaskMessage, TaskRequest } from '../../shared/worker/tasks.js';

const MB = 1024 * 1024;

/** A process that keeps what it is sent; it takes a message when the one before was taken. */
async function sent(task: TaskRequest): Promise<readonly TaskMessage[]> {
  const messages: TaskMessage[] = [];
  let waiting = 0;
  const send = (message: TaskMessage, taken: (error: Error | null) => void): boolean => {
    waiting += 1;
    expect(waiting).toBe(1);
    messages.push(structuredClone(message));
    setImmediate(() => {
      waiting -= 1;
      taken(null);
    });
    return true;
  };
  await sendTask({ send } as unknown as ChildProcess, task);
  return messages;
}

function received(messages: readonly TaskMessage[]): readonly TaskRequest[] {
  const receiver = new TaskReceiver();
  return messages.flatMap((message) => receiver.take(message) ?? []);
}

const bytesOf = (message: TaskMessage): number => ('piece' in message ? message.piece.byteLength : 0);

describe('a task that is sent to its process', () => {
  const file = Uint8Array.from({ length: 5 * MB + 7 }, (_, index) => index % 251);

  test.each([
    { why: 'the file alone', input: file },
    { why: 'the file beside a limit', input: { bytes: file, fieldLimit: 20 } },
  ])('has $why in pieces of a megabyte, one behind the other, and is whole there', async ({ input }) => {
    const messages = await sent({ name: 'checkGeoJson', input });
    expect(Math.max(...messages.map(bytesOf))).toBe(MB);
    expect(messages.map(bytesOf).reduce((sum, bytes) => sum + bytes)).toBe(file.byteLength);
    const [task, ...more] = received(messages);
    expect(more).toEqual([]);
    expect(task?.name).toBe('checkGeoJson');
    const { bytes, ...rest } =
      task?.input instanceof Uint8Array ? { bytes: task.input } : (task?.input as { bytes: Uint8Array });
    expect(Buffer.compare(bytes, file)).toBe(0);
    expect(rest).toEqual(input instanceof Uint8Array ? {} : { fieldLimit: 20 });
  });

  test('is one message where it is small, and takes nothing of the file before it', async () => {
    const small = { name: 'checkGeoJson', input: { bytes: new Uint8Array(9), fieldLimit: 1 } } as const;
    const both = [...(await sent({ name: 'surveyFields', input: file })), ...(await sent(small))];
    expect(received(both).at(-1)).toEqual(small);
    expect(await sent({ name: 'inspectGeometry', input: undefined })).toEqual([
      { name: 'inspectGeometry', input: undefined },
    ]);
  });
});
