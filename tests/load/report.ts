import type { ControlResult } from './control.js';
import type { Percentiles } from './percentiles.js';
import type { StepResult } from './rateRun.js';
import type { RateScenario } from './rateScenarios.js';
import type { Finding } from './workScenarios.js';
import { markdownTable } from './writeSection.js';

const whole = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : '–');
const both = (median: number, worst: number): string => `${whole(median)} / ${whole(worst)}`;

function verdictOf({ gate }: RateScenario, { percent, worst, faults }: StepResult): string {
  if (percent !== 100) return '';
  return faults === 0 && worst[gate.percentile] <= gate.mostMs ? 'met' : 'missed';
}

/** The steps of one scenario: times are median / worst of the repeats, in milliseconds from the intended start. */
export function rateReport(scenario: RateScenario, steps: readonly StepResult[], control: ControlResult): string {
  const head = [
    'load',
    'p50',
    'p95',
    'p99',
    'longest',
    'faults',
    'host CPU',
    'loop late',
    'memory',
    'handles',
    'driver late',
    'gate',
  ];
  const rows = steps.map((step) => {
    const { median, worst, host } = step;
    const time = (name: keyof Percentiles): string => both(median[name], worst[name]);
    return [
      `${step.percent} % = ${Number(step.rate.toFixed(2))}/s`,
      ...(['p50', 'p95', 'p99', 'max'] as const).map(time),
      `${step.faults} of ${step.sent}${step.why.length === 0 ? '' : ` (${step.why.join('; ')})`}`,
      `${whole(step.hostCpuPercent)} %`,
      `${whole(host.loopDelayMs)} ms`,
      `${whole(host.rssMb)} MB`,
      whole(host.handles),
      `${whole(step.driverLagMs)} ms`,
      verdictOf(scenario, step),
    ];
  });
  const { percentile, mostMs } = scenario.gate;
  const held = control.holds ? 'held' : 'did not hold';
  return [
    `**${scenario.name}**, ${scenario.target}/s, gate: ${percentile} ≤ ${mostMs} ms in the worst repeat and no fault. A server that does nothing ${held} ${control.rate}/s (p99 ${whole(control.p99Ms)} ms, ${control.faults} faults).`,
    markdownTable(head, rows),
  ].join('\n\n');
}

/** What was found of loads that are no rate. */
export function findingsReport(name: string, findings: readonly Finding[]): string {
  const rows = findings.map(({ what, value, unit, gate, gateIs }) => {
    const isMet = gateIs === 'at most' ? value <= gate : value >= gate;
    return [what, `${Number(value.toFixed(2))} ${unit}`, `${gateIs} ${gate} ${unit}`, isMet ? 'met' : 'missed'];
  });
  return `**${name}**\n\n${markdownTable(['what', 'measured', 'gate', ''], rows)}`;
}
