// The process of the functions host: settings come from its environment, it ends when its parent does.
import { resolve } from 'node:path';
import { startFunctionsHost, type FunctionsHost } from './functionsHost/functionsHost.js';
import { PortInUse } from './functionsHost/httpListener.js';

/** The host's own limit on a request body unless FUNCTIONS_REQUEST_BODY_SIZE_LIMIT says otherwise. */
const defaultBodyLimitBytes = 104_857_600;

/** What this process tells the one that started it. */
export interface HostReady {
  readonly type: 'ready';
  readonly url: string;
  readonly functionNames: readonly string[];
}

function describe(cause: unknown): string {
  if (cause instanceof PortInUse) return `${cause.message} Set PORT to a free port.`;
  if (!(cause instanceof Error)) return String(cause);
  return `${cause.stack ?? cause.message}${cause.cause === undefined ? '' : `\ncaused by ${describe(cause.cause)}`}`;
}

function end(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function stopOnce(host: FunctionsHost): () => void {
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    host.stop().then(
      () => process.exit(0),
      (cause: unknown) => end(`The functions host did not stop cleanly: ${describe(cause)}`),
    );
  };
}

/** A pipe whose reader is gone must not stop the drain. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const host = await startFunctionsHost({
    directory: resolve(process.env['APP_DIRECTORY'] ?? '.'),
    port: Number(process.env['PORT'] ?? 7071),
    environment: process.env,
    bodyLimitBytes: Number(process.env['FUNCTIONS_REQUEST_BODY_SIZE_LIMIT'] ?? defaultBodyLimitBytes),
    writeUser: (line) => process.stdout.write(`${line}\n`),
    writeSystem: (line) => process.stderr.write(`${line}\n`),
    onFatal: (cause) => {
      end(`The host restarts: ${cause.message}`);
    },
  });
  const stop = stopOnce(host);
  process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop);
  process.send?.({ type: 'ready', url: host.url, functionNames: host.functionNames } satisfies HostReady);
} catch (cause) {
  end(`The functions host did not start: ${describe(cause)}`);
}
