import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serviceFileIn, type ServiceFile } from '../serviceFile.js';
import { DemoClient } from './client.js';

export interface DemoService {
  readonly client: DemoClient;
  /** True when the demo has started it. */
  readonly isOurs: boolean;
  /** Ends the service when the demo has started it. */
  stop(): Promise<void>;
}

const readService = (directory: string): ServiceFile =>
  JSON.parse(readFileSync(serviceFileIn(directory), 'utf8')) as ServiceFile;

async function answers({ baseUrl }: ServiceFile): Promise<boolean> {
  return fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The service of that folder: the one that runs there, else one that is started for the demo. */
export async function runningService(directory: string): Promise<DemoService> {
  if (existsSync(serviceFileIn(directory))) {
    const service = readService(directory);
    if (await answers(service)) {
      console.log(`Using the service at ${service.baseUrl}.`);
      return { client: new DemoClient(service), isOurs: false, stop: () => Promise.resolve() };
    }
  }
  console.log('No service runs here; starting one …');
  const child = await started(directory);
  return {
    client: new DemoClient(readService(directory)),
    isOurs: true,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function started(directory: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('start.mjs', import.meta.url));
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOCAL_DIR: directory },
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
      if (output.includes('Ready: ')) resolve();
    });
    child.once('exit', () => {
      reject(new Error(`The service could not be started:\n${output}`));
    });
  });
  return child;
}
