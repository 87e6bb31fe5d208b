import { readdirSync, readFileSync } from 'node:fs';

/** State and group of a process, where the system tells: fields 3 and 5 of its stat, after the name in brackets. */
function stateOf(pid: string): { readonly state: string; readonly group: number } | undefined {
  try {
    const [state = '', , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { state, group: Number(group) };
  } catch {
    return undefined; // It has ended meanwhile.
  }
}

/** Processes of the group that run; undefined on a system without /proc. */
function running(group: number): readonly string[] | undefined {
  try {
    return readdirSync('/proc').filter((name) => {
      const found = /^\d+$/.test(name) ? stateOf(name) : undefined;
      return found?.group === group && found.state !== 'Z';
    });
  } catch {
    return undefined;
  }
}

/**
 * Whether a process of the group still runs. One that has ended and that nobody waited for is not counted: orphans
 * stay so in a container without an init.
 *
 * @param group id of the process that leads it; on Windows, which has none, of the process itself
 */
export function groupIsAlive(group: number | undefined): boolean {
  if (group === undefined) return false;
  try {
    process.kill(process.platform === 'win32' ? group : -group, 0);
  } catch {
    return false;
  }
  return running(group)?.length !== 0;
}
