/**
 * What telemetry adds to a cold start: from the start of the host to the first answer of /health, in fresh processes,
 * without telemetry and with the exporters of Azure Monitor, in turns.
 *
 *   npm run bench:cold            (needs no service; nothing that the app calls is there)
 */
import { spawnSync } from 'node:child_process';
import { startFunctionsHost } from '../../infra/local/functionsHost/functionsHost.js';
import { loadableSettings } from '../../infra/build/loadableSettings.js';
import { cpuMsOf, median } from './service.js';
import { say, sized } from './figures.js';

const RUNS = sized(9);
/** Nobody listens there: exports fail as quietly as in a network outage. */
const NOWHERE = 'http://127.0.0.1:9';
const CONNECTION = `InstrumentationKey=00000000-0000-0000-0000-000000000000;IngestionEndpoint=${NOWHERE}`;
const STORAGE = `DefaultEndpointsProtocol=http;AccountName=fielddata;AccountKey=${Buffer.alloc(32).toString('base64')};BlobEndpoint=${NOWHERE}/fielddata;QueueEndpoint=${NOWHERE}/fielddata;TableEndpoint=${NOWHERE}/fielddata;`;

/** Settings that let the app start. */
const environment: Readonly<Record<string, string>> = {
  ...loadableSettings,
  DATA_STORAGE: STORAGE,
  AzureWebJobsStorage: STORAGE,
  FUNCTIONS_WORKER_RUNTIME: 'node',
};

interface ColdStart {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** One cold start in this process. */
async function coldStart(): Promise<ColdStart> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const host = await startFunctionsHost({
    directory: '.',
    port: 0,
    environment: process.env,
    bodyLimitBytes: 1_000_000,
    writeUser: () => undefined,
    writeSystem: () => undefined,
    onFatal: (cause) => {
      throw cause;
    },
  });
  const answer = await fetch(`${host.url}/health`);
  if (answer.status !== 200) throw new Error(`/health answered ${answer.status}.`);
  return { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(process.cpuUsage(cpu)) };
}

/** One cold start in a process of its own. */
function inFreshProcess(connection: string): ColdStart {
  const { stdout, stderr, status } = spawnSync(process.execPath, process.argv.slice(1), {
    encoding: 'utf8',
    env: { ...process.env, ...environment, APPLICATIONINSIGHTS_CONNECTION_STRING: connection, COLD_START: '1' },
  });
  const last = stdout.trim().split('\n').at(-1);
  if (status !== 0 || last === undefined) throw new Error(`The host does not start: ${stderr}`);
  return JSON.parse(last) as ColdStart;
}

function compare(): void {
  const off: ColdStart[] = [];
  const on: ColdStart[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    off.push(inFreshProcess(''));
    on.push(inFreshProcess(CONNECTION));
  }
  for (const [what, starts] of [
    ['off', off],
    ['on', on],
  ] as const) {
    const of = (name: keyof ColdStart): string => median(starts.map((start) => start[name])).toFixed(0);
    say(`telemetry ${what}: first answer after ${of('wallMs')} ms, ${of('cpuMs')} ms CPU (median of ${RUNS})`);
  }
}

if (process.env['COLD_START'] === undefined) compare();
else {
  process.stdout.write(`${JSON.stringify(await coldStart())}\n`, () => process.exit(0));
}
