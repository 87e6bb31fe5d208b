import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { QueueServiceClient } from '@azure/storage-queue';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCoreTools } from '../../infra/local/coreToolsHost.js';
import { freePort } from '../../infra/local/freePort.mjs';
import type { ServiceFile } from '../../infra/local/serviceFile.js';
import { tenantId } from '../../infra/local/standIns/tenants.js';
import { exitOf, trusting } from './azuriteUnderTest.js';
import { testInFull } from '../support/fullRun.js';
import { bundled } from './bundled.js';

let program: string;
let directory: string;
let children: ChildProcess[];
/** Addresses that were served, and must not be at the end of a test. */
let addresses: string[];
beforeAll(async () => {
  program = await bundled('start', 'azuriteProcess', 'hostProcess');
});
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'start-'));
  children = [];
  addresses = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(exitOf));
  await Promise.all(addresses.map(closed));
  rmSync(directory, { recursive: true, force: true });
});

/** Whether something listens at the address. */
async function isServed(address: string): Promise<boolean> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  const answer = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  const result = await answer;
  socket.destroy();
  return result;
}

/** Waits until nothing listens at the address any more. */
async function closed(address: string, withinMs = 300_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (await isServed(address)) {
    if (Date.now() > end) throw new Error(`${address} is still served.`);
    await sleep(25);
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly service: ServiceFile;
  readonly output: () => string;
}

interface Settings {
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly localDirectory?: string;
}

const startVariables = (localDirectory: string): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  APP_DIRECTORY: 'tests/local/functionsHost/apps/local',
  LOCAL_DIR: localDirectory,
  PORT: '0',
  IN_MEMORY: '1',
});

