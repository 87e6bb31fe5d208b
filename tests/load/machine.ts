/** The machine that a load runs on: is it quiet, which cores are whose, what are the figures of. Linux for the most. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Above this load average others are at work, and figures are theirs as much as ours. */
export const QUIET_LOAD = 0.5;
/** The build just before leaves a trace in the load average, which fades within this time. */
const FADE_SECONDS = 90;

export class BusyMachine extends Error {
  constructor(load: number) {
    super(
      `The load average is ${load.toFixed(2)}, above ${QUIET_LOAD}: others are at work, and figures would be theirs. ` +
        'Wait until the machine is quiet, or add --busy-anyway for figures that do not count.',
    );
    this.name = 'BusyMachine';
  }
}

/**
 * Waits until the machine is quiet.
 *
 * @returns the load average of the last minute
 * @throws BusyMachine when it does not become quiet, unless `busyAnyway`
 */
export async function requireQuiet(busyAnyway: boolean): Promise<number> {
  for (let waited = 0; ; waited += 5) {
    const [load = 0] = loadavg();
    if (load <= QUIET_LOAD || busyAnyway) return load;
    if (waited >= FADE_SECONDS) throw new BusyMachine(load);
    await pause(5_000);
  }
}

/** Which cores are whose. */
export interface Cores {
  /** Of the functions host alone. */
  readonly host: string;
  /** Of the driver, the emulator of storage and the stand-ins. */
  readonly others: string;
}

/** Undefined where processes cannot be bound to cores, or where there is only one. */
export function coresOf(count = cpus().length): Cores | undefined {
  if (count < 2 || process.platform !== 'linux') return undefined;
  return { host: '0', others: count === 2 ? '1' : `1-${count - 1}` };
}

/** Binds a process and all its threads to cores; false where that cannot be done. */
export function bind(pid: number, cores: string): boolean {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A process and everything below it. */
export function familyOf(pid: number): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  return [pid, ...children.flatMap(familyOf)];
}

/** User and system time of a process, milliseconds; NaN where the system does not tell. */
export function cpuMsOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  // Fields 14 and 15 of proc(5), in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** What figures are of: day, machine and commit, in one line. */
export function provenance(load: number): string {
  const [cpu] = cpus();
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim();
  const changed = execFileSync('git', ['status', '--porcelain', '--', 'shared', 'functions', 'infra'], {
    encoding: 'utf8',
  });
  const state = changed.trim() === '' ? '' : ' with uncommitted changes';
  const day = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return `${day} UTC, ${cpus().length} cores of ${cpu?.model.trim() ?? 'an unknown kind'}, ${memory}, Node ${process.version}, commit ${commit}${state}, load average at the start ${load.toFixed(2)}`;
}
