// Another functions host on the storage and the stand-ins of a running service, as a second instance of the app.
import { spawn } from 'node:child_process';
import { freePort } from '../../infra/local/freePort.mjs';

/** Starts the program that `npm start` runs as its host; it comes back after each death until it is stopped. */
export async function startSecondHost({ running, app, environment = {} }) {
  const port = await freePort();
  const log = [];
  let child;
  let isStopping = false;
  const start = () => {
    child = spawn(process.execPath, ['--enable-source-maps', 'build/local/hostProcess.mjs'], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        ...running.settings,
        ...environment,
        PORT: String(port),
        APP_DIRECTORY: app,
        NODE_EXTRA_CA_CERTS: running.service.caFile,
      },
    });
    child.stdout.setEncoding('utf8').on('data', (text) => log.push(text));
    child.stderr.setEncoding('utf8').on('data', (text) => log.push(text));
    return new Promise((resolve, reject) => {
      child.on('message', ({ type }) => type === 'ready' && resolve());
      child.once('exit', (code) => reject(new Error(`The second host ended (${code}):\n${log.join('').slice(-2000)}`)));
    });
  };
  const watch = () =>
    child.once('exit', () => {
      if (isStopping) return;
      start().catch(() => undefined);
      watch();
    });
  const ready = start();
  watch();
  await ready;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    log,
    signalHost: (signal) => child.kill(signal),
    killHost: () => child.kill('SIGKILL'),
    stop: async () => {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
