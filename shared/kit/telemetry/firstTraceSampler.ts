import { trace, TraceFlags, type Context } from '@opentelemetry/api';
import { SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace-base';

/** Whether the span is below one that this process has sampled. */
const isBelowSampled = (context: Context): boolean => {
  const parent = trace.getSpanContext(context);
  return parent !== undefined && parent.isRemote !== true && (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
};

/**
 * Samples the first trace of a process, which tells how long a cold start took, and leaves all others to the given sampler:
 * one that goes by rates would leave the first out nearly always. A caller that repeats its trace id gains nothing by it.
 */
export function firstTraceSampler(others: Sampler): Sampler {
  let first: string | undefined;
  return {
    shouldSample: (...asked) => {
      const [context, traceId] = asked;
      const isFirst = first === undefined || (first === traceId && isBelowSampled(context));
      first ??= traceId;
      return isFirst ? { decision: SamplingDecision.RECORD_AND_SAMPLED } : others.shouldSample(...asked);
    },
    toString: () => `FirstTrace(${others.toString()})`,
  };
}
