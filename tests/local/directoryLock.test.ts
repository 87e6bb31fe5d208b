import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryInUse, lockDirectory, type LockOptions } from '../../infra/local/azurite/directoryLock.js';

let directory: string;
let children: ChildProcess[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

const options = (changes: Partial<LockOptions> = {}): LockOptions => ({
  directory,
  file: join(directory, 'owner.json'),
  patienceMs: 100,
  endingMs: 5_000,
  ...changes,
});
const owner = (): { port: number; token: string } =>
  JSON.parse(readFileSync(join(directory, 'owner.json'), 'utf8')) as { port: number; token: string };

/** Another program that owns the folder, as the lock writes it: it answers its token, and a word when it ends. */
async function otherOwner(says: string): Promise<ChildProcess> {
  const program = `
    const server = require('node:net').createServer((socket) => socket.write('the-token${says}'));
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  writeFileSync(join(directory, 'owner.json'), JSON.stringify({ port: Number(port.toString()), token: 'the-token' }));
  return child;
}

describe('the lock on a folder', () => {
  test('names its owner in a file that only the user can read', async () => {
    await lockDirectory(options());
    expect(owner()).toEqual({ port: expect.any(Number), token: expect.any(String) });
  });

  test('is refused while a copy runs, with what to do about it', async () => {
    await otherOwner('');
    const waiting = jest.fn();
    await expect(lockDirectory(options({ onWaiting: waiting }))).rejects.toThrow(
      new DirectoryInUse(
        `${directory} is in use by a copy that is running: set LOCAL_DIR (and PORT) to run a second one.`,
      ),
    );
    expect(waiting).toHaveBeenCalledTimes(1);
  });

  test('comes when an owner that says it ends has ended, however long after the patience', async () => {
    const former = await otherOwner(' ending');
    let hasEnded = false;
    setTimeout(() => (hasEnded = former.kill('SIGKILL')), 400);
    await lockDirectory(options());
    expect(hasEnded).toBe(true);
    expect(owner().token).not.toBe('the-token');
  });

  test('tells those who wait that its owner ends', async () => {
    const lock = await lockDirectory(options());
    const second = lockDirectory(options({ patienceMs: 10_000, endingMs: 100 }));
    setTimeout(() => {
      lock.announceEnd();
    }, 100);
    // Both owners are this process, which does not end: only the shorter patience with an ending one is seen.
    await expect(second).rejects.toBeInstanceOf(DirectoryInUse);
  });

  test.each([
    { why: 'was killed', port: () => Promise.resolve(1) },
    {
      why: 'was killed and whose port another program has now',
      port: async () => {
        const server = createServer((socket) => socket.end('220 mail\r\n')).listen(0, '127.0.0.1');
        server.unref();
        await once(server, 'listening');
        return (server.address() as { port: number }).port;
      },
    },
  ])('comes at once after an owner that $why', async ({ port }) => {
    writeFileSync(join(directory, 'owner.json'), JSON.stringify({ port: await port(), token: 'the-token' }));
    await lockDirectory(options());
    expect(owner().token).not.toBe('the-token');
  });

  test('comes after a file that was never written whole', async () => {
    writeFileSync(join(directory, 'owner.json'), '{"port":');
    await lockDirectory(options());
    expect(owner().port).toBeGreaterThan(0);
  });
});
