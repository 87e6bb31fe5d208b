import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deterministicId, foldedId, isSameId, isUuid, randomId } from '../../shared/kit/ids.js';
import { traceFrom } from '../../shared/kit/telemetry/traceContext.js';

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

describe('a UUID', () => {
  const uuid = '1f0c4f3e-8f0b-4c7d-9a43-5d2f0c9b7e11';

  test.each([
    ['in lower case', uuid],
    ['in upper case', uuid.toUpperCase()],
    ['in both', `1F0C4f3e${uuid.slice(8)}`],
    ['of all zeros, for its version is not judged', '00000000-0000-0000-0000-000000000000'],
  ])('is one %s', (_why, text) => {
    expect(isUuid(text)).toBe(true);
  });

  test.each([
    ['has urn:uuid: in front, which is the name of a UUID', `urn:uuid:${uuid}`],
    ['stands in braces', `{${uuid}}`],
    ['has no hyphens', uuid.replaceAll('-', '')],
    ['has hyphens elsewhere', '1f0c4f3e8-f0b-4c7d-9a43-5d2f0c9b7e11'],
    ['has a letter that is no hexadecimal digit', `g${uuid.slice(1)}`],
    ['has a digit too many', `${uuid}0`],
    ['has a blank in front', ` ${uuid}`],
    ['ends a line', `${uuid}\n`],
    ['is empty', ''],
  ])('is no text that %s', (_why, text) => {
    expect(isUuid(text)).toBe(false);
  });

  test('is the same in upper and lower case, and no other', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        expect(isSameId(one, one.toUpperCase())).toBe(true);
        expect(foldedId(one.toUpperCase())).toBe(foldedId(one));
        expect(isSameId(one, other)).toBe(one === other);
      }),
    );
  });
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
