// Installs the locked dependencies of a package of this checkout when they are missing or older than its lockfile, so
// that a fresh clone needs no step of its own. Without an argument it is the package of the root, which has what
// `npm start` and `npm test` need; `tools/check` and others are named. Plain JavaScript: it runs before anything is
// installed.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const isWindows = process.platform === 'win32';
const npm = isWindows ? 'npm.cmd' : 'npm';

function npmCi(folder) {
  const arguments_ = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows };
  return spawnSync(npm, arguments_, options).status ?? 1;
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

/** Installs in a copy of the package whose lockfile has addresses, and moves what came of it into the package. */
function installByAddress(folder) {
  const copy = join(root, 'build/install', String(process.pid));
  mkdirSync(copy, { recursive: true });
  try {
    copyFileSync(join(folder, 'package.json'), join(copy, 'package.json'));
    copyFileSync(join(root, '.npmrc'), join(copy, '.npmrc'));
    writeFileSync(join(copy, 'package-lock.json'), withAddresses(join(folder, 'package-lock.json')));
    if (npmCi(copy) !== 0) return false;
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    renameSync(join(copy, 'node_modules'), join(folder, 'node_modules'));
    return true;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * Installs what the package in the folder needs, unless it is there. Ends the process where that fails.
 *
 * @param {string} name folder of the package, relative to the root
 */
export function ensureDependencies(name = '.') {
  const folder = join(root, name);
  // npm writes this file at the end of every successful install.
  const marker = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs) return;
  console.error(`Installing the locked dependencies${name === '.' ? '' : ` of ${name}`} …`);
  if (installByAddress(folder)) return;
  console.error('Once more without addresses, for a registry that lays its packages out otherwise …');
  const status = npmCi(folder);
  if (status !== 0) process.exit(status);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node ${process.versions.node} is too old: this project needs Node 20.19 or newer.`);
  process.exit(1);
}
if (process.argv[1] === fileURLToPath(import.meta.url)) ensureDependencies(process.argv[2]);
