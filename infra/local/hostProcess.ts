// The process of the functions host, ours or Core Tools': settings come from its environment, and it ends when its
// parent does.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startCoreTools } from './coreToolsHost.js';
import { startFunctionsHost } from './functionsHost/functionsHost.js';
import { PortInUse } from './functionsHost/httpListener.js';

/** The host's own limit on a request body unless FUNCTIONS_REQUEST_BODY_SIZE_LIMIT says otherwise. */
const defaultBodyLimitBytes = 104_857_600;

interface Host {
  readonly url: string;
  stop(): Promise<void>;
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

/** Where it listens over TLS, when it is told to. */
function tlsOf({ HTTPS_PORT: port, HTTPS_KEY_FILE: key = '', HTTPS_CERTIFICATE_FILE: cert = '' }: NodeJS.ProcessEnv) {
  if (port === undefined) return {};
  return { tls: { port: Number(port), key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') } };
}

const startEmbedded = (port: number): Promise<Host> =>
  startFunctionsHost({
    directory: resolve(process.env['APP_DIRECTORY'] ?? '.'),
    port,
    ...tlsOf(process.env),
    environment: process.env,
    timersAtStart: process.env['TIMERS_AT_START'] === 'true',
    bodyLimitBytes: Number(process.env['FUNCTIONS_REQUEST_BODY_SIZE_LIMIT'] ?? defaultBodyLimitBytes),
    writeUser: (line) => process.stdout.write(`${line}\n`),
    writeSystem: (line) => process.stderr.write(`${line}\n`),
    onFatal: (cause) => {
      end(`The host restarts: ${cause.message}`);
    },
  });

/** Ends when asked to, before or after the host is ready, and whoever asked. */
function endWhenAsked(host: Promise<Host>): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    host
      .then((started) => started.stop())
      .then(
        () => process.exit(0),
        (cause: unknown) => end(`The functions host did not stop cleanly: ${describe(cause)}`),
      );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop);
}

/** A pipe whose reader is gone must not stop the drain. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const command = process.env['CORE_TOOLS_COMMAND'];
const port = Number(process.env['PORT'] ?? 7071);
const host = command === undefined ? startEmbedded(port) : startCoreTools({ command, port, onEnded: end });
endWhenAsked(host);
host.then(
  ({ url }) => process.connected && process.send?.({ type: 'ready', url }),
  (cause: unknown) => end(`The functions host did not start: ${describe(cause)}`),
);
