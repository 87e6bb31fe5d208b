// The app as an instance of the HTTP group runs it: on Flex Consumption all HTTP functions scale together and each
// queue function by itself, so that an instance that answers requests works on no queue. The emulator's host has one
// process for all, so the queue functions are left out of this build; so are the timers, which run on one instance.
import { buildApp } from '../../infra/build/app.mjs';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REGISTRATION = /shared\/wiring\/register\.ts$/;
const LISTS = ['of manifest.queues)', 'of manifest.timers)'];

let isLeftOut = false;
const httpOnly = {
  name: 'http-only',
  setup: (build) => {
    build.onLoad({ filter: REGISTRATION }, async ({ path }) => {
      isLeftOut = true;
      let contents = await readFile(path, 'utf8');
      for (const list of LISTS) {
        if (!contents.includes(list)) throw new Error(`${path} no longer holds: ${list}`);
        contents = contents.replace(list, list.replace(')', '.slice(0, 0))'));
      }
      return { contents, loader: 'ts' };
    });
  },
};

/** Builds an app into a folder of its own, so that a build beside does not change what is being measured. */
export async function builtApp({ isHttpOnly }) {
  const folder = mkdtempSync(join(tmpdir(), 'load-app-'));
  mkdirSync(join(folder, 'dist'), { recursive: true });
  await buildApp(join(folder, 'dist'), isHttpOnly ? [httpOnly] : []);
  if (isHttpOnly && !isLeftOut) throw new Error(`No file is ${REGISTRATION}: the app would have its queue functions.`);
  cpSync('host.json', join(folder, 'host.json'));
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', main: 'dist/main.mjs', version }));
  return folder;
}

console.log(await builtApp({ isHttpOnly: process.argv[2] === 'http' }));
