import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deterministicId, randomId } from '../shared/ids.js';
import { traceFrom } from '../shared/telemetry/trace.js';

test('a deterministic id is a UUID of version 5 that depends on every part and on their order', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.array(fc.string(), { minLength: 1 }), (a, b) => {
      expect(deterministicId(...a)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(deterministicId(...a) === deterministicId(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
  );
});

test('parts are not confused with each other', () => {
  expect(deterministicId('a', 'bc')).not.toBe(deterministicId('ab', 'c'));
});

test('the ids of today stay the ids of tomorrow', () => {
  expect(deterministicId('tenant', 'partnerAgPowered.gdd', 'job', '2026-05-01T00:00:00.000Z')).toBe(
    'b3bbf239-63b8-517b-9a80-c78c54cd99da',
  );
});

test('random ids differ', () => {
  expect(randomId()).not.toBe(randomId());
});

test('a trace that goes on keeps its id and gets a span of its own', () => {
  const first = traceFrom(undefined);
  const second = traceFrom(first.traceparent);
  expect(second.traceId).toBe(first.traceId);
  expect(second.traceparent).not.toBe(first.traceparent);
});
