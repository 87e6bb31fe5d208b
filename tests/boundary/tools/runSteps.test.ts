import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recipeOf, type Step } from '../../../tools/boundary-model/recipe.js';
import { runSteps } from '../../../tools/boundary-model/runSteps.js';

const aStep = (name: string, needs: readonly string[] = [], ...rest: readonly string[]): Step => ({
  name,
  needs,
  program: 'any.ts',
  arguments: rest,
});

let out = '';
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'steps-'));
});
afterEach(() => {
  rmSync(out, { recursive: true });
});

/** Runs the steps, of which some fail, and says which ran, in the order of their beginning. */
async function ranOf(steps: readonly Step[], { jobs = 1, failing = [] as readonly string[] } = {}): Promise<string[]> {
  const ran: string[] = [];
  const run = (step: Step, folder: string): Promise<void> => {
    ran.push(step.name);
    appendFileSync(`${folder}/output`, step.name);
    return failing.includes(step.name) ? Promise.reject(new Error(`${step.name} failed`)) : Promise.resolve();
  };
  await runSteps(steps, { out, jobs, run }).catch((error: unknown) => ran.push((error as Error).message));
  return ran;
}

describe('the steps of a recipe', () => {
  const steps = [aStep('scenes'), aStep('weights', ['scenes']), aStep('table', ['weights']), aStep('other')];

  test('run once, each after those it needs', async () => {
    expect(await ranOf(steps)).toEqual(['scenes', 'weights', 'table', 'other']);
    expect(await ranOf(steps)).toEqual([]);
  });

  test('run beside each other where there is room', async () => {
    expect((await ranOf(steps, { jobs: 2 })).slice(0, 2)).toEqual(['scenes', 'other']);
  });

  test('stop at a failure, and go on from there with what the step had written', async () => {
    expect(await ranOf(steps, { failing: ['weights'] })).toEqual(['scenes', 'weights', 'weights failed']);
    expect(await ranOf(steps)).toEqual(['weights', 'table', 'other']);
    expect(readFileSync(`${out}/weights/output`, 'utf8')).toBe('weightsweights');
  });

  test('begin anew where a step or one that it needs was changed, and nowhere else', async () => {
    await ranOf(steps);
    const changed = steps.map((step) => (step.name === 'weights' ? aStep('weights', ['scenes'], '--seed', '2') : step));
    expect(await ranOf(changed)).toEqual(['weights', 'table']);
    expect(readFileSync(`${out}/table/output`, 'utf8')).toBe('table');
  });

  test('leave nothing of what another recipe wrote to the folder', async () => {
    await ranOf([aStep('scenes', [], '--count', '3')]);
    writeFileSync(`${out}/scenes/more`, '');
    await ranOf(steps);
    expect(existsSync(`${out}/scenes/more`)).toBe(false);
  });
});

describe.each([false, true])('the recipe of the model, keeping the network: %s', (keepsNetwork) => {
  const steps = recipeOf({ out: '/out', version: '2.0.0', share: 1, keepsNetwork });

  test('names every step once, after those it needs', () => {
    const names = steps.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [k, { needs }] of steps.entries()) expect(names.slice(0, k)).toEqual(expect.arrayContaining([...needs]));
  });

  test('reads only what the steps write that it says it needs', () => {
    for (const { name, needs, arguments: rest } of steps) {
      const folders = rest.flatMap((argument) => /^\/out\/([^/]+)/.exec(argument)?.[1] ?? []);
      expect([name, ...needs]).toEqual(expect.arrayContaining(folders));
    }
  });

  test('asks for scenes that no other step has seen', () => {
    const ranges = steps.flatMap(({ arguments: rest }) => {
      const numberAfter = (option: string): number => Number(rest[rest.indexOf(option) + 1]);
      return rest.includes('--first') ? [[numberAfter('--first'), numberAfter('--count')] as const] : [];
    });
    const sorted = ranges.toSorted(([a], [b]) => a - b);
    expect(sorted.length).toBeGreaterThan(5);
    for (const [k, [first]] of sorted.entries()) {
      const [before, count] = sorted[k - 1] ?? [0, 0];
      expect(first).toBeGreaterThanOrEqual(before + count);
    }
  });
});
