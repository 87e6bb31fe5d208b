import { describe, expect, test } from '@jest/globals';
import { inspectInParts } from '../../../shared/enrollments/upload/inspectInParts.js';
import {
  inspectBoundaries,
  inspectFields,
  placeBoundaries,
  type BoundariesToInspect,
  type InspectedField,
} from '../../../shared/enrollments/upload/uploadTasks.js';
import { wavyFields } from '../../load/uploads.js';
import { aCollection, aFeature, jsonBytes } from '../builders.js';

const MB = 1024 * 1024;

const found = ({ index, fieldId, outcome }: InspectedField) => ({
  ...{ index, fieldId, fault: outcome.fault },
  ...(outcome.fault === undefined ? { hash: outcome.shape.geometryHash, bytes: outcome.geometry.byteLength } : {}),
});

/** What comes of an inspection in parts, and the parts. */
async function inParts(bytes: Uint8Array) {
  const parts: BoundariesToInspect[] = [];
  const fields: InspectedField[] = [];
  await inspectInParts(
    {
      placeBoundaries: (whole) => Promise.resolve(placeBoundaries(whole)),
      inspectBoundaries: (part) => {
        parts.push(part);
        return Promise.resolve(inspectBoundaries(part));
      },
    },
    bytes,
    (some) => void fields.push(...some),
  );
  return { fields, parts };
}

describe('an inspection in parts', () => {
  test('takes two megabytes at a time, and finds what an inspection of the whole finds', async () => {
    const bytes = new TextEncoder().encode(`\uFEFF${wavyFields('wavy', 5 * MB)}`);
    const { fields, parts } = await inParts(bytes);
    expect(parts.length).toBeGreaterThan(2);
    expect(Math.max(...parts.map((part) => part.bytes.byteLength))).toBeLessThanOrEqual(2 * MB);
    expect(fields.map(found)).toEqual(inspectFields(bytes).map(found));
  });

  test('leaves out what lies between boundaries, however long that is', async () => {
    const notes = Array.from({ length: 90 }, () => 'x'.repeat(60_000));
    const features = ['a', 'b'].map((fieldId) => ({ ...aFeature({ fieldId }), notes }));
    const { fields, parts } = await inParts(jsonBytes(aCollection(features)));
    expect(fields.map(({ fieldId, outcome }) => [fieldId, outcome.fault])).toEqual([
      ['a', undefined],
      ['b', undefined],
    ]);
    expect(Math.max(...parts.map((part) => part.bytes.byteLength))).toBeLessThan(1_000);
  });

  test('hands on to each part the steps that those before it have taken', async () => {
    const bytes = new TextEncoder().encode(wavyFields('wavy', 5 * MB));
    const spent: number[] = [];
    const inspect = ({ spent: before }: BoundariesToInspect) => {
      spent.push(before);
      return Promise.resolve({ fields: [], spent: before + 10 });
    };
    const tasks = { placeBoundaries: (whole: Uint8Array) => Promise.resolve(placeBoundaries(whole)) };
    await inspectInParts({ ...tasks, inspectBoundaries: inspect }, bytes, () => undefined);
    expect(spent).toEqual([0, 10, 20]);
  });
});
