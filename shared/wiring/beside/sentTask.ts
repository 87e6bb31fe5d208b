import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { TaskMessage, TaskRequest } from './tasks.js';

/** A larger file among the input of a task has a pipe of its own: messages are copied several times, and by the megabyte. */
const MOST_MESSAGE_BYTES = 1024 * 1024;
/** The number of that pipe among those of the process. */
export const FILES_PIPE = 4;

/** The bytes of a file among the input of a task: the input itself, or its member `bytes`. */
interface FileInput {
  readonly bytes: Uint8Array;
}

/** Sends a task to its process: a message, and then its file, when that is large. */
export async function sendTask(
  child: Pick<ChildProcess, 'send' | 'stdio'>,
  { name, input }: TaskRequest,
): Promise<void> {
  const file = fileIn(input);
  if (file === undefined || file.byteLength <= MOST_MESSAGE_BYTES) return send(child, { name, input });
  const rest = input instanceof Uint8Array ? undefined : { ...(input as object), bytes: undefined };
  await send(child, { name, input: rest, fileBytes: file.byteLength });
  await written(child.stdio[FILES_PIPE] as Writable, file);
}

function fileIn(input: unknown): Uint8Array | undefined {
  if (input instanceof Uint8Array) return input;
  const { bytes } = (input ?? {}) as Partial<FileInput>;
  return bytes instanceof Uint8Array ? bytes : undefined;
}

const send = (child: Pick<ChildProcess, 'send'>, message: TaskMessage): Promise<void> =>
  new Promise((resolve, reject) => {
    child.send(message, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });

const written = (pipe: Writable, file: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    pipe.write(file, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });

/** Reads the next bytes of the pipe for files. @returns how many; 0 at its end */
export type ReadFile = (into: Uint8Array, offset: number) => number;

/** More than a body may have; what no file has touched takes no memory. */
const SPACE_BYTES = 64 * 1024 * 1024;

/** Where the files of one task after the other lie: in one space, for the garbage of several would add up to several files. */
export class FileSpace {
  #space = new Uint8Array();

  /** Space for a file of some bytes; that of the file before is no longer its own. */
  take(bytes: number): Uint8Array {
    if (this.#space.byteLength < bytes) this.#space = new Uint8Array(Math.max(bytes, SPACE_BYTES));
    return this.#space.subarray(0, bytes);
  }

  /** No file comes for now. */
  letGo(): void {
    this.#space = new Uint8Array();
  }
}

/** Puts a task together in its process, which has nothing else to do meanwhile. @throws Error when its file breaks off */
export function receivedTask({ name, input, fileBytes }: TaskMessage, read: ReadFile, space: FileSpace): TaskRequest {
  if (fileBytes === undefined) {
    space.letGo();
    return { name, input };
  }
  const file = space.take(fileBytes);
  for (let at = 0; at < fileBytes;) {
    const bytes = read(file, at);
    if (bytes === 0) throw new Error('The file of a task breaks off.');
    at += bytes;
  }
  return { name, input: input === undefined ? file : { ...(input as object), bytes: file } };
}
