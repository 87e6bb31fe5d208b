import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TaskExhausted, TaskThread, type TaskThreadOptions } from '../../shared/worker/taskThread.js';
import { aCollection, aFeature, jsonBytes } from '../enrollments/builders.js';

let folder: string;
let file: URL;
beforeAll(async () => {
  mkdirSync('build/test', { recursive: true });
  folder = mkdtempSync(resolve('build/test', 'worker-'));
  const outfile = join(folder, 'worker.mjs');
  await build({
    entryPoints: ['shared/worker/worker.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  file = pathToFileURL(outfile);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const threads: TaskThread[] = [];
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

function newThread(options: Partial<TaskThreadOptions> = {}): TaskThread {
  const thread = new TaskThread({ file, heapMb: 256, limitMs: 30_000, idleMs: 60_000, ...options });
  threads.push(thread);
  return thread;
}

const input = (fields: number) => ({
  bytes: jsonBytes(aCollection(Array.from({ length: fields }, (_, index) => aFeature({ fieldId: `f${index}` })))),
  fieldLimit: 10_000,
});

describe('the thread for long tasks', () => {
  test('answers as the task itself would, the bytes coming back', async () => {
    const { bytes, fieldLimit } = input(3);
    await expect(newThread().run('checkGeoJson', { bytes, fieldLimit })).resolves.toEqual({
      bytes,
      fields: 3,
      faults: [],
    });
  });

  test('takes large arrays over and gives them back, so that none is copied', async () => {
    const { bytes, fieldLimit } = input(2_000);
    const before = bytes.slice();
    const answer = newThread().run('checkGeoJson', { bytes, fieldLimit });
    expect(bytes.byteLength).toBe(0);
    await expect(answer).resolves.toMatchObject({ fields: 2_000 });
    expect(Buffer.from((await answer).bytes).equals(before)).toBe(true);
  });

  test('does one task after the other, in order', async () => {
    const thread = newThread();
    const order: number[] = [];
    const tasks = [300, 1, 50].map((fields) =>
      thread.run('checkGeoJson', input(fields)).then((answer) => order.push(answer.fields)),
    );
    await Promise.all(tasks);
    expect(order).toEqual([300, 1, 50]);
  });

  test('hands on what a task throws, and goes on with the next', async () => {
    const thread = newThread();
    await expect(thread.run('inspectFields', jsonBytes('no collection'))).rejects.toThrow();
    await expect(thread.run('checkGeoJson', input(1))).resolves.toMatchObject({ fields: 1 });
  });

  test('ends a task that needs too much memory: the process lives, and the next task is done', async () => {
    const thread = newThread({ heapMb: 32 });
    const bomb = new TextEncoder().encode(`{"type":"FeatureCollection","features":[${'[],'.repeat(3_000_000)}[]]}`);
    const next = thread.run('checkGeoJson', { bytes: bomb, fieldLimit: 1 });
    const after = thread.run('checkGeoJson', input(1));
    await expect(next).rejects.toThrow(TaskExhausted);
    await expect(next).rejects.toThrow(/too much memory/);
    await expect(after).resolves.toMatchObject({ fields: 1 });
  });

  test('ends a task that takes too long', async () => {
    const thread = newThread({ limitMs: 5 });
    await expect(thread.run('checkGeoJson', input(9_000))).rejects.toThrow(TaskExhausted);
  });

  test('is ended when it is idle, and started again for the next task', async () => {
    const thread = newThread({ idleMs: 1 });
    for (let round = 0; round < 3; round += 1) {
      await expect(thread.run('checkGeoJson', input(1))).resolves.toMatchObject({ fields: 1 });
      await new Promise((done) => setTimeout(done, 30));
    }
  });

  test('fails its tasks when its program is missing, and does not wait for ever', async () => {
    const thread = newThread({ file: pathToFileURL(join(folder, 'missing.mjs')) });
    await expect(thread.run('checkGeoJson', input(1))).rejects.toThrow(/Cannot find module/);
  });
});
