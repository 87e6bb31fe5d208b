import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const module = pathToFileURL('infra/build/ensureDependencies.mjs').href;
/** A command whose installation notes that it began, and lasts until there is a file `go` in the checkout. */
const command = `
  import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { ensureDependencies } from '${module}';
  const root = process.argv[1];
  const install = async (folder, copy) => {
    appendFileSync(root + '/begun', process.pid + '\\n');
    while (!existsSync(root + '/go')) await sleep(10);
    mkdirSync(copy + '/node_modules');
    writeFileSync(copy + '/node_modules/.package-lock.json', '{}');
    return 0;
  };
  await ensureDependencies('.', { root, install });`;

let root: string;
const running: ChildProcess[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'checkout-'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) writeFileSync(join(root, file), '{}');
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
});

/** Starts the command; `said` resolves when it has written a text. */
function start() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', command, root], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  let output = '';
  const said = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (output.includes(text)) resolve();
      };
      child.stderr.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        look();
      });
      look();
    });
  return { child, ended, said, output: () => output };
}
const letGo = (): void => {
  writeFileSync(join(root, 'go'), '');
};
const installations = (): number => readFileSync(join(root, 'begun'), 'utf8').trim().split('\n').length;
const isInstalled = (): boolean => existsSync(join(root, 'node_modules/.package-lock.json'));

describe('two commands at once in a fresh clone', () => {
  test('install once: the second waits, says so, and removes nothing', async () => {
    const first = start();
    await first.said('Installing the locked dependencies, about a minute …');
    const second = start();
    await second.said('Waiting for another command, which is installing the locked dependencies …');
    letGo();
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
    expect([installations(), isInstalled()]).toEqual([1, true]);
  });

  test('go on when the one that installs is killed', async () => {
    const first = start();
    await first.said('Installing');
    const second = start();
    await second.said('Waiting');
    first.child.kill('SIGKILL');
    await second.said('Installing');
    letGo();
    expect(await second.ended).toBe(0);
    expect(isInstalled()).toBe(true);
  });
});

describe('an installation', () => {
  test('is not held up by the lock of a command that was killed', async () => {
    const killed = start();
    await killed.said('Installing');
    killed.child.kill('SIGKILL');
    await killed.ended;
    letGo();
    expect(await start().ended).toBe(0);
    expect(isInstalled()).toBe(true);
  });

  test('is not held up by the lock of a machine that went down, whose process id another has now', async () => {
    const lock = join(root, 'build/install/root/lock');
    mkdirSync(join(lock, '..'), { recursive: true });
    writeFileSync(lock, String(process.pid));
    utimesSync(lock, 0, 0);
    letGo();
    expect(await start().ended).toBe(0);
    expect([isInstalled(), existsSync(lock)]).toEqual([true, false]);
  });

  test('takes the place of an older one in one go', async () => {
    mkdirSync(join(root, 'node_modules/old'), { recursive: true });
    letGo();
    expect(await start().ended).toBe(0);
    expect(readdirSync(join(root, 'node_modules'))).toEqual(['.package-lock.json']);
  });

  test('is made no second time', async () => {
    letGo();
    expect([await start().ended, await start().ended, installations()]).toEqual([0, 0, 1]);
  });
});
