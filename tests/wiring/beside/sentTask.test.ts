import { describe, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { Writable } from 'node:stream';
import {
  FILES_PIPE,
  FileSpace,
  receivedTask,
  sendTask,
  type ReadFile,
} from '../../../shared/wiring/beside/sentTask.js';
import type { TaskMessage, TaskRequest } from '../../../shared/wiring/beside/tasks.js';

const MB = 1024 * 1024;

/** What a process is sent: a message, and then bytes by the pipe for files. */
interface Sent {
  readonly message: TaskMessage;
  readonly bytes: Buffer;
}

async function sent(task: TaskRequest): Promise<Sent> {
  const messages: TaskMessage[] = [];
  const written: Buffer[] = [];
  const pipe = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      expect(messages).toHaveLength(1);
      written.push(chunk);
      done();
    },
  });
  const send = (message: TaskMessage, taken: (error: Error | null) => void): boolean => {
    messages.push(structuredClone(message));
    taken(null);
    return true;
  };
  const stdio = Object.assign([], { [FILES_PIPE]: pipe });
  await sendTask({ send, stdio } as unknown as ChildProcess, task);
  expect(messages).toHaveLength(1);
  return { message: messages[0]!, bytes: Buffer.concat(written) };
}

/** The task that a process puts together, which reads its pipe in pieces of any size. */
function received({ message, bytes }: Sent, space = new FileSpace()): TaskRequest {
  let at = 0;
  const read: ReadFile = (into, offset) => {
    const copied = bytes.copy(into, offset, at, at + 65_521);
    at += copied;
    return copied;
  };
  return receivedTask(message, read, space);
}

describe('a task that is sent to its process', () => {
  const file = Uint8Array.from({ length: 5 * MB + 7 }, (_, index) => index % 251);

  test.each([
    { why: 'the file alone', input: file },
    { why: 'the file beside a limit', input: { bytes: file, fieldLimit: 20 } },
  ])('has $why behind its message, and is whole there', async ({ input }) => {
    const both = await sent({ name: 'checkGeoJson', input });
    expect(both.bytes).toHaveLength(file.byteLength);
    const task = received(both);
    expect(task.name).toBe('checkGeoJson');
    const { bytes, ...rest } =
      task.input instanceof Uint8Array ? { bytes: task.input } : (task.input as { bytes: Uint8Array });
    expect(Buffer.compare(bytes, file)).toBe(0);
    expect(rest).toEqual(input instanceof Uint8Array ? {} : { fieldLimit: 20 });
  });

  test.each([{ input: { bytes: new Uint8Array(9), fieldLimit: 1 } }, { input: undefined }])(
    'is its message alone where it is small: %j',
    async ({ input }) => {
      const task = { name: 'checkGeoJson', input } as const;
      const both = await sent(task);
      expect([both.bytes.byteLength, received(both)]).toEqual([0, task]);
    },
  );

  test('has its file where that of the task before was, whole and no longer than it is', async () => {
    const space = new FileSpace();
    const first = received(await sent({ name: 'placeBoundaries', input: file }), space).input as Uint8Array;
    const shorter = file.subarray(MB).toReversed();
    const second = received(await sent({ name: 'placeBoundaries', input: shorter }), space).input as Uint8Array;
    expect(second.buffer).toBe(first.buffer);
    expect(Buffer.compare(second, shorter)).toBe(0);
    // A task without a file needs the memory for itself.
    received(await sent({ name: 'checkGeoJson', input: undefined }), space);
    const third = received(await sent({ name: 'placeBoundaries', input: file }), space).input as Uint8Array;
    expect(third.buffer).not.toBe(first.buffer);
  });

  test('whose file breaks off is none', async () => {
    const { message, bytes } = await sent({ name: 'placeBoundaries', input: file });
    expect(() => received({ message, bytes: bytes.subarray(1) })).toThrow('breaks off');
  });
});
