// Installs the locked dependencies of a package of this checkout when they are missing or older than its lockfile, so
// that a fresh clone needs no step of its own. Without an argument it is the package of the root, which has what
// `npm start` and `npm test` need; `tools/check` and others are named. Plain JavaScript: it runs before anything is
// installed.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './commandLock.mjs';

const checkout = fileURLToPath(new URL('../../', import.meta.url));
const isWindows = process.platform === 'win32';
const npm = isWindows ? 'npm.cmd' : 'npm';
const SAY_MS = 20_000;

/** @returns {Promise<number>} the exit status */
function npmCi(folder) {
  const arguments_ = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows };
  return new Promise((resolve, reject) => {
    spawn(npm, arguments_, options)
      .once('error', reject)
      .once('close', (status) => resolve(status ?? 1));
  });
}

/** The registry that is set on this machine. */
function registry() {
  const { stdout } = spawnSync(npm, ['config', 'get', 'registry'], { encoding: 'utf8', shell: isWindows });
  return stdout.trim().replace(/\/$/, '');
}

/**
 * The lockfile with the address of each package. Where a lockfile has none, npm asks the registry for the page of each
 * package first, which doubles the time.
 */
function withAddresses(lockfile) {
  const lock = JSON.parse(readFileSync(lockfile, 'utf8'));
  const host = registry();
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue;
    const name = entry.name ?? path.split('node_modules/').at(-1);
    entry.resolved ??= `${host}/${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`;
  }
  return JSON.stringify(lock);
}

/** Installs with npm in a folder that has the package's files alone. @returns {Promise<number>} the exit status */
async function installByNpm(folder, copy) {
  writeFileSync(join(copy, 'package-lock.json'), withAddresses(join(folder, 'package-lock.json')));
  const status = await npmCi(copy);
  if (status === 0) return 0;
  console.error('Once more without addresses, for a registry that lays its packages out otherwise …');
  copyFileSync(join(folder, 'package-lock.json'), join(copy, 'package-lock.json'));
  return npmCi(copy);
}

/** Deletes folders in a process of its own: that of an installation takes minutes on a slow disk. */
function deleteLater(paths) {
  const program = 'for (const path of process.argv.slice(1)) fs.rmSync(path, { recursive: true, force: true })';
  if (paths.length > 0) spawn(process.execPath, ['-e', program, ...paths], { detached: true, stdio: 'ignore' }).unref();
}

/** Installs in a copy of the package, beside it, and puts what came of it in the place of the old. */
async function installAside({ root, folder, work, install }) {
  // What installations that were killed have left.
  deleteLater(readdirSync(work).map((name) => join(work, name)));
  const id = `${process.pid}-${Date.now()}`;
  const [copy, old] = [join(work, `new-${id}`), join(work, `old-${id}`)];
  mkdirSync(copy);
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(folder, file), join(copy, file));
  copyFileSync(join(root, '.npmrc'), join(copy, '.npmrc'));
  const status = await install(folder, copy);
  if (status === 0) {
    const installed = join(folder, 'node_modules');
    if (existsSync(installed)) renameSync(installed, old);
    renameSync(join(copy, 'node_modules'), installed);
  }
  deleteLater([copy, old]);
  return status;
}

/** Says every now and then that it is still at it. */
async function saying(what, work) {
  const startedAt = Date.now();
  console.error(`${what}, about a minute …`);
  const still = setInterval(() => {
    console.error(`${what}: ${Math.round((Date.now() - startedAt) / 1000)} s so far …`);
  }, SAY_MS);
  try {
    return await work();
  } finally {
    clearInterval(still);
  }
}

/**
 * Installs what the package in the folder needs, unless it is there. Of two commands at once one installs and the other
 * waits for it. Ends the process where that fails.
 *
 * @param {string} name folder of the package, relative to the root
 * @param {{ root?: string, install?: (folder: string, copy: string) => Promise<number> }} parts the checkout, and what
 *   installs the package of `folder` into `copy`
 */
export async function ensureDependencies(name = '.', { root = checkout, install = installByNpm } = {}) {
  const folder = join(root, name);
  // npm writes this file at the end of every successful install.
  const marker = join(folder, 'node_modules/.package-lock.json');
  const isInstalled = () =>
    existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
  if (isInstalled()) return;
  const place = join(root, 'build/install', name === '.' ? 'root' : name.replaceAll(/[\\/]/g, '-'));
  const work = join(place, 'work');
  const what = `Installing the locked dependencies${name === '.' ? '' : ` of ${name}`}`;
  await withLock(join(place, 'lock'), what.replace('Installing', 'installing'), async () => {
    if (isInstalled()) return;
    mkdirSync(work, { recursive: true });
    const status = await saying(what, () => installAside({ root, folder, work, install }));
    if (status !== 0) process.exitCode = status;
  });
  if (!isInstalled()) process.exit(process.exitCode || 1);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node ${process.versions.node} is too old: this project needs Node 20.19 or newer.`);
  process.exit(1);
}
if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureDependencies(process.argv[2]);
