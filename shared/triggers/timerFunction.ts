import type { Services } from '../services.js';
import { errorText, jsonLog } from '../telemetry/telemetry.js';
import { asInvocation } from '../telemetry/trace.js';
import { traceFrom } from '../telemetry/traceContext.js';
import type { Duty } from '../work/duty.js';
import type { Surroundings } from '../http/surroundings.js';

export interface TimerFunction {
  readonly name: string;
  /** NCRONTAB with seconds, UTC; a missed or doubled tick must be harmless. */
  readonly schedule: string;
  /** Facts for the log line of this tick. */
  readonly handle: (services: Services) => Promise<Readonly<Record<string, unknown>>>;
}

/** Runs one tick. A tick that fails is logged, not thrown: the next tick does what this one could not. */
export async function handleTick(definition: TimerFunction, { services, write }: Surroundings): Promise<void> {
  const trace = traceFrom(undefined);
  const facts = { operation: definition.name, traceId: trace.traceId };
  await asInvocation({ name: definition.name, kind: 'tick', trace, write }, async () => {
    try {
      const done = await definition.handle(services);
      jsonLog(write)('Timer:Done', { ...facts, ...done });
    } catch (error) {
      jsonLog(write)('Timer:Failed', { ...facts, cause: errorText(error) });
    }
  });
}

/** Declares a function that a timer triggers. */
export const timerFunction = (definition: TimerFunction): TimerFunction => definition;

/** What the service does at fixed times as work, on none of the host's timers. */
export type ServiceDuty = Duty<Services>;

/** Declares a duty of the service. */
export const serviceDuty = (definition: ServiceDuty): ServiceDuty => definition;
