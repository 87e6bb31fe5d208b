/**
 * What submissions of 50 MB cost: one against JSON.parse of the same bytes in the same run, two at once with the
 * memory of the host and the longest stall of its event loop until both are ingested, and such as were made to be slow
 * against an honest one of their size.
 *
 *   npm run bench:submission      (starts a service of its own, storage in memory; Linux, for it reads /proc)
 *
 * Goals: at most 3 times the CPU of JSON.parse; below 900 MB; no stall over 200 ms; no hostile upload above 3 times an
 * honest one. On a busy machine a stall includes
 * the time in which other programs had the processor, so that of its own work is shown too.
 */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { uploadRequest, wavyFields } from '../load/uploads.js';
import { multipartBody, multipartType, submissionParts } from '../support/multipart.js';
import { compareHostileUploads } from './hostileUploads.js';
import { cpuMsOf, median, startedService, type BenchService } from './service.js';
import { say, sized } from './figures.js';

const BYTES = sized(50, 1) * 1024 * 1024;
/** Shapes with characters of several bytes take up to twice as many. */
const HOSTILE_BYTES = sized(24, 1) * 1024 * 1024;
const ROUNDS = sized(3);

process.env['HOST_PROBE_FILE'] ??= join(mkdtempSync(join(tmpdir(), 'probe-')), 'stalls.jsonl');
process.env['NODE_OPTIONS'] ??= `--import ${pathToFileURL('tests/bench/hostProbe.mjs').href}`;
const probeFile = process.env['HOST_PROBE_FILE'];

type Submitted = BenchService['service'] & { readonly apiKey: string };

async function send({ baseUrl, apiKey }: Submitted, geojson: string): Promise<Response> {
  return fetch(`${baseUrl}/v1/enrollments`, {
    method: 'POST',
    headers: { 'api-key': apiKey, 'content-type': multipartType() },
    body: new Uint8Array(multipartBody(submissionParts(uploadRequest, geojson))),
  });
}

async function submit(service: Submitted, geojson: string): Promise<string> {
  const answer = await send(service, geojson);
  const body = (await answer.json()) as { readonly enrollment_id: string };
  if (answer.status !== 202) throw new Error(`${answer.status}: ${JSON.stringify(body)}`);
  return body.enrollment_id;
}

/** Waits for the end of an ingest. @returns whether there was a sound field */
async function ingested({ baseUrl, apiKey }: Submitted, id: string): Promise<boolean> {
  for (;;) {
    const answer = await fetch(`${baseUrl}/v1/enrollments/${id}`, { headers: { 'api-key': apiKey } });
    const { status } = (await answer.json()) as { readonly status: string };
    if (status === 'completed' || status === 'failed') return status === 'completed';
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Samples the memory of the host until stopped. @returns what stops it and gives the peak, MB */
function memoryOf(pid: number): () => number {
  let peak = 0;
  const sample = (): void => {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    peak = Math.max(peak, Number(kilobytes) / 1024);
  };
  const timer = setInterval(sample, 50);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

interface Stall {
  readonly at: number;
  readonly stallMs: number;
  /** How much of it the thread itself was at work. */
  readonly ownMs: number;
}

function stallsSince(since: number): readonly Stall[] {
  if (!existsSync(probeFile)) return [];
  const lines = readFileSync(probeFile, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Stall).filter(({ at }) => at > since);
}

const bench = await startedService();
const service = bench.service as Submitted;
const hostPid = Number(readFileSync(join(process.env['BENCH_DIRECTORY'] ?? '', 'host.pid'), 'utf8'));
const parses: { readonly wallMs: number; readonly cpuMs: number }[] = [];
const submissions: { readonly wallMs: number; readonly cpuMs: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const geojson = wavyFields(`one-${round}`, BYTES);
  const [parseStart, parseCpu] = [performance.now(), process.cpuUsage()];
  JSON.parse(geojson);
  parses.push({ wallMs: performance.now() - parseStart, cpuMs: cpuMsOf(process.cpuUsage(parseCpu)) });
  const [start, cpu] = [performance.now(), bench.hostCpuMs()];
  const id = await submit(service, geojson);
  submissions.push({ wallMs: performance.now() - start, cpuMs: bench.hostCpuMs() - cpu });
  if (!(await ingested(service, id))) throw new Error('The enrollment failed.');
}
const of = (figures: typeof parses, name: 'wallMs' | 'cpuMs'): number => median(figures.map((figure) => figure[name]));
for (const name of ['cpuMs', 'wallMs'] as const) {
  const [parse, submission] = [of(parses, name), of(submissions, name)];
  const what = name === 'cpuMs' ? 'CPU' : 'time';
  say(
    `one submission of 50 MB, ${what}: ${submission.toFixed(0)} ms; JSON.parse alone ${parse.toFixed(0)} ms; ratio ${(submission / parse).toFixed(2)}`,
  );
}
const bodies = [wavyFields('two-a', BYTES), wavyFields('two-b', BYTES)];
const since = Date.now();
const stopMemory = memoryOf(hostPid);
const start = performance.now();
const ids = await Promise.all(bodies.map((geojson) => submit(service, geojson)));
const acceptedMs = performance.now() - start;
await Promise.all(ids.map((id) => ingested(service, id)));
say(
  `two at once: accepted after ${acceptedMs.toFixed(0)} ms, ingested after ${(performance.now() - start).toFixed(0)} ms`,
);
const stalls = stallsSince(since);
const longest = (name: 'stallMs' | 'ownMs'): string => Math.max(0, ...stalls.map((stall) => stall[name])).toFixed(0);
say(`host memory at most ${stopMemory().toFixed(0)} MB`);
say(`longest stall of its event loop ${longest('stallMs')} ms; longest by its own work ${longest('ownMs')} ms`);
await compareHostileUploads(async (geojson) => {
  const before = bench.hostCpuMs();
  const answer = await send(service, geojson);
  const { enrollment_id: id } = (await answer.json()) as { readonly enrollment_id?: string };
  const cpuMs = bench.hostCpuMs() - before;
  if (answer.status !== 202 && answer.status !== 422) throw new Error(`${answer.status} for a hostile upload`);
  if (id !== undefined) await ingested(service, id);
  return cpuMs;
}, HOSTILE_BYTES);
await bench.stop();
