import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** What the functions host showed during a case. */
export interface Watched {
  /** Longest stall of the event loop, ms. */
  readonly stallMs: number;
  /** Longest stall by work of its own thread, ms. */
  readonly ownMs: number;
  /** Most memory of the host and its task processes, MB. */
  readonly memoryMb: number;
  /** Ascending, ms: how long small GETs of another tenant took. */
  readonly waits: readonly number[];
}

interface Stall {
  readonly at: number;
  readonly stallMs: number;
  readonly ownMs: number;
}

const PROBE_EVERY_MS = 100;
const MEMORY_EVERY_MS = 50;
const MEBIBYTE = 2 ** 20;

/** Memory of a process and of its children; Linux only, MB. */
export function memoryMbOf(pid: number): number {
  const ofOne = (id: string): number => {
    const file = `/proc/${id}/status`;
    const kilobytes = existsSync(file) ? /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
    return (Number(kilobytes ?? 0) * 1024) / MEBIBYTE;
  };
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  return [String(pid), ...children].reduce((sum, id) => sum + ofOne(id), 0);
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
    readonly smallGet: () => Promise<void>;
  },
  during: () => Promise<void>,
): Promise<Watched> {
  const since = Date.now();
  const waits: number[] = [];
  const asked = new Set<Promise<void>>();
  let memoryMb = 0;
  const ask = (): void => {
    const startedAt = performance.now();
    const answer = smallGet().then(() => {
      waits.push(performance.now() - startedAt);
      asked.delete(answer);
    });
    asked.add(answer);
  };
  const probing = setInterval(ask, PROBE_EVERY_MS);
  const weighing = setInterval(() => {
    memoryMb = Math.max(memoryMb, memoryMbOf(pid));
  }, MEMORY_EVERY_MS);
  try {
    await during();
    await Promise.all(asked);
  } finally {
    clearInterval(probing);
    clearInterval(weighing);
  }
  const stalls = stallsSince(probeFile, since);
  const longest = (name: 'stallMs' | 'ownMs'): number => Math.max(0, ...stalls.map((stall) => stall[name]));
  return { stallMs: longest('stallMs'), ownMs: longest('ownMs'), memoryMb, waits: waits.sort((one, two) => one - two) };
}

function stallsSince(file: string, since: number): readonly Stall[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Stall).filter(({ at }) => at > since);
}
