import { Worker } from 'node:worker_threads';
import { movableMemory, type TaskAnswer } from './messages.js';
import type { RunTask } from './tasks.js';

/** A task used up the memory or the time it may have; the thread was ended and the next task gets a new one. */
export class TaskExhausted extends Error {
  constructor(reason: string) {
    super(`A task was ended: ${reason}.`);
    this.name = 'TaskExhausted';
  }
}

export interface TaskThreadOptions {
  /** The compiled worker.ts. */
  readonly file: URL;
  /** Most memory for the thread's objects, in MB; large arrays lie outside of it. */
  readonly heapMb: number;
  /** Longest time of one task. */
  readonly limitMs: number;
  /** A thread without work is ended after this time, which gives its memory back. */
  readonly idleMs: number;
}

interface Waiting {
  readonly message: unknown;
  readonly resolve: (output: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** One thread that does one task at a time, in the order in which they came. */
export class TaskThread {
  readonly #options: TaskThreadOptions;
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #running: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TaskThreadOptions) {
    this.#options = options;
  }

  readonly run: RunTask = (name, input) =>
    new Promise((resolve, reject) => {
      this.#waiting.push({ message: { name, input }, resolve: resolve as (output: unknown) => void, reject });
      this.#next();
    });

  /** Ends the thread; a running task is rejected. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#running = this.#waiting.shift();
    if (this.#running === undefined) {
      this.#endIn(this.#options.idleMs);
      return;
    }
    const { message } = this.#running;
    this.#worker ??= this.#start();
    this.#endIn(this.#options.limitMs);
    this.#worker.ref();
    this.#worker.postMessage(message, movableMemory(message));
  }

  #start(): Worker {
    const { file, heapMb } = this.#options;
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    worker.on('message', (answer: TaskAnswer) => {
      const done = this.#take();
      if (answer.failure === undefined) done?.resolve(answer.output);
      else done?.reject(Object.assign(new Error(answer.failure.message), { stack: answer.failure.stack }));
      this.#next();
    });
    let reason = 'it took too long or the thread ended';
    worker.on('error', (error: NodeJS.ErrnoException) => {
      reason = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needed too much memory' : error.message;
    });
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#take()?.reject(new TaskExhausted(reason));
      this.#next();
    });
    return worker;
  }

  #take(): Waiting | undefined {
    const running = this.#running;
    this.#running = undefined;
    // A process with nothing else to do may end.
    this.#worker?.unref();
    return running;
  }

  #endIn(milliseconds: number): void {
    const worker = this.#worker;
    this.#timer = setTimeout(() => {
      // An idle thread is forgotten before it ends, so that a task that comes meanwhile gets a new one.
      if (this.#running === undefined && this.#worker === worker) this.#worker = undefined;
      void worker?.terminate();
    }, milliseconds);
    this.#timer.unref();
  }
}
