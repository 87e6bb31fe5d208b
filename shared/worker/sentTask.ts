import type { ChildProcess } from 'node:child_process';
import type { TaskMessage, TaskRequest } from './tasks.js';

/** Bytes of one message: a message is copied from process to process in one go, while nobody else has a turn. */
const PIECE_BYTES = 1024 * 1024;

/** The bytes of a file among the input of a task: the input itself, or its member `bytes`. */
interface FileInput {
  readonly bytes: Uint8Array;
}

/** Sends a task to its process. A large file goes ahead in pieces, each when the one before is on its way. */
export async function sendTask(child: ChildProcess, { name, input }: TaskRequest): Promise<void> {
  const file = fileIn(input);
  if (file === undefined || file.byteLength <= PIECE_BYTES) return send(child, { name, input });
  await send(child, { fileBytes: file.byteLength });
  for (let start = 0; start < file.byteLength; start += PIECE_BYTES) {
    await send(child, { piece: file.subarray(start, start + PIECE_BYTES) });
  }
  await send(child, {
    name,
    input: input instanceof Uint8Array ? undefined : { ...(input as object), bytes: undefined },
  });
}

function fileIn(input: unknown): Uint8Array | undefined {
  if (input instanceof Uint8Array) return input;
  const { bytes } = (input ?? {}) as Partial<FileInput>;
  return bytes instanceof Uint8Array ? bytes : undefined;
}

const send = (child: ChildProcess, message: TaskMessage): Promise<void> =>
  new Promise((resolve, reject) => {
    child.send(message, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });

/** Puts tasks together in their process from what `sendTask` sends. */
export class TaskReceiver {
  #file: Uint8Array | undefined;
  #length = 0;

  /** @returns the task once it is whole */
  take(message: TaskMessage): TaskRequest | undefined {
    if ('fileBytes' in message) this.#file = new Uint8Array(message.fileBytes);
    else if ('piece' in message) this.#add(message.piece);
    else return this.#whole(message);
    return undefined;
  }

  #add(piece: Uint8Array): void {
    this.#file?.set(piece, this.#length);
    this.#length += piece.byteLength;
  }

  #whole({ name, input }: TaskRequest): TaskRequest {
    const file = this.#file;
    [this.#file, this.#length] = [undefined, 0];
    if (file === undefined) return { name, input };
    return { name, input: input === undefined ? file : { ...(input as object), bytes: file } };
  }
}
