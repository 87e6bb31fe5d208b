// Runs experiments: `npm run faults` all, `npm run faults -- E6 --seed 3` one; see README.md beside this file.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { requireCommitted, writeResults } from './report.mjs';
import { removeApps, startWorld } from './world.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    /** The sizes of the full runs instead of those that fit into an hour. */
    full: { type: 'boolean', default: false },
    jobs: { type: 'string' },
    minutes: { type: 'string' },
    /** Part of the names of the cases that are run, for experiments made of cases. */
    only: { type: 'string', default: '' },
    without: { type: 'string' },
    /** `2/3` for the second third of what was chosen. */
    shard: { type: 'string', default: '1/1' },
    log: { type: 'boolean', default: false },
    /** Writes what was counted into runs.json. */
    write: { type: 'boolean', default: false },
  },
});

/** Every experiment, by number. */
async function experiments() {
  const folder = new URL('experiments/', import.meta.url);
  const files = readdirSync(folder).filter((file) => /^e\d\d-.*\.mjs$/.test(file));
  const modules = await Promise.all(files.map(async (file) => (await import(new URL(file, folder).href)).experiment));
  return modules.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
}

/** What an experiment is given; worlds that it starts are stopped after it. */
function contextOf(worlds, { without = [], jobs = values.jobs, only = values.only, minutes = values.minutes } = {}) {
  const seed = Number(values.seed);
  return {
    seed,
    full: values.full,
    without,
    /** The size that was asked for, else that of a full or of a standard run. */
    size: (standard, full) => Number(jobs ?? (values.full ? full : standard)),
    only,
    /** How long quiet may take; without a protection it may never come. */
    quietMs: (limit) => (without.length === 0 ? limit : Math.min(limit, 25_000)),
    minutes: minutes === undefined ? undefined : Number(minutes),
    start: async (options = {}) => {
      const world = await startWorld({ seed, without, ...options });
      worlds.push(world);
      return world;
    },
    /** Another experiment in the same run, with protections taken out. */
    withoutProtections: (names, options) => contextOf(worlds, { ...options, without: names }),
    /** Ends a world early: a machine has few cores. */
    stop: async (world) => {
      worlds.splice(worlds.indexOf(world), 1);
      await world.stop();
    },
    stopAll: async () => {
      for (const world of worlds.splice(0)) await world.stop();
    },
  };
}

async function runOne(experiment) {
  const worlds = [];
  const without = values.without?.split(',') ?? [];
  const startedAt = Date.now();
  console.log(`${experiment.id} ${experiment.title}\n   passes when: ${experiment.passLine}`);
  let result;
  try {
    result = await experiment.run(contextOf(worlds, { without }));
  } catch (error) {
    result = { counts: {}, breaches: [error.stack ?? String(error)] };
  }
  if (values.log) for (const world of worlds) console.log(world.logText());
  for (const world of worlds) await world.stop();
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const counts = Object.entries(result.counts).map(([name, value]) => `${name} ${value}`);
  console.log(`   ${[...counts, `seed ${values.seed}`, `${seconds} s`].join(', ')}`);
  for (const breach of result.breaches) console.log(`   breach: ${breach}`);
  const isPassed = result.breaches.length === 0;
  console.log(`   ${isPassed ? 'PASS' : 'FAIL'}\n`);
  return { experiment, isPassed, seconds, ...result };
}

if (values.write) requireCommitted();
const all = await experiments();
const wanted = positionals.map((name) => name.toUpperCase());
const unknown = wanted.filter((name) => !all.some(({ id }) => id === name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${all.map(({ id }) => id).join(', ')}.`);
  process.exit(2);
}
// An experiment that lasts an hour by itself runs only when it is named.
const [shard, shards] = values.shard.split('/').map(Number);
const chosen = all
  .filter(({ id, apart = false }) => (wanted.length === 0 ? !apart : wanted.includes(id)))
  .filter((_experiment, index) => index % shards === shard - 1);
const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim();
console.log(`${new Date().toISOString()} commit ${commit} seed ${values.seed}${values.full ? ' full' : ''}\n`);
const results = [];
for (const experiment of chosen) results.push(await runOne(experiment));
await removeApps();
if (values.write) {
  const more = process.argv.slice(2).filter((argument) => !/^(e\d+|--write)$/i.test(argument));
  const runs = results.flatMap(({ experiment, parts, ...result }) => {
    const command = ['npm run faults --', experiment.id, ...more].join(' ');
    if (parts === undefined) return [{ ...result, id: experiment.id, restsOn: experiment.restsOn, command }];
    return parts.map(({ name, ...part }) => {
      const { restsOn } = experiment.controls.find((control) => control.name === name);
      return {
        ...part,
        id: `${experiment.id} ${name}`,
        restsOn,
        command: `npm run faults -- ${experiment.id} --only '${name}'`,
      };
    });
  });
  writeResults(runs);
}
for (const { experiment, isPassed, seconds } of results)
  console.log(`${isPassed ? 'PASS' : 'FAIL'} ${experiment.id} ${experiment.title} (${seconds} s)`);
process.exit(results.every(({ isPassed }) => isPassed) ? 0 : 1);
