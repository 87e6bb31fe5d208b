/**
 * Puts load on the service as many independent callers do, and says what comes of it.
 *
 *   npm run load -- create --seconds 30           one scenario
 *   npm run load -- create fetch --steps 100      some, at their full rate only
 *   npm run load -- all --write                   all of them, into docs/measurements.md; at most 20 minutes
 *
 * `--repeats 3`, `--warm-up 5`, `--seed 1`; `--busy-anyway` measures on a busy machine and says that it does not count.
 */
import { parseArgs } from 'node:util';
import { Caller } from './calls.js';
import { control } from './control.js';
import { BusyMachine, provenance, QUIET_LOAD, requireQuiet } from './machine.js';
import { rateRun, type Plan } from './rateRun.js';
import { rateScenarios, type RateScenario } from './rateScenarios.js';
import { findingsReport, rateReport } from './report.js';
import { startLoadedService } from './runningService.js';
import { seededRandom } from './seededRandom.js';
import { workScenarios } from './workScenarios.js';
import { writeSection } from './writeSection.js';

const CONTROL_SECONDS = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '8' },
    'warm-up': { type: 'string', default: '5' },
    repeats: { type: 'string', default: '3' },
    steps: { type: 'string', default: '25,50,100,150' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    'busy-anyway': { type: 'boolean', default: false },
  },
});

const names = [...rateScenarios.map(({ name }) => name), ...Object.keys(workScenarios)];
const isAll = positionals.length === 0 || positionals.includes('all');

function chosen(): readonly string[] {
  const unknown = positionals.filter((name) => name !== 'all' && !names.includes(name));
  if (unknown.length > 0) throw new Error(`Known scenarios: ${names.join(', ')}, all.`);
  return isAll ? names : names.filter((name) => positionals.includes(name));
}

function planOf(random: () => number): Plan {
  return {
    seconds: Number(values.seconds),
    warmUpSeconds: Number(values['warm-up']),
    repeats: Number(values.repeats),
    steps: values.steps.split(',').map(Number),
    random,
  };
}

/** One scenario of a rate on an instance of its own. @throws when the control does not hold, unless it need not */
async function rateText(scenario: RateScenario, plan: Plan): Promise<string> {
  const highest = (scenario.target * Math.max(...plan.steps)) / 100;
  const held = await control(highest * 2, CONTROL_SECONDS, plan.random);
  if (!held.holds && !values['busy-anyway']) {
    throw new Error(
      `A server that does nothing does not hold ${held.rate}/s here (p99 ${held.p99Ms.toFixed(0)} ms, ${held.faults} faults): the figures would be those of the machine.`,
    );
  }
  const loaded = await startLoadedService({ functions: 'http' });
  const caller = new Caller(loaded.service.baseUrl);
  try {
    return rateReport(scenario, await rateRun({ scenario, loaded, caller }, plan), held);
  } finally {
    caller.close();
    await loaded.stop();
  }
}

/** A scenario that cannot be measured says why, and the others are measured all the same. */
async function textOf(name: string, plan: Plan): Promise<string> {
  try {
    const rate = rateScenarios.find((scenario) => scenario.name === name);
    if (rate !== undefined) return await rateText(rate, plan);
    return findingsReport(name, (await workScenarios[name]?.()) ?? []);
  } catch (error) {
    process.exitCode = 1;
    return `**${name}** was not measured: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function main(): Promise<void> {
  const wanted = chosen();
  const load = await requireQuiet(values['busy-anyway']);
  const valid = load <= QUIET_LOAD ? '' : ' **Not valid: the machine was busy.**';
  const startedAt = performance.now();
  const plan = planOf(seededRandom(Number(values.seed)));
  const texts: string[] = [];
  for (const name of wanted) {
    texts.push(await textOf(name, plan));
    console.log(`\n${texts.at(-1) ?? ''}`);
  }
  const command = `npm run load -- ${isAll ? 'all' : wanted.join(' ')} --seconds ${values.seconds} --repeats ${values.repeats} --steps ${values.steps} --seed ${values.seed}`;
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  texts.push(`\`${command}\`, ${minutes} minutes, ${provenance(load)}.${valid}`);
  console.log(`\n${texts.at(-1) ?? ''}`);
  if (values.write && isAll) writeSection('load', texts.join('\n\n'));
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof BusyMachine ? 2 : 1;
});
