import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** What the functions host showed during a case. */
export interface Watched {
  /** Longest stall of the event loop, ms. */
  readonly stallMs: number;
  /** Longest stall by work of its own thread, ms. */
  readonly ownMs: number;
  /** The host and its task processes when they had most memory. */
  readonly memory: Memory;
  /** Ascending, ms: how long small GETs of another tenant took. */
  readonly waits: readonly number[];
}

/** MB. */
export interface Memory {
  readonly host: number;
  readonly tasks: number;
}

interface Stall {
  readonly at: number;
  readonly stallMs: number;
  readonly ownMs: number;
}

const MEMORY_EVERY_MS = 50;
const MEBIBYTE = 2 ** 20;

/** What a process was started with; empty once it has ended. */
const commandOf = (id: string): string =>
  existsSync(`/proc/${id}/cmdline`) ? readFileSync(`/proc/${id}/cmdline`, 'utf8') : '';

/**
 * Memory of the host's process and of its children, which run tasks; Linux only. A child that is just being forked still has
 * the host's command, and the host's own pages.
 */
export function memoryOf(pid: number): Memory {
  const ofOne = (id: string): number => {
    const file = `/proc/${id}/status`;
    const kilobytes = existsSync(file) ? /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
    return (Number(kilobytes ?? 0) * 1024) / MEBIBYTE;
  };
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  const tasks = children.filter((id) => commandOf(id) !== commandOf(String(pid)));
  return { host: ofOne(String(pid)), tasks: tasks.reduce((sum, id) => sum + ofOne(id), 0) };
}

/** Another tenant's small GET. */
export interface SmallGet {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Runs `during` while the memory of the host, the stalls of its event loop and small GETs are measured. */
export async function watched(
  {
    pid,
    probeFile,
    smallGet,
  }: {
    readonly pid: number;
    /** Where hostProbe.mjs writes. */
    readonly probeFile: string;
    readonly smallGet: SmallGet;
  },
  during: () => Promise<void>,
): Promise<Watched> {
  const since = Date.now();
  const asking = new Worker('./tests/bench/stalls/smallGets.mjs', { workerData: smallGet });
  let memory: Memory = { host: 0, tasks: 0 };
  const weighing = setInterval(() => {
    const now = memoryOf(pid);
    if (now.host + now.tasks > memory.host + memory.tasks) memory = now;
  }, MEMORY_EVERY_MS);
  let waits: readonly number[];
  try {
    await during();
    asking.postMessage('end');
    [waits] = (await once(asking, 'message')) as [readonly number[]];
  } finally {
    clearInterval(weighing);
    await asking.terminate();
  }
  const stalls = stallsSince(probeFile, since);
  const longest = (name: 'stallMs' | 'ownMs'): number => Math.max(0, ...stalls.map((stall) => stall[name]));
  return {
    stallMs: longest('stallMs'),
    ownMs: longest('ownMs'),
    memory,
    waits: waits.toSorted((one, two) => one - two),
  };
}

function stallsSince(file: string, since: number): readonly Stall[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Stall).filter(({ at }) => at > since);
}