function spawnStart({ arguments: given = [], environment = {}, localDirectory = directory }: Settings) {
  const child = spawn(process.execPath, [program, ...given], {
    env: { ...startVariables(localDirectory), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

/** Starts the environment with the fixture app and waits for its Ready line. */
async function start(settings: Settings = {}): Promise<Started> {
  const { child, output } = spawnStart(settings);
  while (!/^Ready: /m.test(output())) {
    if (child.exitCode !== null) throw new Error(output());
    await sleep(25);
  }
  const file = join(settings.localDirectory ?? directory, 'service.json');
  const service = JSON.parse(readFileSync(file, 'utf8')) as ServiceFile;
  addresses.push(service.baseUrl, service.blobEndpoint);
  return { child, output, service };
}

/** A start that is expected to end by itself: its exit code and what it said. */
async function failedStart(settings: Settings): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnStart(settings);
  return { code: await exitOf(child), output: output() };
}

type Variables = Readonly<Record<string, string>>;
const settingsOf = async ({ baseUrl }: ServiceFile): Promise<Variables> =>
  (await (await fetch(`${baseUrl}/settings`)).json()) as Variables;
const hostPid = async ({ baseUrl }: ServiceFile): Promise<number> =>
  ((await (await fetch(`${baseUrl}/health`)).json()) as { pid: number }).pid;

async function queuesOf(service: ServiceFile): Promise<QueueServiceClient> {
  const { DATA_STORAGE = '' } = await settingsOf(service);
  return QueueServiceClient.fromConnectionString(DATA_STORAGE, trusting(readFileSync(service.caFile, 'utf8')));
}

describe('the local environment', () => {
  test('says where it is, gives the app its settings, and ends with everything it started', async () => {
    const { child, service, output } = await start({ arguments: ['--https'] });
    expect(output()).toContain(`Ready: ${service.baseUrl}\n`);
    const { httpsUrl = '' } = service;
    expect(output()).toContain(`Over TLS: ${httpsUrl} (trust ${service.caFile})\n`);
    expect([service.dataManagerUrl, await isServed(httpsUrl)]).toEqual([service.baseUrl, true]);
    expect(Object.keys(service)).toEqual(
      expect.arrayContaining(['baseUrl', 'jwt', 'dataManagerUrl', 'partyId', 'farmId', 'fieldIds', 'pointOnSurface']),
    );
    expect(service.blobEndpoint).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/fieldimagery$/);
    expect(service.caFile).toBe(join(directory, 'certificates', 'local.crt'));
    expect(statSync(join(directory, 'service.json')).mode & 0o077).toBe(0);
    expect(readFileSync(join(directory, 'host.pid'), 'utf8')).toBe(String(await hostPid(service)));
    expect(await settingsOf(service)).toMatchObject({
      NODE_EXTRA_CA_CERTS: service.caFile,
      IMAGERY_STORAGE__blobServiceUri: service.blobEndpoint,
      WEATHER_SOURCE: 'open-meteo,nasa-power,met-norway',
      TENANTS: expect.stringContaining(tenantId('demo')),
    });
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
    expect(await Promise.all([...addresses, httpsUrl].map(isServed))).toEqual([false, false, false]);
    expect(['service.json', 'host.pid'].filter((name) => existsSync(join(directory, name)))).toEqual([]);
  });

  testInFull('runs twice side by side, each with its own addresses and data', async () => {
    const one = await start({ environment: { WEATHER_SOURCE: 'nasa-power', STAC_CASES: 'odd-items' } });
    const two = await start({ localDirectory: join(directory, 'second') });
    expect(new Set(addresses.map((address) => new URL(address).port)).size).toBe(4);
    await (await queuesOf(one.service)).createQueue('mine');
    expect(await (await queuesOf(two.service)).getQueueClient('mine').exists()).toBe(false);
    // What the user has set stands above what the environment would give.
    expect((await settingsOf(one.service))['WEATHER_SOURCE']).toBe('nasa-power');
    const hasOddItems = async ({ service }: Started): Promise<boolean> => {
      const { EARTH_SEARCH_URL = '' } = await settingsOf(service);
      const body = JSON.stringify({ bbox: [-92.985, 41.502, -92.979, 41.507] });
      return (await (await fetch(`${EARTH_SEARCH_URL}/search`, { method: 'POST', body })).text()).includes('_ODD"');
    };
    expect([await hasOddItems(one), await hasOddItems(two)]).toEqual([true, false]);
  });

  test('loses nothing and leaves nothing behind when it is killed, and is back at the same addresses', async () => {
    const persistent = { environment: { IN_MEMORY: '0' } };
    const first = await start(persistent);
    const queues = await queuesOf(first.service);
    await queues.getQueueClient('jobs-gdd').sendMessage('kept');
    first.child.kill('SIGKILL');
    const second = await start(persistent);
    const { peekedMessageItems } = await (await queuesOf(second.service)).getQueueClient('jobs-gdd').peekMessages();
    expect(peekedMessageItems.map(({ messageText }) => messageText)).toEqual(['kept']);
    expect(second.service.blobEndpoint).toBe(first.service.blobEndpoint);
  });

  testInFull('starts a host that died again, and gives up when it dies too often', async () => {
    const { child, service, output } = await start({ environment: { HOST_RESTARTS: '1' } });
    const pid = await hostPid(service);
    process.kill(pid, 'SIGKILL');
    let next = pid;
    while (next === pid) next = await hostPid(service).catch(() => pid);
    expect(Number(readFileSync(join(directory, 'host.pid'), 'utf8'))).toBe(next);
    process.kill(next, 'SIGKILL');
    expect(await exitOf(child)).toBe(1);
    expect(output()).toContain('ended 2 times within a minute; HOST_RESTARTS (1) allows no more');
    expect(await Promise.all(addresses.map(isServed))).toEqual([false, false]);
  });
});

describe('a host that dies before it is ready', () => {
  testInFull('is started again like any other', async () => {
    const { service } = await start({ environment: { HOST_RESTARTS: '100' } });
    const died = new Set<number>();
    while (died.size < 4) {
      const pid = Number(readFileSync(join(directory, 'host.pid'), 'utf8'));
      if (!died.has(pid)) process.kill(pid, 'SIGKILL');
      died.add(pid);
      await sleep(1);
    }
    let alive = 0;
    while (alive === 0) alive = await hostPid(service).catch(() => 0);
    expect(died).not.toContain(alive);
  });
});

describe('a start that can not succeed', () => {
  test('on a port that is taken names the port and the variable, before anything is started', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { code, output } = await failedStart({ environment: { PORT: String(port) } });
    server.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is in use by another process. Stop that one, or set PORT to a free port`);
    expect(existsSync(join(directory, 'azurite'))).toBe(false);
  });

  testInFull('because the app does not load ends what was started and says why', async () => {
    const broken = { APP_DIRECTORY: 'tests/local/functionsHost/apps/broken', BREAK: 'throws', IN_MEMORY: '0' };
    const { code, output } = await failedStart({ environment: broken });
    expect(code).toBe(1);
    expect(output).toContain('the entry point is broken');
    const { blob } = JSON.parse(readFileSync(join(directory, 'ports.json'), 'utf8')) as { blob: number };
    expect(await isServed(`https://127.0.0.1:${blob}`)).toBe(false);
  });

  testInFull('because Core Tools are missing says how to install them', async () => {
    const environment = { PATH: directory, FUNC: '' };
    const { code, output } = await failedStart({ arguments: ['--host', 'func'], environment });
    expect(code).toBe(1);
    expect(output).toContain('npm install --global azure-functions-core-tools@4');
  });
});

describe('a start below npm', () => {
  testInFull('ends when the shell that npm runs it in is gone, though no signal comes', async () => {
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}"; true`], {
      env: { ...startVariables(directory), npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(shell);
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    while (!/^Ready: /m.test(output)) await sleep(25);
    const { baseUrl } = JSON.parse(readFileSync(join(directory, 'service.json'), 'utf8')) as ServiceFile;
    shell.kill('SIGKILL');
    await closed(baseUrl);
  });
});

describe('a start that is given up', () => {
  testInFull.each([{ afterMs: 150 }, { afterMs: 600 }])(
    'after $afterMs ms ends what there is by then',
    async ({ afterMs }) => {
      const { child } = spawnStart({ environment: { IN_MEMORY: '0' } });
      await sleep(afterMs);
      child.kill('SIGINT');
      expect([0, null]).toContain(await exitOf(child));
      const file = join(directory, 'ports.json');
      if (!existsSync(file)) return;
      const ports = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>);
      await Promise.all(ports.map((port) => closed(`https://127.0.0.1:${port}`)));
    },
  );
});

