// Starts the whole local environment for the API tests: storage in memory, a folder and a port of its own.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../infra/local/freePort.mjs';

/** Ends a start that hangs; on a busy machine one takes a minute. */
const limitMs = 300_000;
const program = 'build/local/start.mjs';

/** Resolves when the Ready line has come. Everything the service writes goes to `output.log` beside service.json. */
const ready = (child, logFile) =>
  new Promise((resolve, reject) => {
    let output = '';
    const fail = (why) => reject(new Error(`The local environment ${why}:\n${output}`));
    const timer = setTimeout(() => fail(`was not ready within ${limitMs} ms`), limitMs);
    const read = (chunk) => {
      appendFileSync(logFile, chunk);
      output = (output + chunk).slice(-20_000);
      if (!/^Ready: /m.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });

/**
 * As `npm start` does, with storage in memory and a folder and port of its own; `variables` of that folder and address are
 * added.
 */
export async function startWith(variables) {
  if (!existsSync(program)) throw new Error(`${program} is missing: run the tests with "npm test", which builds it.`);
  const directory = mkdtempSync(join(tmpdir(), 'field-service-'));
  const port = await freePort();
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      LOCAL_DIR: directory,
      IN_MEMORY: '1',
      PORT: String(port),
      ...variables({ directory, baseUrl: `http://127.0.0.1:${port}` }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  globalThis.localService = { child, directory };
  try {
    await ready(child, join(directory, 'output.log'));
  } catch (cause) {
    child.kill('SIGTERM');
    throw cause;
  }
  process.env.SERVICE_FILE = join(directory, 'service.json');
}

export default async function startService() {
  // Where the tests of notices listen.
  process.env.WEBHOOK_LOCAL_HOSTS = `127.0.0.1:${await freePort()}`;
  await startWith(({ directory, baseUrl }) => {
    // Empty but for what the imagery tests put there: other tests' enrollments must not be busy with synthetic scenes.
    const scenes = join(directory, 'scenes');
    mkdirSync(scenes);
    return { STAC_DIR: scenes, PUBLIC_URL: baseUrl };
  });
}
