/**
 * What calls of farm data cost in storage: operations, counted, with 50,000 fields on Azurite and 1,000,000 in memory; on
 * Azurite also times, as multiples of one read of a row as the client library makes it, in the same run.
 *
 *   npm run bench:farm                        (starts a service of its own for its storage, in memory)
 *   npm run bench:farm -- --fields 5000 --million 100000
 *
 * It ends with 1 when a call needs more operations than it may. Azurite filters the whole table for every query, so that its
 * times are an upper bound.
 */
import { parseArgs } from 'node:util';
import { calls } from './farm/calls.js';
import { nightlyCount } from './farm/count.js';
import { countedStorage } from './farm/countedStorage.js';
import { importOfFields } from './farm/importOfFields.js';
import type { FarmBench, FarmMeasure } from './farm/measure.js';
import { inMemory, inTables } from './farm/places.js';
import { median, startedService } from './service.js';
import { judge, say, sized } from './figures.js';

const { values } = parseArgs({
  options: {
    /** Fields on Azurite. */
    fields: { type: 'string', default: String(sized(50_000, 1_000)) },
    /** Fields in memory. */
    million: { type: 'string', default: String(sized(1_000_000, 1_000)) },
  },
});

const ROUNDS = sized(10);
/** Every measured thing. */
const measures: readonly FarmMeasure[] = [...calls, nightlyCount];
/** What needs more operations than it may. */
const over: string[] = [];

async function timed(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

/** The most operations of a call, and its median time. */
async function measured(bench: FarmBench, { prepare }: FarmMeasure) {
  const milliseconds: number[] = [];
  let operations = 0;
  // The first call is a warm-up: it reads what is kept for ten minutes.
  await (
    await prepare(bench, 0)
  )();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const call = await prepare(bench, round);
    const before = bench.operations();
    milliseconds.push(await timed(call));
    operations = Math.max(operations, bench.operations() - before);
  }
  return { operations, ms: median(milliseconds) };
}

async function baselineOf({ rawRead }: FarmBench): Promise<number | undefined> {
  if (rawRead === undefined) return undefined;
  await rawRead();
  const reads: number[] = [];
  for (let round = 0; round < 3 * ROUNDS; round += 1) reads.push(await timed(rawRead));
  return median(reads);
}

async function run(bench: FarmBench): Promise<void> {
  say(`\n${bench.where}`);
  const baseline = await baselineOf(bench);
  if (baseline !== undefined) say(`  one raw read: ${baseline.toFixed(2)} ms`);
  for (const measure of measures) {
    const { operations, ms } = await measured(bench, measure);
    const { what, most } = measure;
    const isOver = most !== undefined && operations > most;
    if (isOver) over.push(what);
    const bound = most === undefined ? '' : ` (at most ${most}${isOver ? ': TOO MANY' : ''})`;
    const time = baseline === undefined ? '' : `, ${(ms / baseline).toFixed(1)} raw reads`;
    say(`  ${what}: ${operations} operations${bound}${time}`);
  }
}

const service = await startedService();
await run(await inTables(service.settings['DATA_STORAGE'] ?? '', Number(values.fields)));
await importOfFields(countedStorage(service.settings));
await service.stop();
await run(await inMemory(Number(values.million)));
judge(over.length === 0);
