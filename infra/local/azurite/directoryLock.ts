import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface DirectoryLock {
  /** Tells whoever waits that this owner is about to end; the lock itself is held until the process ends. */
  announceEnd(): void;
}

export interface LockOptions {
  /** The folder as its user knows it, for the message. */
  readonly directory: string;
  readonly file: string;
  /** How long an owner may go on without saying that it ends. */
  readonly patienceMs: number;
  /** How long an owner that ends may take. */
  readonly endingMs: number;
  readonly onWaiting?: () => void;
}

const endingMark = ' ending';

/** Another program that goes on running holds the folder. */
export class DirectoryInUse extends Error {}

interface Owner {
  readonly port: number;
  readonly token: string;
}

/** A live owner, as seen over a connection to it. */
interface ReachedOwner {
  readonly ending: Promise<'ending'>;
  readonly closed: Promise<'closed'>;
  leave(): void;
}

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return undefined; // Missing, or not yet written whole.
  }
}

/** The owner a lock file names; one that is just being written is given a moment. */
async function ownerIn(file: string): Promise<Owner | undefined> {
  const owner = readOwner(file);
  if (owner !== undefined || !existsSync(file)) return owner;
  await sleep(200);
  return readOwner(file);
}

/** The owner that wrote the file, or undefined when nobody with its token answers any more. */
async function reach({ port, token }: Owner): Promise<ReachedOwner | undefined> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let text = '';
  const saw = <T>(part: string, value: T): Promise<T> =>
    new Promise((resolve) => {
      socket.on('data', (data) => {
        text += data.toString();
        if (text.includes(part)) resolve(value);
      });
    });
  const greeted = saw(token, 'greeted');
  const ending = saw(endingMark, 'ending' as const);
  const closed = new Promise<'closed'>((resolve) => {
    socket.once('close', () => {
      resolve('closed');
    });
  });
  const first = await Promise.race([greeted, closed, sleep(2_000, 'silent', { ref: false })]);
  if (first === 'greeted') return { ending, closed, leave: () => socket.destroy() };
  socket.destroy();
  return undefined;
}

/** Waits until the owner's process has ended; the operating system closes its socket whatever ended it. */
async function awaitEnd(owner: ReachedOwner, { directory, patienceMs, endingMs }: LockOptions): Promise<void> {
  const silence = (limitMs: number): Promise<'silent'> => sleep(limitMs, 'silent', { ref: false });
  const first = await Promise.race([owner.closed, owner.ending, silence(patienceMs)]);
  const last = first === 'ending' ? await Promise.race([owner.closed, silence(endingMs)]) : first;
  if (last === 'closed') return;
  throw new DirectoryInUse(
    `${directory} is in use by a copy that is running: set LOCAL_DIR (and PORT) to run a second one.`,
  );
}

/**
 * Waits until no live process owns the folder. An owner that is ending is waited for, one that goes on is refused;
 * one that was killed is recognised by its closed port, so a process number that is used again can't mislead.
 */
export async function awaitFormerOwner(options: LockOptions): Promise<void> {
  const written = await ownerIn(options.file);
  const owner = written === undefined ? undefined : await reach(written);
  if (owner === undefined) {
    rmSync(options.file, { force: true });
    return;
  }
  options.onWaiting?.();
  try {
    await awaitEnd(owner, options);
  } finally {
    owner.leave();
  }
}

function tryToOwn(file: string, owner: Owner): boolean {
  try {
    writeFileSync(file, JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

/** Makes this process the only owner of a folder, once any former owner has ended. */
export async function lockDirectory(options: LockOptions): Promise<DirectoryLock> {
  const token = randomUUID();
  const sockets = new Set<Socket>();
  let isEnding = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.write(token);
    if (isEnding) socket.write(endingMark);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  mkdirSync(dirname(options.file), { recursive: true });
  const { port } = server.address() as AddressInfo;
  for (let isOwner = false; !isOwner; isOwner = tryToOwn(options.file, { port, token }))
    await awaitFormerOwner(options);
  return {
    announceEnd: () => {
      isEnding = true;
      for (const socket of sockets) socket.write(endingMark);
    },
  };
}
