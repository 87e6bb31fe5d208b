import type { Caller } from './calls.js';
import type { HostFigures } from './hostFigures.js';
import { openLoop } from './openLoop.js';
import { medianOf, percentilesOf, type Percentiles } from './percentiles.js';
import type { RateScenario } from './rateScenarios.js';
import type { LoadedService } from './runningService.js';

/** How long and how often each step runs. */
export interface Plan {
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly repeats: number;
  /** Percent of the target. */
  readonly steps: readonly number[];
  readonly random: () => number;
}

/** One step: median and worst of its repeats. */
export interface StepResult {
  readonly percent: number;
  readonly rate: number;
  readonly median: Percentiles;
  readonly worst: Percentiles;
  /** Requests that had no right answer, of all that were sent in all repeats. */
  readonly faults: number;
  readonly sent: number;
  readonly why: readonly string[];
  /** How late the driver itself was, 99th percentile of the worst repeat, milliseconds. */
  readonly driverLagMs: number;
  /** Share of a core that the functions host had, percent, median. */
  readonly hostCpuPercent: number;
  readonly host: HostFigures;
}

interface Repeat {
  readonly percentiles: Percentiles;
  readonly faults: number;
  readonly sent: number;
  readonly why: readonly string[];
  readonly driverLagMs: number;
  readonly hostCpuPercent: number;
  readonly host: HostFigures;
}

interface Stage {
  readonly scenario: RateScenario;
  readonly loaded: LoadedService;
  readonly caller: Caller;
}

async function repeat({ scenario, loaded, caller }: Stage, rate: number, plan: Plan): Promise<Repeat> {
  const { seconds, random } = plan;
  const calls = await scenario.calls(loaded, caller, Math.max(1, Math.round(rate * seconds)));
  const [since, cpu] = [Date.now(), loaded.hostCpuMs()];
  const send = async (index: number) => {
    const call = calls[index];
    if (call === undefined) throw new Error('There are as many calls as are sent.');
    return caller.outcome(call);
  };
  const run = await openLoop(send, { rate, seconds, random });
  return {
    percentiles: percentilesOf(run.latenciesMs),
    faults: run.sent - run.latenciesMs.length,
    sent: run.sent,
    why: Object.keys(run.faults),
    driverLagMs: percentilesOf(run.lagsMs).p99,
    hostCpuPercent: (loaded.hostCpuMs() - cpu) / run.seconds / 10,
    host: loaded.hostFiguresSince(since),
  };
}

const NAMES = ['p50', 'p95', 'p99', 'max'] as const;
const percentilesBy = (repeats: readonly Repeat[], choose: (values: readonly number[]) => number): Percentiles =>
  Object.fromEntries(
    NAMES.map((name) => [name, choose(repeats.map(({ percentiles }) => percentiles[name]))]),
  ) as unknown as Percentiles;

function stepOf(percent: number, rate: number, repeats: readonly Repeat[]): StepResult {
  const sum = (name: 'faults' | 'sent'): number => repeats.reduce((total, one) => total + one[name], 0);
  const worstHost = (name: keyof HostFigures): number => Math.max(...repeats.map(({ host }) => host[name]));
  return {
    percent,
    rate,
    median: percentilesBy(repeats, medianOf),
    worst: percentilesBy(repeats, (values) => Math.max(...values)),
    faults: sum('faults'),
    sent: sum('sent'),
    why: [...new Set(repeats.flatMap(({ why }) => why))],
    driverLagMs: Math.max(...repeats.map(({ driverLagMs }) => driverLagMs)),
    hostCpuPercent: medianOf(repeats.map(({ hostCpuPercent }) => hostCpuPercent)),
    host: { loopDelayMs: worstHost('loopDelayMs'), rssMb: worstHost('rssMb'), handles: worstHost('handles') },
  };
}

/** Warms up, then does every step with its repeats. */
export async function rateRun(stage: Stage, plan: Plan): Promise<readonly StepResult[]> {
  const { scenario, loaded, caller } = stage;
  await scenario.prepare(loaded, caller);
  await repeat(stage, scenario.target / 2, { ...plan, seconds: plan.warmUpSeconds });
  const steps: StepResult[] = [];
  for (const percent of plan.steps) {
    const rate = (scenario.target * percent) / 100;
    const repeats: Repeat[] = [];
    for (let number = 0; number < plan.repeats; number += 1) repeats.push(await repeat(stage, rate, plan));
    steps.push(stepOf(percent, rate, repeats));
  }
  return steps;
}
