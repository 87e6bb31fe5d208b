/** A service of the bench's own, as `npm start` brings it up, storage in memory. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A tenant with fields to make jobs for. */
export interface BenchTenant {
  readonly jwt: string;
  readonly partyId: string;
  readonly fieldIds: readonly string[];
}

export interface BenchService {
  readonly service: BenchTenant & { readonly baseUrl: string };
  /** The settings it runs with. */
  readonly settings: Readonly<Record<string, string>>;
  /** CPU the functions host has used since its start, milliseconds. */
  readonly hostCpuMs: () => number;
  readonly stop: () => Promise<void>;
}

export const cpuMsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** @param values at least one */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Starts the service. This process must trust its certificate, which Node reads at start only, so a bench runs itself
 * again with the certificate once the service is up: the second run finds everything in its environment.
 */
export async function startedService(): Promise<BenchService> {
  const directory = process.env['BENCH_DIRECTORY'];
  if (directory === undefined) return startAndRunAgain();
  const read = (file: string): unknown => JSON.parse(readFileSync(join(directory, file), 'utf8'));
  return {
    service: read('service.json') as BenchService['service'],
    settings: read('settings.json') as Record<string, string>,
    hostCpuMs: () => cpuOfProcessMs(Number(readFileSync(join(directory, 'host.pid'), 'utf8'))),
    stop: () => Promise.resolve(),
  };
}

async function startAndRunAgain(): Promise<never> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const child = spawn(process.execPath, ['build/local/start.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, IN_MEMORY: '1', LOCAL_DIR: directory, PORT: String(await freePort()) },
  });
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error('The service has not started.'));
    });
    child.stdout.on('data', (text: Buffer) => {
      if (text.toString().includes('Ready: ')) resolve();
    });
  });
  const { caFile } = JSON.parse(readFileSync(join(directory, 'service.json'), 'utf8')) as { caFile: string };
  const { status } = spawnSync(process.execPath, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, BENCH_DIRECTORY: directory, NODE_EXTRA_CA_CERTS: caFile },
  });
  child.kill('SIGTERM');
  await ended;
  rmSync(directory, { recursive: true, force: true });
  process.exit(status ?? 1);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** User and system time of another process; Linux only, NaN elsewhere. */
function cpuOfProcessMs(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  // Fields 14 and 15 of proc(5), in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
