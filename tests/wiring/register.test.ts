import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundled } from '../local/bundled.js';
import { startHost, type HostUnderTest } from '../local/functionsHost/hostUnderTest.js';

/** Two functions whose load fails as often as LOAD_FAILS says; an answer tells which load it comes from. */
const app = `
  import { register } from './shared/wiring/register.js';
  let loads = 0;
  register(
    { routes: [{ name: 'one', path: 'one', methods: ['GET'], errors: 'enrollments' }], queues: [],
      timers: [{ name: 'everyLeapDay', schedule: '0 0 0 29 2 *' }] },
    async () => {
      loads += 1;
      console.log('load ' + loads);
      if (loads <= Number(process.env.LOAD_FAILS)) throw new Error('EMFILE: too many open files');
      const load = loads;
      return { request: async () => ({ status: 200, body: 'load ' + load }), message: async () => {}, tick: async () => console.log('a tick') };
    },
  );`;

/** The app on a host, built as the deployed app is. */
async function started(folder: string, environment: Readonly<Record<string, string>>): Promise<HostUnderTest> {
  await build({
    stdin: { contents: app, resolveDir: resolve('.'), loader: 'ts' },
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', main: 'main.mjs' }));
  copyFileSync('host.json', join(folder, 'host.json'));
  const { Values } = JSON.parse(readFileSync('local.settings.example.json', 'utf8')) as {
    Values: Record<string, string>;
  };
  return startHost(await bundled('hostProcess'), '', { ...Values, APP_DIRECTORY: folder, ...environment });
}

describe('what the functions need', () => {
  let folder: string;
  let host: HostUnderTest;
  beforeEach(() => {
    mkdirSync('build/test', { recursive: true });
    folder = mkdtempSync(resolve('build/test/registered-'));
  });
  afterEach(async () => {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const call = async (): Promise<Response> => fetch(`${host.url}/one`);

  test('is loaded in the background of the start, once for all calls', async () => {
    host = await started(folder, { LOAD_FAILS: '0' });
    await host.saw('load 1');
    const answers = await Promise.all([call(), call(), call()]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['load 1', 'load 1', 'load 1']);
  });

  test('does not tick when an instance starts: on the platform each tick may start one', async () => {
    host = await started(folder, { LOAD_FAILS: '0' });
    await (await call()).text();
    await host.stop();
    expect(host.output()).not.toContain('a tick');
  });
  test('ticks at the start where the host is started by hand', async () => {
    host = await started(folder, { LOAD_FAILS: '0', TIMERS_AT_START: 'true' });
    await host.saw('a tick');
  });

  test('is loaded again by the next call when a load has failed, until one succeeds', async () => {
    host = await started(folder, { LOAD_FAILS: '2' });
    await host.saw('load 1');
    const answer = await call();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toEqual({
      code: 'service_unavailable',
      message: 'The service is starting and could not load its functions yet.',
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      details: null,
    });
    expect(host.output()).toContain('EMFILE: too many open files');
    // In streaming mode the platform lets a caller hang for minutes whose function throws; our host says so.
    expect(host.output()).not.toMatch(/the caller would wait 240 s/);
    expect(await (await call()).text()).toBe('load 3');
    expect(await (await call()).text()).toBe('load 3');
  });
});
