import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HostUnderTest {
  readonly url: string;
  readonly process: ChildProcess;
  /** Everything written so far: the functions' lines and the host's. */
  output(): string;
  /** Waits until the output holds a text. */
  saw(text: string): Promise<void>;
  /** Waits until the host has noticed that it is to end. */
  refuses(): Promise<void>;
  /** Asks the host to end and waits for it; the exit code. */
  stop(): Promise<number | null>;
}

/** A hang ends the test with what was written so far; slowness is none. */
const LIMIT_MS = 300_000;

const bodyless = (process: ChildProcess): boolean => process.exitCode !== null || process.signalCode !== null;

/** Starts the functions host on a fixture app and a free port. */
export async function startHost(
  program: string,
  app: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<HostUnderTest> {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      APP_DIRECTORY: `tests/local/functionsHost/apps/${app}`,
      PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const saw = async (text: string): Promise<void> => {
    const end = Date.now() + LIMIT_MS;
    while (!output.includes(text)) {
      if (Date.now() > end) throw new Error(`"${text}" did not come within ${LIMIT_MS} ms:\n${output}`);
      await sleep(20);
    }
  };
  const ready = await Promise.race([
    once(child, 'message').then(([message]) => message as { url: string }),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`exit ${String(code)}: ${output}`))),
  ]);
  return {
    url: ready.url,
    process: child,
    output: () => output,
    saw,
    refuses: async () => {
      const isServed = (): Promise<boolean> =>
        fetch(ready.url).then(
          () => true,
          () => false,
        );
      while (await isServed()) await sleep(20);
    },
    stop: async () => {
      if (bodyless(child)) return child.exitCode;
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}
