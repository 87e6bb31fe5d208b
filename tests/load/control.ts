/** The control of every load: a server that does nothing must hold twice the highest rate first. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Caller } from './calls.js';
import { bind, coresOf } from './machine.js';
import { openLoop } from './openLoop.js';
import { percentilesOf } from './percentiles.js';

/** Above this the driver or the machine is the limit, not the service. */
const MOST_P99_MS = 25;

export interface ControlResult {
  readonly rate: number;
  readonly p99Ms: number;
  readonly faults: number;
  readonly holds: boolean;
}

/** Puts a rate on the server that does nothing, on the core of the functions host. */
export async function control(rate: number, seconds: number, random: () => number): Promise<ControlResult> {
  const child = spawn(process.execPath, ['tests/load/controlServer.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const cores = coresOf();
  if (cores !== undefined) {
    bind(child.pid ?? 0, cores.host);
    bind(process.pid, cores.others);
  }
  const caller = new Caller(`http://127.0.0.1:${line.toString().trim()}`);
  const call = { method: 'POST', path: '/', headers: {}, body: 'x'.repeat(500), expected: 200 } as const;
  const send = () => caller.outcome(call);
  try {
    await openLoop(send, { rate, seconds: 1, random });
    const run = await openLoop(send, { rate, seconds, random });
    const p99Ms = percentilesOf(run.latenciesMs).p99;
    const faults = run.sent - run.latenciesMs.length;
    return { rate, p99Ms, faults, holds: faults === 0 && p99Ms <= MOST_P99_MS };
  } finally {
    caller.close();
    child.kill('SIGTERM');
  }
}
