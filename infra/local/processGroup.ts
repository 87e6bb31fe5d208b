import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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

/** A row of /proc/net/tcp of a socket that listens: local address and port, remote address, state 0A, …, inode. */
const LISTENING = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F:]+ 0A (?:\S+ +){5}(\d+)/gm;

/** Sockets that listen at a port, as the file descriptors of their processes name them. */
function listeningSockets(port: number): ReadonlySet<string> {
  const tables = ['tcp', 'tcp6'].flatMap((table) => {
    try {
      return [readFileSync(`/proc/net/${table}`, 'utf8')];
    } catch {
      return []; // A system without IPv6.
    }
  });
  const rows = tables.flatMap((table) => [...table.matchAll(LISTENING)]);
  return new Set(
    rows.filter(([, at = '']) => parseInt(at, 16) === port).map(([, , inode = '']) => `socket:[${inode}]`),
  );
}

function holdsOne(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`)));
  } catch {
    return false; // It has ended, or closed a file, meanwhile.
  }
}

/**
 * Processes of a group that listen at a port, on this machine's addresses or on all.
 *
 * @param group id of the process that leads it
 * @returns undefined on a system without /proc, which does not tell
 */
export function listenersIn(group: number, port: number): readonly number[] | undefined {
  const members = running(group);
  if (members === undefined) return undefined;
  const sockets = listeningSockets(port);
  return members.filter((pid) => holdsOne(pid, sockets)).map(Number);
}
