/** The service that a load is put on: storage in memory, the functions host on a core of its own. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../infra/local/freePort.mjs';
import { hostFiguresSince, type HostFigures } from './hostFigures.js';
import { bind, coresOf, cpuMsOf, familyOf } from './machine.js';

/** What service.json says of a running service. */
export interface ServiceFile {
  readonly baseUrl: string;
  readonly jwt: string;
  readonly apiKey: string;
  readonly customer: string;
  readonly partyId: string;
  readonly farmId: string;
  readonly fieldIds: readonly string[];
  readonly pointOnSurface: { readonly longitude: number; readonly latitude: number };
  readonly caFile: string;
  readonly blobEndpoint: string;
}

export interface LoadedService {
  readonly service: ServiceFile;
  /** The settings it runs with. */
  readonly settings: Readonly<Record<string, string>>;
  readonly hostFiguresSince: (since: number) => HostFigures;
  readonly hostCpuMs: () => number;
  readonly stop: () => Promise<void>;
}

export interface ServiceOptions {
  /** `http`: an instance of the HTTP group; `all`: every function in one process. */
  readonly functions: 'http' | 'all';
  readonly environment?: Readonly<Record<string, string>>;
  /** Loaded into the host besides the gauge. */
  readonly preload?: string;
}

const imported = (file: string): string => `--import ${pathToFileURL(resolve(file)).href}`;

/** Starts the service and binds its processes to their cores. */
export async function startLoadedService(options: ServiceOptions): Promise<LoadedService> {
  const root = mkdtempSync(join(tmpdir(), 'load-'));
  const directory = join(root, 'local');
  const gaugeFile = join(root, 'gauge.jsonl');
  const app = execFileSync(process.execPath, ['tests/load/apiApp.mjs', options.functions], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
  const preloads = ['tests/load/hostGauge.mjs', ...(options.preload === undefined ? [] : [options.preload])];
  const child = spawn(process.execPath, ['build/local/start.mjs'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: preloads.map(imported).join(' '),
      HOST_GAUGE_FILE: gaugeFile,
      IN_MEMORY: '1',
      LOCAL_DIR: directory,
      PORT: String(await freePort()),
      APP_DIRECTORY: app,
      ...options.environment,
    },
  });
  await untilReady(child.stdout, once(child, 'exit'));
  child.stdout.resume();
  child.stderr.resume();
  const read = (file: string): unknown => JSON.parse(readFileSync(join(directory, file), 'utf8'));
  const hostPid = Number(readFileSync(join(directory, 'host.pid'), 'utf8'));
  bindAll(child.pid ?? 0, hostPid);
  return {
    service: read('service.json') as ServiceFile,
    settings: read('settings.json') as Record<string, string>,
    hostFiguresSince: (since) => hostFiguresSince(gaugeFile, since),
    hostCpuMs: () => cpuMsOf(hostPid),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(root, { recursive: true, force: true });
      if (app !== undefined) rmSync(app, { recursive: true, force: true });
    },
  };
}

async function untilReady(output: NodeJS.ReadableStream, exit: Promise<unknown[]>): Promise<void> {
  let text = '';
  const ready = new Promise<void>((done) => {
    output.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-10_000);
      if (/^Ready: /m.test(text)) done();
    });
  });
  const ended = exit.then(() => Promise.reject(new Error(`The service has not started:\n${text}`)));
  await Promise.race([ready, ended]);
  ended.catch(() => undefined);
}

/** The host on its core; everything else, this driver included, on the others. */
function bindAll(family: number, host: number): void {
  const cores = coresOf();
  if (cores === undefined) return;
  for (const pid of [process.pid, ...familyOf(family)]) bind(pid, pid === host ? cores.host : cores.others);
}
