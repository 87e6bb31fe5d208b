import { fork, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { FILES_PIPE, sendTask } from './sentTask.js';
import type { RunTask, TaskAnswer, TaskRequest } from './tasks.js';

/** Larger pieces of memory are not kept for reuse. */
const KEPT_BYTES = 128 * 1024;

/** A task exceeded its memory or time; its process was ended and the next task gets a new one. */
export class TaskExhausted extends Error {
  constructor(reason: string) {
    super(`A task was ended: ${reason}.`);
    this.name = 'TaskExhausted';
  }
}

/** Callers wait for the service's own process: where processors are few, it goes first. */
function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A platform that knows no priorities.
  }
}

/** File and limits of a task process. */
export interface TaskProcessOptions {
  /** The compiled worker.ts. */
  readonly file: URL;
  /** Most memory for the process's JavaScript heap, in MB; large arrays lie outside the heap. */
  readonly heapMb: number;
  /** Longest time of one task. */
  readonly limitMs: number;
  /** A process without work is ended after this time, which gives its memory back. */
  readonly idleMs: number;
}

interface Waiting {
  readonly message: TaskRequest;
  readonly resolve: (output: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * A process that does one task at a time, in the order in which they came.
 *
 * A process and not a thread: where a thread's heap is full, Node 22 and later may end all threads with it.
 */
export class TaskProcess {
  readonly #options: TaskProcessOptions;
  readonly #waiting: Waiting[] = [];
  #child: ChildProcess | undefined;
  #running: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TaskProcessOptions) {
    this.#options = options;
  }

  readonly run: RunTask = (name, input) =>
    new Promise((resolve, reject) => {
      this.#waiting.push({ message: { name, input }, resolve: resolve as (output: unknown) => void, reject });
      this.#next();
    });

  /** Ends the process; a running task is rejected. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  #next(): void {
    if (this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#running = this.#waiting.shift();
    if (this.#running === undefined) {
      this.#endIn(this.#options.idleMs);
      return;
    }
    const child = (this.#child ??= this.#start());
    this.#endIn(this.#options.limitMs);
    keepAlive(child, true);
    // When the message cannot be sent, the process ends too, and its end rejects the task.
    sendTask(child, this.#running.message).catch(() => undefined);
  }

  #start(): ChildProcess {
    const { file, heapMb } = this.#options;
    const child = fork(fileURLToPath(file), {
      // The process only computes: it needs no setting and gets no secret. Its C library gives large pieces of memory back
      // at once; left alone, it keeps as much as a whole file (https://www.gnu.org/software/libc/manual: malloc tunables).
      env: { MALLOC_MMAP_THRESHOLD_: String(KEPT_BYTES), MALLOC_TRIM_THRESHOLD_: String(KEPT_BYTES) },
      // Its heap begins small: V8 would let it grow by a whole file before it looks for what is no longer needed.
      execArgv: [`--max-old-space-size=${heapMb}`, '--initial-old-space-size=16', '--max-semi-space-size=4'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    });
    giveWay(child);
    // Of a process that has ended; its end rejects the task.
    child.stdio[FILES_PIPE]?.on('error', () => undefined);
    child.on('message', (answer: TaskAnswer) => {
      // The answer came too late: the next task must not go to a process that is being ended.
      if (child.killed) return;
      const done = this.#take();
      if (answer.failure === undefined) done?.resolve(answer.output);
      else done?.reject(Object.assign(new Error(answer.failure.message), { stack: answer.failure.stack }));
      this.#next();
    });
    void endOf(child).then((reason) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#take()?.reject(reason);
      this.#next();
    });
    return child;
  }

  #take(): Waiting | undefined {
    const running = this.#running;
    this.#running = undefined;
    // A process with nothing else to do may end.
    if (this.#child !== undefined) keepAlive(this.#child, false);
    return running;
  }

  #endIn(milliseconds: number): void {
    const child = this.#child;
    this.#timer = setTimeout(() => {
      // An idle process is forgotten before it ends, so that a task that comes meanwhile gets a new one.
      if (this.#running === undefined && this.#child === child) this.#child = undefined;
      child?.kill('SIGKILL');
    }, milliseconds);
    this.#timer.unref();
  }
}

function keepAlive(child: ChildProcess, isWorking: boolean): void {
  const files = child.stdio[FILES_PIPE];
  for (const each of [child, child.channel, files instanceof Socket ? files : undefined]) {
    if (isWorking) each?.ref();
    else each?.unref();
  }
}

/** Characters kept of a process's output: enough for the error of a failed start. */
const PRINTED = 2_000;

/** The error with which a running task fails when its process has ended. */
function endOf(child: ChildProcess): Promise<Error> {
  const printed: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (printed.length === 0) printed.push(text.slice(0, PRINTED));
  });
  if (child.stderr instanceof Socket) child.stderr.unref();
  return new Promise((resolve) => {
    child.once('error', (error) => {
      child.kill('SIGKILL');
      resolve(error);
    });
    child.once('close', (code, signal) => {
      if (child.killed) resolve(new TaskExhausted('it took too long'));
      else if (isOutOfMemory(code, signal)) resolve(new TaskExhausted('it needed too much memory'));
      else resolve(new Error(`A task's process ended: ${errorLine(printed.join(''))} (${signal ?? String(code)}).`));
    });
  });
}

/** V8 aborts a process whose heap is full (134 on systems without signals); the system kills one when its own memory is full. */
const isOutOfMemory = (code: number | null, signal: NodeJS.Signals | null): boolean =>
  signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134;

const errorLine = (text: string): string => /^.*Error.*$/m.exec(text)?.[0] ?? '';
