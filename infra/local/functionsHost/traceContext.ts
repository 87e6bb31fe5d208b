import { randomBytes } from 'node:crypto';

const traceParent = /^00-(?<trace>[0-9a-f]{32})-[0-9a-f]{16}-(?<flags>[0-9a-f]{2})$/;

/**
 * The W3C trace context the host gives to a run: the caller's trace with a span of the host's own, or a new trace.
 */
export function traceContextOf(
  parent: string | undefined,
  state = '',
): { traceParent: string; traceState: string; attributes: Record<string, string> } {
  const groups = traceParent.exec(parent ?? '')?.groups;
  const trace = groups?.['trace'] ?? randomBytes(16).toString('hex');
  const span = randomBytes(8).toString('hex');
  return {
    traceParent: `00-${trace}-${span}-${groups?.['flags'] ?? '00'}`,
    traceState: groups === undefined ? '' : state,
    attributes: {},
  };
}
