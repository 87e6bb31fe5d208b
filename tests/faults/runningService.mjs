// The whole service as `npm start` brings it up, for experiments: a folder of its own, storage in memory.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp, buildPrograms } from '../../infra/build/app.mjs';
import { freePort } from '../../infra/local/freePort.mjs';
import { changingSources } from './sourceChanges.mjs';
import { changesWithout } from './variants.mjs';

/** Builds the app with changed sources into a folder the host can load it from. */
export async function appWith(changes) {
  const app = mkdtempSync(join(tmpdir(), 'app-'));
  mkdirSync(join(app, 'dist'), { recursive: true });
  const { plugin, confirm } = changingSources(changes);
  await buildApp(join(app, 'dist'), [plugin]);
  confirm();
  cpSync('host.json', join(app, 'host.json'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module', main: 'dist/main.mjs' }));
  return app;
}

/**
 * Builds a program of operators with changed sources.
 *
 * @returns its file, in a folder of its own in the checkout, where it finds its packages
 */
export async function programWith(changes, name, from = 'infra/local') {
  const folder = mkdtempSync(join('build', 'variant-'));
  const { plugin, confirm } = changingSources(changes);
  await buildPrograms(folder, [`${from}/${name}.ts`], [plugin]);
  confirm();
  return join(folder, `${name}.mjs`);
}

/** Builds the app, without a protection when one is named. */
export const appWithout = (protection) => appWith(protection === undefined ? [] : changesWithout([protection]));

/** LOCAL_DIR of a service that is still to be started. */
export const newDirectory = () => join(mkdtempSync(join(tmpdir(), 'faults-')), 'local');

function killPid(file, signal) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), signal);
    return true;
  } catch {
    return false;
  }
}

/** Starts the service with the app of that folder; `log` collects what it prints. */
export async function startService({ app, environment = {}, directory = newDirectory() }) {
  const port = await freePort();
  const child = spawn(process.execPath, ['build/local/start.mjs'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      IN_MEMORY: '1',
      HOST_RESTARTS: '100000',
      LOCAL_DIR: directory,
      PORT: String(port),
      APP_DIRECTORY: app,
      ...environment,
    },
  });
  const log = [];
  child.stdout.setEncoding('utf8').on('data', (text) => log.push(text));
  child.stderr.setEncoding('utf8').on('data', (text) => log.push(text));
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended (${code}):\n${log.join('')}`)));
    child.stdout.on('data', () => {
      if (log.join('').includes('Ready: ')) resolve();
    });
  });
  const read = (file) => JSON.parse(readFileSync(join(directory, file), 'utf8'));
  return {
    service: read('service.json'),
    settings: read('settings.json'),
    directory,
    log,
    /** Sends the functions host a signal; false when there is none. */
    signalHost: (signal) => killPid(join(directory, 'host.pid'), signal),
    /** Kills the functions host as a lost instance dies; it is started again. */
    killHost: () => killPid(join(directory, 'host.pid'), 'SIGKILL'),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(join(directory, '..'), { recursive: true, force: true });
    },
  };
}
