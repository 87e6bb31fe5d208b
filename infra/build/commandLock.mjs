// Lets one command at a time do what two at once would spoil for each other. Plain JavaScript without packages: it runs
// before anything is installed.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 500;
/** How often it is said what is waited for, and the lock's time is set anew. */
const SAY_MS = 20_000;
/** A lock that nobody has touched for so long is one of a machine that went down, whatever process has its id now. */
const ABANDONED_MS = 120_000;

let taken = 0;

/** Whether the holder of the lock is gone; undefined when there is no lock (any more). */
function isStale(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > ABANDONED_MS) return true;
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch ({ code }) {
    // EPERM: it lives, and is somebody else's.
    return code === 'ESRCH' ? true : code === 'ENOENT' ? undefined : false;
  }
}

/** Takes the lock unless there is one. It appears with its content, so that nobody reads an empty one. */
function tryTake(file) {
  taken += 1;
  const own = `${file}.${process.pid}.${taken}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own);
  }
}

/** Removes a lock whose holder is gone. It is moved away first: of two that want to remove it, one does. */
function removeStale(file) {
  const away = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, away);
    // The other one was quicker and has taken it anew meanwhile.
    if (isStale(away) === false) linkSync(away, file);
  } catch ({ code }) {
    if (code !== 'ENOENT' && code !== 'EEXIST') throw new Error(`The lock ${file} can't be removed (${code}).`);
  }
  rmSync(away, { force: true });
}

/**
 * Does some work while no other command does work under the same lock. A lock whose holder has died counts for nothing.
 *
 * @template T
 * @param {string} file the lock, inside a folder that is made
 * @param {string} waitingFor what the other command does, for the line that says so: at once, then every 20 seconds
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, waitingFor, work) {
  mkdirSync(dirname(file), { recursive: true });
  let saidAt = -Infinity;
  while (!tryTake(file)) {
    if (isStale(file) === true) removeStale(file);
    else {
      if (Date.now() - saidAt >= SAY_MS) {
        console.error(`Waiting for another command, which is ${waitingFor} …`);
        saidAt = Date.now();
      }
      await sleep(LOOK_MS);
    }
  }
  const touching = setInterval(() => {
    if (isOwn(file)) utimesSync(file, new Date(), new Date());
  }, SAY_MS);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    // Behind a long sleep of the machine another command may have taken it.
    if (isOwn(file)) rmSync(file, { force: true });
  }
}

/** Whether the lock is this process's; somebody may have removed it with its folder. */
function isOwn(file) {
  try {
    return readFileSync(file, 'utf8') === String(process.pid);
  } catch {
    return false;
  }
}
