import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TaskExhausted, TaskProcess, type TaskProcessOptions } from '../../../shared/wiring/beside/taskProcess.js';
import { aCollection, aFeature, jsonBytes } from '../../enrollments/builders.js';
import { bundledWorker, type BundledWorker } from './bundledWorker.js';

let worker: BundledWorker;
beforeAll(async () => {
  worker = await bundledWorker();
});
afterAll(() => {
  worker.remove();
});

const processes: TaskProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.splice(0).map((beside) => beside.close()));
});

function newProcess(options: Partial<TaskProcessOptions> = {}): TaskProcess {
  const beside = new TaskProcess({ file: worker.file, heapMb: 256, limitMs: 30_000, idleMs: 60_000, ...options });
  processes.push(beside);
  return beside;
}

/** A program in the worker's place: `body` sees `input` and says `answer(output)`. */
function aProgram(body: string): URL {
  const program = join(worker.folder, `program-${(programs += 1)}.mjs`);
  writeFileSync(
    program,
    `process.on('message', ({ input }) => { const answer = (output) => process.send({ output }); ${body} });`,
  );
  return pathToFileURL(program);
}
let programs = 0;

const input = (fields: number) => ({
  bytes: jsonBytes(aCollection(Array.from({ length: fields }, (_, index) => aFeature({ fieldId: `f${index}` })))),
  fieldLimit: 10_000,
});

describe('the process for long tasks', () => {
  test('answers as the task itself would, and leaves the caller its bytes', async () => {
    const { bytes, fieldLimit } = input(2_000);
    await expect(newProcess().run('checkGeoJson', { bytes, fieldLimit })).resolves.toEqual({
      fields: 2_000,
      faults: [],
    });
    expect(JSON.parse(Buffer.from(bytes).toString())).toHaveProperty('type', 'FeatureCollection');
  });

  test('has less claim to processors than the process that answers callers', async () => {
    const file = aProgram(`import('node:os').then(({ getPriority }) => answer(getPriority()));`);
    const priority: unknown = await newProcess({ file }).run('checkGeoJson', input(1));
    expect(priority).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
  });

  test('does one task after the other, in order', async () => {
    const beside = newProcess();
    const order: number[] = [];
    const tasks = [300, 1, 50].map((fields) =>
      beside.run('checkGeoJson', input(fields)).then((answer) => order.push(answer.fields)),
    );
    await Promise.all(tasks);
    expect(order).toEqual([300, 1, 50]);
  });

  test('hands on what a task throws, and goes on with the next', async () => {
    const beside = newProcess();
    await expect(beside.run('placeBoundaries', jsonBytes('no collection'))).rejects.toThrow();
    await expect(beside.run('checkGeoJson', input(1))).resolves.toMatchObject({ fields: 1 });
  });

  test.each([
    { why: 'JSON of three million arrays, parsed in one call', does: `JSON.parse('[' + '[],'.repeat(3e6) + '[]]')` },
    { why: 'objects that are kept, one by one', does: `for (const kept = []; ; ) kept.push({ at: kept.length })` },
    {
      why: 'an array that grows without end',
      does: `for (const kept = []; ; ) kept.push(...new Array(1e5).fill(0.5))`,
    },
    { why: 'distinct names in one object', does: `for (let at = 0, kept = {}; ; at += 1) kept['name' + at] = at` },
  ])('ends alone when its memory is used up by $why, and the next task is done', async ({ does }) => {
    const beside = newProcess({ heapMb: 32, file: aProgram(`if (input === 'bomb') { ${does}; } answer(input);`) });
    const ended = beside.run('placeBoundaries', 'bomb' as never);
    const after = beside.run('placeBoundaries', 'harmless' as never);
    await expect(ended).rejects.toThrow(new TaskExhausted('it needed too much memory'));
    await expect(after).resolves.toBe('harmless');
  });

  test('knows none of the settings and secrets of the service', async () => {
    process.env['A_SECRET'] = 'hush';
    const beside = newProcess({ file: aProgram(`answer(process.env);`) });
    const known = Object.keys(await beside.run('placeBoundaries', new Uint8Array()));
    expect(known.sort()).toEqual(['MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']);
    delete process.env['A_SECRET'];
  });

  test('ends a task that takes too long', async () => {
    const beside = newProcess({ limitMs: 5 });
    await expect(beside.run('checkGeoJson', input(9_000))).rejects.toThrow(TaskExhausted);
  });

  test('is ended when it is idle, and started again for the next task', async () => {
    const beside = newProcess({ idleMs: 1 });
    for (let round = 0; round < 3; round += 1) {
      await expect(beside.run('checkGeoJson', input(1))).resolves.toMatchObject({ fields: 1 });
      await new Promise((done) => setTimeout(done, 30));
    }
  });

  test('fails its tasks when its program is missing, and does not wait for ever', async () => {
    const beside = newProcess({ file: pathToFileURL(join(worker.folder, 'missing.mjs')) });
    await expect(beside.run('checkGeoJson', input(1))).rejects.toThrow(/Cannot find module/);
  });
});

describe('the program of that process', () => {
  test('goes on when a terminal interrupts it together with the host, which drains', async () => {
    const child = fork(fileURLToPath(worker.file), { serialization: 'advanced' });
    const ask = (fields: number) => {
      child.send({ name: 'checkGeoJson', input: input(fields) });
      return once(child, 'message');
    };
    await ask(1);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    await expect(ask(2)).resolves.toMatchObject([{ output: { fields: 2 } }]);
    child.kill('SIGKILL');
  });

  test('ends when the host is gone', async () => {
    const child = fork(fileURLToPath(worker.file), { serialization: 'advanced' });
    child.disconnect();
    await expect(once(child, 'exit')).resolves.toEqual([0, null]);
  });
});
