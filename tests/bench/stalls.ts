/**
 * What one caller's large shapes, lists and files cost everybody else: of each case the longest stall of the event loop, the
 * memory, and how long another tenant's small GET takes meanwhile.
 *
 *   npm run bench:stalls                       (starts a service of its own, storage in memory; Linux, for it reads /proc)
 *   npm run bench:stalls -- --only search      (cases whose names hold the text)
 *
 * Goals: no stall over 100 ms of own work; at most 300 MB above idle, task processes included; p95 of the small GET at most 5
 * times that alone or 100 ms, whichever is larger; each case done or refused within 60 s. It ends with 1 when one is missed.
 * Each area has a service of its own, idle until then: of fifty such cases a process keeps some 100 MB. Its garbage is collected
 * before each case: 100 MB more of what earlier cases and the small GETs themselves have left would count for the next one.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { tokenForArguments } from '../../infra/local/standIns/identity/tokenCommand.js';
import { startedService } from './service.js';
import { importCases } from './stalls/importCases.js';
import { landCases } from './stalls/landCases.js';
import { memoryOf, watched, type Memory } from './stalls/probe.js';
import type { StalledService } from './stalls/stallCase.js';
import { isSmoke, judge, say } from './figures.js';

const MOST_OWN_MS = 100;
const MOST_MEMORY_MB = 300;
const MOST_MS = 60_000;
const ALONE_MS = 5_000;
const WAIT_FACTOR = 5;
const USUAL_WAIT_MS = 100;
/** How long a case may be waited for to end its tasks, whose memory counts for the case that started them. */
const SETTLE_MS = 60_000;
const LOOK_MS = 500;

process.env['HOST_PROBE_FILE'] ??= join(mkdtempSync(join(tmpdir(), 'probe-')), 'stalls.jsonl');
process.env['NODE_OPTIONS'] ??= `--import ${pathToFileURL('tests/bench/hostProbe.mjs').href}`;
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only ?? (isSmoke ? 'limit=1' : eachAreaAlone());

/** Runs this program for each area, and ends with the worst of it. */
function eachAreaAlone(): never {
  const ends = ['land', 'import', 'enrollment'].map(
    (area) =>
      spawnSync(process.execPath, [...process.argv.slice(1), '--only', `${area}:`], { stdio: 'inherit' }).status,
  );
  process.exit(Math.max(...ends.map((status) => status ?? 1)));
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const p95 = (sorted: readonly number[]): number => sorted[Math.floor((sorted.length - 1) * 0.95)] ?? 0;

const bench = await startedService();
const service = { ...bench.service, storage: bench.settings['DATA_STORAGE'] } as StalledService;
const pid = Number(readFileSync(join(process.env['BENCH_DIRECTORY'] ?? '', 'host.pid'), 'utf8'));
const otherToken = tokenForArguments(['--tenant', 'unlicensed'], process.env['BENCH_DIRECTORY'] ?? '', new Date());
/** A small GET of another tenant. */
const smallGet = {
  url: `${service.baseUrl}/v1/jobs?limit=1`,
  headers: { authorization: `Bearer ${otherToken}` },
};
const host = { pid, probeFile: process.env['HOST_PROBE_FILE'], smallGet };

// The first calls after a start are slow: they would make the limit of all others a lenient one.
await watched(host, () => sleep(ALONE_MS));
const alone = await watched(host, () => sleep(ALONE_MS));
const mostWait = Math.max(WAIT_FACTOR * p95(alone.waits), USUAL_WAIT_MS);
const mbOf = ({ host: ofHost, tasks }: Memory): number => ofHost + tasks;
const idleMb = mbOf(memoryOf(pid));
say(`alone: small GET p95 ${p95(alone.waits).toFixed(0)} ms; memory ${idleMb.toFixed(0)} MB`);
const over: string[] = [];
for (const { name, prepare, run } of [...landCases, ...importCases].filter((each) => each.name.includes(only))) {
  await prepare?.(service);
  for (const end = performance.now() + SETTLE_MS; memoryOf(pid).tasks > 0 && performance.now() < end;)
    await sleep(LOOK_MS);
  process.kill(pid, 'SIGUSR2');
  await sleep(LOOK_MS);
  const startedAt = performance.now();
  let ended = '';
  const { stallMs, ownMs, memory, waits } = await watched(host, async () => {
    ended = await run(service);
  });
  const tookMs = performance.now() - startedAt;
  const aboveMb = mbOf(memory) - idleMb;
  const isOver = ownMs > MOST_OWN_MS || aboveMb > MOST_MEMORY_MB || p95(waits) > mostWait || tookMs > MOST_MS;
  if (isOver) over.push(name);
  say(
    `${isOver ? 'OVER' : 'ok  '} ${name}: ${tookMs.toFixed(0)} ms (${ended}); longest stall ${stallMs.toFixed(0)} ms, by its own work ${ownMs.toFixed(0)} ms; memory ${aboveMb.toFixed(0)} MB above idle (task processes ${memory.tasks.toFixed(0)} MB); small GET p95 ${p95(waits).toFixed(0)} ms`,
  );
}
say(over.length === 0 ? 'every case is within its limits' : `${over.length} over a limit: ${over.join('; ')}`);
await bench.stop();
judge(over.length === 0);
