import { describe, expect, test } from '@jest/globals';
import { traceContextOf } from '../../../infra/local/functionsHost/traceContext.js';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('the trace context of a run', () => {
  test("keeps the caller's trace, state and flags under a span of its own", () => {
    const context = traceContextOf(`00-${trace}-00f067aa0ba902b7-01`, 'a=b');
    expect(context.traceParent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(context.traceParent).not.toContain('00f067aa0ba902b7');
    expect(context.traceState).toBe('a=b');
  });

  test.each([undefined, '', 'nonsense', `00-${trace}-zz-01`])('is a new trace for %s', (parent) => {
    const context = traceContextOf(parent, 'a=b');
    expect(context.traceParent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(context.traceState).toBe('');
  });
});
