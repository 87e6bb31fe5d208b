import { errorText, jsonLog } from '../../kit/telemetry/telemetry.js';
import { asInvocation } from '../../kit/telemetry/trace.js';
import { traceFrom } from '../../kit/telemetry/traceContext.js';
import type { Surroundings } from '../surroundings.js';

export interface TimerFunction<S> {
  readonly name: string;
  /** NCRONTAB with seconds, UTC; a missed or doubled tick must be harmless. */
  readonly schedule: string;
  /** Facts for the log line of this tick. */
  readonly handle: (services: S) => Promise<Readonly<Record<string, unknown>>>;
}

/** Runs one tick. A tick that fails is logged, not thrown: the next tick does what this one could not. */
export async function handleTick<S>(definition: TimerFunction<S>, { services, write }: Surroundings<S>): Promise<void> {
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
