// The whole service as `npm start` brings it up, for experiments: a folder of its own, storage in memory.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../infra/build/app.mjs';
import { without } from './variants.mjs';

export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Builds the app, without a protection when one is named, into a folder the host can load it from. */
export async function appWithout(protection) {
  const app = mkdtempSync(join(tmpdir(), 'app-'));
  mkdirSync(join(app, 'dist'), { recursive: true });
  await buildApp(join(app, 'dist'), without(protection));
  cpSync('host.json', join(app, 'host.json'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module', main: 'dist/main.mjs' }));
  return app;
}

/** Starts the service with the app of that folder; `log` collects what it prints. */
export async function startService({ app, environment = {} }) {
  const root = mkdtempSync(join(tmpdir(), 'faults-'));
  const directory = join(root, 'local');
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
    log,
    /** Kills the functions host as a lost instance dies; it is started again. */
    killHost: () => {
      try {
        process.kill(Number(readFileSync(join(directory, 'host.pid'), 'utf8')), 'SIGKILL');
        return true;
      } catch {
        return false;
      }
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(root, { recursive: true, force: true });
    },
  };
}
