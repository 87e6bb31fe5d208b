// Field imagery against rasterio: `node infra/build/run.mjs tests/bench/imagery/bench.ts [--folder …] [--runs 3]
// [--only "25 ms"]`, where `--only` chooses the jobs whose title holds its text.
// Needs python3-rasterio (Debian) for the comparison and about 2 GB in the folder, which is kept for the next run.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureOursTwice, type Measurement, type Order } from './ours.js';
import { serve } from './rangeServer.js';
import { FIELD_COUNT, fieldsOf, makeScene, TILE } from './scene.js';
import { say, sized } from '../figures.js';

const PYTHON = '/usr/bin/python3';
const SCRIPT = 'tests/bench/imagery/rasterioBench.py';

/** One line of the table: a job, done by each reader some times in turn. */
interface Job {
  readonly blocks: number;
  readonly placement: 'clustered' | 'spread';
  readonly latencyMs: number;
  readonly withLayers: boolean;
}

interface Tally {
  readonly requests: number;
  readonly bytes: number;
}

interface Result extends Measurement, Tally {}

const JOBS: readonly Job[] = [
  ...[0, 25].flatMap((latencyMs) =>
    [1024, 512].flatMap((blocks) =>
      (['clustered', 'spread'] as const).map((placement) => ({ blocks, placement, latencyMs, withLayers: false })),
    ),
  ),
  { blocks: 1024, placement: 'clustered', latencyMs: 0, withLayers: true },
  { blocks: 1024, placement: 'clustered', latencyMs: 25, withLayers: true },
  { blocks: 512, placement: 'clustered', latencyMs: 25, withLayers: true },
];

/** Runs a program to its end; its last line is JSON. */
function answerOf(program: string, args: readonly string[]): unknown {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${program} ${args[0] ?? ''}: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as unknown;
}

async function startServer(
  folder: string,
  latencyMs: number,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'serve', folder, String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (line: Buffer) => {
      resolve(line.toString().trim());
    }),
  );
  return { child, url: `http://127.0.0.1:${port}` };
}

/** The programs that are compared, by the name in the table. */
const READERS: Readonly<Record<string, (order: Order, fields: string) => Measurement>> = {
  ours: (order) => answerOf(process.execPath, [process.argv[1] ?? '', 'measure', JSON.stringify(order)]) as Measurement,
  rasterio: (order, fields) => askRasterio({ ...order, fields, threads: 1 }),
  'rasterio, 5 threads': (order, fields) => askRasterio({ ...order, fields, threads: 5 }),
};

function askRasterio(order: Order & { readonly fields: string; readonly threads: number }): Measurement {
  const transform = [TILE.pixelWidth, 0, TILE.originX, 0, -TILE.pixelHeight, TILE.originY];
  return answerOf(PYTHON, [SCRIPT, JSON.stringify({ ...order, transform })]) as Measurement;
}

const hasRasterio = spawnSync(PYTHON, ['-c', 'import rasterio']).status === 0;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

async function measure(job: Job, folder: string, runs: number): Promise<ReadonlyMap<string, readonly Result[]>> {
  const { child, url } = await startServer(join(folder, String(job.blocks)), job.latencyMs);
  const fields = join(folder, `${job.placement}.json`);
  writeFileSync(fields, JSON.stringify(fieldsOf(job.placement).map(([ring]) => ring)));
  const names = Object.keys(READERS).filter((name) => name === 'ours' || hasRasterio);
  const results = new Map<string, Result[]>(names.map((name) => [name, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const name of names) {
      const out = join(folder, 'out', name.replaceAll(/\W+/g, '-'));
      rmSync(out, { recursive: true, force: true });
      const order: Order = { url, placement: job.placement, ...(job.withLayers ? { out } : {}) };
      const measured = READERS[name]?.(order, fields);
      const tally = (await (await fetch(`${url}/tally`)).json()) as Tally;
      if (measured !== undefined) results.get(name)?.push({ ...measured, ...tally });
    }
  }
  child.kill();
  return results;
}

/** All readers must have read the same pixels, or the comparison means nothing. */
function checkDigests(results: ReadonlyMap<string, readonly Result[]>): void {
  const digests = new Set(
    [...results.values()].flat().map((result) => JSON.stringify(Object.entries(result.digests).sort())),
  );
  if (digests.size !== 1) throw new Error('The readers read different pixels.');
}

function titleOf({ withLayers, blocks, placement, latencyMs }: Job): string {
  return `${withLayers ? 'read, 4 layers, write' : 'read'} · ${blocks} px blocks · ${placement} · ${latencyMs} ms latency`;
}

function print(job: Job, results: ReadonlyMap<string, readonly Result[]>): void {
  say(`\n${titleOf(job)}`);
  const ours = results.get('ours') ?? [];
  for (const [name, runs] of results) {
    const wall = median(runs.map(({ wallMs }) => wallMs)) / FIELD_COUNT;
    const cpu = median(runs.map(({ cpuMs }) => cpuMs)) / FIELD_COUNT;
    const requests = median(runs.map((run) => run.requests));
    const bytes = median(runs.map((run) => run.bytes));
    const ratio = median(runs.map(({ wallMs }, index) => wallMs / (ours[index]?.wallMs ?? NaN)));
    const firsts = runs.flatMap(({ firstWallMs }) => (firstWallMs === undefined ? [] : [firstWallMs / FIELD_COUNT]));
    const first = firsts.length > 0 ? `, first job of a process ${median(firsts).toFixed(2)} ms` : '';
    const peak = median(runs.map(({ peakMb }) => peakMb));
    say(
      `  ${name.padEnd(20)} ${wall.toFixed(2).padStart(7)} ms per field-date, CPU ${cpu.toFixed(2)} ms, ` +
        `${requests} requests, ${(bytes / 1e6).toFixed(0)} MB, peak ${peak.toFixed(0)} MB, ours × ${ratio.toFixed(2)}${first}`,
    );
  }
}

function compareLayers(folder: string): void {
  if (!hasRasterio) return;
  const args = [SCRIPT, 'compare', join(folder, 'out', 'ours'), join(folder, 'out', 'rasterio')];
  const { files, differing } = answerOf(PYTHON, args) as { files: number; differing: number };
  say(`  ${files} files compared with rasterio's: ${differing} pixels differ`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string', default: join(tmpdir(), 'imagery-bench') },
      runs: { type: 'string', default: String(sized(3)) },
      only: { type: 'string', default: '' },
    },
  });
  mkdirSync(values.folder, { recursive: true });
  if (!hasRasterio) say('python3-rasterio is not installed: only our own numbers are shown.');
  const jobs = JOBS.filter((candidate) => titleOf(candidate).includes(values.only)).slice(0, sized(JOBS.length));
  for (const blocks of new Set(jobs.map((job) => job.blocks)))
    await makeScene(join(values.folder, String(blocks)), blocks);
  for (const job of jobs) {
    const results = await measure(job, values.folder, Number(values.runs));
    checkDigests(results);
    print(job, results);
    if (job.withLayers) compareLayers(values.folder);
  }
}

const [mode, first = '', second = '0'] = process.argv.slice(2);
if (mode === 'serve') serve(first, Number(second));
else if (mode === 'make') await makeScene(first, Number(second));
else if (mode === 'measure') process.stdout.write(JSON.stringify(await measureOursTwice(JSON.parse(first) as Order)));
else await main();