describe('the environment under Core Tools', () => {
  /** Stands for `func`: serves /health and says what it was given. */
  const func = `#!${process.execPath}
    const { readFileSync } = require('node:fs');
    const { argv, env } = process;
    const roots = readFileSync(env.SSL_CERT_FILE, 'utf8');
    const given = { argv: argv.slice(2), hasRoots: roots.includes('BEGIN CERTIFICATE'), pid: process.pid };
    const trusts = roots.includes(readFileSync(env.NODE_EXTRA_CA_CERTS, 'utf8').trim());
    const server = require('node:http').createServer((request, response) => {
      response.end(JSON.stringify({ ...given, trusts, storage: env.DATA_STORAGE__tableServiceUri }));
    });
    server.listen(Number(argv[4]), '127.0.0.1');
    process.on('SIGTERM', () => process.exit(0));`;

  testInFull('runs func start on the port, trusting the certificate, and ends it', async () => {
    const file = join(directory, 'my func');
    writeFileSync(file, func, { mode: 0o755 });
    const { child, service } = await start({ arguments: ['--host', 'func'], environment: { FUNC: file } });
    const { port } = new URL(service.baseUrl);
    expect(await (await fetch(`${service.baseUrl}/health`)).json()).toMatchObject({
      argv: ['start', '--port', port],
      hasRoots: true,
      trusts: true,
      storage: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/fielddata$/),
    });
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(0);
    expect(await isServed(service.baseUrl)).toBe(false);
  });

  /** Core Tools with a request in flight and an ingest that runs, both until they are released. */
  async function atWork(starter: string, more: Readonly<Record<string, string>> = {}) {
    const [notes, released] = [join(directory, 'notes.log'), join(directory, 'released')];
    const noted = (): string[] => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []);
    // A command line, not a path: a shell runs it.
    const FUNC = `"${process.execPath}" "${resolve(`tests/local/coreTools/${starter}.cjs`)}"`;
    const environment = { FUNC, NOTES: notes, RELEASED: released, ...more };
    const { child, service } = await start({ arguments: ['--host', 'func'], environment });
    const answer = fetch(`${service.baseUrl}/request`).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      (cause: unknown) => String(cause),
    );
    const saw = async (line: string): Promise<void> => {
      while (!noted().includes(line)) await sleep(20);
    };
    await saw('ingest begins');
    await saw('request begins');
    const release = (): void => {
      writeFileSync(released, '');
    };
    return { child, answer, noted, saw, release };
  }

  const endsNormally = async ({ starter }: { readonly starter: string }): Promise<void> => {
    const { child, answer, noted, saw, release } = await atWork(starter);
    child.kill('SIGTERM');
    await saw('the host is asked to end');
    // Long enough for a signal to have reached the worker, too.
    await sleep(300);
    release();
    expect(await answer).toMatchObject({ status: 200 });
    expect(await exitOf(child)).toBe(0);
    expect(noted().slice(2).sort()).toEqual(
      ['the host is asked to end', 'ingest ended', 'request ended', 'the storage is there', 'the host ends'].sort(),
    );
  };
  const ends = 'ends a request in flight and a running ingest normally: Core Tools $what';
  test.each([{ what: 'started by a program that a signal ends at once', starter: 'hastyWrapper' }])(ends, endsNormally);
  testInFull.each([
    { what: 'started as they are', starter: 'host' },
    { what: 'started by the npm package, which hands signals on', starter: 'npmWrapper' },
  ])(ends, endsNormally);

  testInFull('keeps the storage until the host has drained, though what started the host is gone', async () => {
    const { child, noted, saw, release } = await atWork('hastyWrapper');
    const { pid } = JSON.parse(readFileSync(join(directory, 'starter.json'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGTERM');
    await saw('the host is asked to end');
    release();
    // Core Tools that end unasked end the environment.
    expect(await exitOf(child)).toBe(1);
    expect(noted()).not.toContainEqual(expect.stringContaining('WorkerProcessExitException'));
    expect(noted().slice(-2)).toEqual(['the storage is there', 'the host ends']);
  });

  test.each(['exec func', '  exec "/opt/func"', 'exec'])('refuses FUNC=%j, and says why', async (FUNC) => {
    const { code, output } = await failedStart({ arguments: ['--host', 'func'], environment: { FUNC } });
    expect(code).toBe(1);
    expect(output).toMatch(/FUNC begins with "exec"\. Leave "exec" out: .* puts it before the command itself/);
    expect(existsSync(join(directory, 'azurite'))).toBe(false);
  });
});

describe('the end of Core Tools that do not end when they are asked to', () => {
  testInFull('comes by force for all they have started, once the time to drain is over', async () => {
    const [port, notes] = [await freePort(), join(directory, 'notes.log')];
    const variables = { NOTES: notes, RELEASED: join(directory, 'released'), STUBBORN: '1' };
    const command = Object.entries(variables).reduce(
      (line, [name, value]) => `${line} ${name}="${value}"`,
      '/usr/bin/env',
    );
    const host = await startCoreTools({
      command: `${command} "${process.execPath}" "${resolve('tests/local/coreTools/host.cjs')}"`,
      port,
      stopLimitMs: 5_000,
      onEnded: (reason) => {
        throw new Error(reason);
      },
    });
    const request = fetch(`${host.url}/request`).then(
      ({ status }) => status,
      () => 'cut off',
    );
    while (!readFileSync(notes, 'utf8').includes('request begins')) await sleep(20);
    await host.stop();
    expect(await request).toBe('cut off');
    expect(readFileSync(notes, 'utf8').trim().split('\n').at(-1)).toBe('the host is asked to end');
  });
});
