import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { inspectInParts } from '../../../shared/enrollments/upload/inspectInParts.js';
import {
  checkGeoJson,
  inspectFields,
  type BoundariesToInspect,
  type InspectedField,
} from '../../../shared/enrollments/upload/uploadTasks.js';
import { WorkBudget } from '../../../shared/geo/soundness/workBudget.js';
import { TaskProcess } from '../../../shared/wiring/beside/taskProcess.js';
import { wavyFields } from '../../load/uploads.js';
import { hostileShapes } from '../../support/hostileGeoJson.js';
import { bundledWorker, type BundledWorker } from './bundledWorker.js';

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('an upload made to be large in memory', () => {
  /** Objects of a field at its limits take some 30 MB, whatever the size of the upload. */
  const HEAP_MB = 40;
  const BYTES = 8 * 1024 * 1024;
  let worker: BundledWorker;
  let beside: TaskProcess;
  const tasks = {
    placeBoundaries: (bytes: Uint8Array) => beside.run('placeBoundaries', bytes),
    inspectBoundaries: (input: BoundariesToInspect) => beside.run('inspectBoundaries', input),
  };
  beforeAll(async () => {
    worker = await bundledWorker();
    beside = new TaskProcess({ file: worker.file, heapMb: HEAP_MB, limitMs: 60_000, idleMs: 60_000 });
  });
  afterAll(async () => {
    await beside.close();
    worker.remove();
  });

  test.each(hostileShapes)('is read in little: $name', async ({ text }) => {
    const bytes = encoded(text(BYTES));
    expect(bytes.length).toBeGreaterThan(BYTES);
    expect(bytes.length / BYTES).toBeLessThan(1.1);
    const { faults } = await beside.run('checkGeoJson', { bytes, fieldLimit: 250 });
    const fields: InspectedField[] = [];
    const inspect = () => inspectInParts(tasks, bytes, (some) => void fields.push(...some));
    if (faults.length > 0) return;
    await inspect();
    expect(fields).not.toHaveLength(0);
  });
});

/** A buffer that counts the bytes that are looked at, one by one or as a text. */
function countingBuffer(buffer: Buffer, count: (bytes: number) => void): Buffer {
  const toString: Buffer['toString'] = (encoding, start = 0, end = buffer.length) => {
    count(end - start);
    return buffer.toString(encoding, start, end);
  };
  return new Proxy(buffer, {
    get: (_target, name) => {
      if (name === 'toString') return toString;
      if (typeof name === 'string' && /^\d/.test(name)) count(1);
      return Reflect.get(buffer, name, buffer) as unknown;
    },
  });
}

/** How often a byte is looked at while an upload is checked and its fields are looked at, and the steps of crossings. */
function workOn(bytes: Uint8Array): { readonly looksPerByte: number; readonly steps: number } {
  let looks = 0;
  const from = Buffer.from.bind(Buffer) as (...args: readonly unknown[]) => Buffer;
  const counted = (...args: readonly unknown[]): Buffer =>
    countingBuffer(from(...args), (count) => {
      looks += count;
    });
  jest.spyOn(Buffer, 'from').mockImplementation(counted as typeof Buffer.from);
  const spend = jest.spyOn(WorkBudget.prototype, 'spend');
  if (checkGeoJson({ bytes, fieldLimit: 250 }).faults.length === 0) inspectFields(bytes);
  const steps = spend.mock.calls.reduce((sum, [some]) => sum + some, 0);
  return { looksPerByte: looks / bytes.length, steps };
}

// The processor time of both is compared by `npm run bench:submission`.
describe('an upload made to be slow', () => {
  const BYTES = 24 * 1024;
  /** Steps of all crossings: those of one field and two for each byte, and in each field those that were too much. */
  const MOST_STEPS = 10_500_000 + 2 * BYTES;
  afterEach(() => {
    jest.restoreAllMocks();
  });
  let honest: number;
  beforeAll(() => {
    honest = workOn(encoded(wavyFields('honest', BYTES))).looksPerByte;
    jest.restoreAllMocks();
  });

  test.each(hostileShapes)('is looked at no more than three times as often as an honest one: $name', ({ text }) => {
    const { looksPerByte, steps } = workOn(encoded(text(BYTES)));
    expect(looksPerByte).toBeLessThanOrEqual(3 * honest);
    expect(steps).toBeLessThan(MOST_STEPS);
  });
});
