import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkGeoJson, inspectFields } from '../../shared/enrollments/uploadTasks.js';
import { TaskProcess } from '../../shared/worker/taskProcess.js';
import { wavyFields } from '../load/uploads.js';
import { hostileShapes } from '../support/hostileGeoJson.js';
import { bundledWorker, type BundledWorker } from './bundledWorker.js';

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('an upload made to be large in memory', () => {
  /** Objects of a field at its limits take some 30 MB, whatever the size of the upload. */
  const HEAP_MB = 40;
  const BYTES = 8 * 1024 * 1024;
  let worker: BundledWorker;
  let beside: TaskProcess;
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
    const { faults } = await beside.run('checkGeoJson', { bytes, fieldLimit: 250 });
    if (faults.length === 0) await expect(beside.run('inspectFields', bytes)).resolves.not.toHaveLength(0);
  });
});

describe('an upload made to be slow', () => {
  const BYTES = 512 * 1024;
  /** Processor time in which it is checked and its fields are looked at. */
  const costOf = (bytes: Uint8Array): number => {
    const before = process.cpuUsage();
    if (checkGeoJson({ bytes, fieldLimit: 250 }).faults.length === 0) inspectFields(bytes);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  let honest: number;
  beforeAll(() => {
    const bytes = encoded(wavyFields('honest', BYTES));
    honest = [1, 2, 3, 4, 5].map(() => costOf(bytes)).sort((a, b) => a - b)[2] ?? 0;
  });

  test.each(hostileShapes)('takes no more than three times as long as an honest one of its size: $name', ({ text }) => {
    const bytes = encoded(text(BYTES));
    // Others on the machine only ever add to it: the quickest of five is the one that counts.
    const isQuick = [1, 2, 3, 4, 5].some(() => costOf(bytes) <= 3 * honest);
    expect(isQuick).toBe(true);
  });
});
