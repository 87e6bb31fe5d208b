import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundled } from '../bundled.js';
import { startHost } from './hostUnderTest.js';

let program: string;
beforeAll(async () => {
  program = await bundled('hostProcess');
});

/** The exit code and the output of a host that is expected to end by itself. */
async function failedStart(environment: Record<string, string>): Promise<{ code: number | null; output: string }> {
  try {
    const host = await startHost(program, 'broken', {
      AzureFunctionsJobHost__extensions__http__routePrefix: '',
      ...environment,
    });
    await host.stop();
    return { code: null, output: host.output() };
  } catch (cause) {
    const [, code = '', output = ''] = /^exit (\d+): (.*)$/s.exec((cause as Error).message) ?? [];
    return { code: Number(code), output };
  }
}

/** A host whose function is at a request until it is released. */
async function hostAtWork(options: RequestInit = {}) {
  const file = join(mkdtempSync(join(tmpdir(), 'held-')), 'released');
  const host = await startHost(program, 'streaming', { RELEASED: file });
  const held = fetch(`${host.url}/held/1`, options);
  await host.saw('held begins');
  const release = (): void => {
    writeFileSync(file, '');
  };
  return { host, held, release };
}

describe('a start that can not succeed', () => {
  test.each([
    { fault: 'throws', says: 'The entry point main.mjs failed to load' },
    { fault: 'empty', says: 'registered no function' },
    { fault: 'reserved', says: 'keeps for itself' },
    { fault: 'twice', says: 'is registered already' },
    { fault: 'blob', says: 'the local host serves HTTP, queue and timer triggers' },
    { fault: 'connection', says: 'NOWHERE is not set' },
    { fault: 'name', says: '%NO_SUCH_NAME%' },
  ])('ends with an error that says why: $fault', async ({ fault, says }) => {
    const storage = 'UseDevelopmentStorage=true';
    const { code, output } = await failedStart({ BREAK: fault, AzureWebJobsStorage: storage, DATA_STORAGE: storage });
    expect(code).toBe(1);
    expect(output).toContain(says);
  });

  test('on a port that is taken names the port and the variable', async () => {
    const first = await startHost(program, 'streaming');
    const { port } = new URL(first.url);
    await expect(startHost(program, 'streaming', { PORT: port })).rejects.toThrow(
      `Port ${port} is in use. Set PORT to a free port.`,
    );
    await first.stop();
  });
});

describe('the end of the host', () => {
  test('lets a running request finish, takes no new connection and runs the terminate hooks', async () => {
    const { host, held, release } = await hostAtWork();
    const stopped = host.stop();
    await host.refuses();
    release();
    expect(await (await held).text()).toBe('held');
    expect(await stopped).toBe(0);
    expect(host.output()).toContain('hook appTerminate');
  });

  test('comes with the end of its parent, after the drain', async () => {
    const { host, held, release } = await hostAtWork();
    const exited = once(host.process, 'exit');
    host.process.disconnect();
    await host.refuses();
    release();
    expect(await (await held).text()).toBe('held');
    expect(await exited).toEqual([0, null]);
  });

  test('comes at once with a rejection nobody handles, as the worker dies of it', async () => {
    const host = await startHost(program, 'streaming');
    const exited = once(host.process, 'exit');
    await fetch(`${host.url}/fatal`, { method: 'POST' }).catch(() => undefined);
    expect(await exited).toEqual([1, null]);
    await host.saw('nobody catches this');
  });

  test('comes with a function that runs longer than functionTimeout, as the worker is restarted then', async () => {
    const host = await startHost(program, 'broken', {
      BREAK: 'timeout',
      AzureFunctionsJobHost__functionTimeout: '00:00:00.3',
    });
    const exited = once(host.process, 'exit');
    await fetch(`${host.url}/api/slow`).catch(() => undefined);
    expect(await exited).toEqual([1, null]);
    await host.saw('slow ran longer than functionTimeout (0.3 s)');
  });
});

describe('a caller who goes away', () => {
  test('leaves the function running, and is no failure of it', async () => {
    const leaving = new AbortController();
    const { host, held, release } = await hostAtWork({ signal: leaving.signal });
    leaving.abort();
    await expect(held).rejects.toThrow();
    release();
    await host.saw('held ends');
    await host.stop();
    expect(host.output()).not.toContain('gave no answer');
  });

  test('in the middle of a body ends the reading of it, not the host', async () => {
    const host = await startHost(program, 'streaming');
    for (const headers of [{ 'transfer-encoding': 'chunked' }, { 'content-length': '100' }]) {
      const sending = request(`${host.url}/bytes`, { method: 'POST', headers });
      sending.on('error', () => undefined).write('some');
      await sleep(100);
      sending.destroy();
    }
    await sleep(100);
    expect((await fetch(`${host.url}/items/1`)).status).toBe(200);
    expect(await host.stop()).toBe(0);
  });
});

describe('what a function logs', () => {
  test('comes out as the log hooks leave it, on standard output', async () => {
    const child = spawn(process.execPath, [program], {
      env: {
        ...process.env,
        APP_DIRECTORY: 'tests/local/functionsHost/apps/streaming',
        PORT: '0',
        TICK: '01:00:00',
        TICK_AT_START: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let output = '';
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'message');
    while (!output.includes('tick ')) await sleep(20);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(errors).toContain('tick has a retry policy: the platform applies it, the local host does not.');
    expect(output.split('\n')).toEqual(
      expect.arrayContaining(['hook appStart', 'tick false ***', 'hook appTerminate']),
    );
  });
});
