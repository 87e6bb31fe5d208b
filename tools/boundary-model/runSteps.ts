import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Step } from './recipe.js';

/** Runs one step's program to its end; throws when it fails. */
export type StepRunner = (step: Step, folder: string) => Promise<void>;

export interface RunOptions {
  /** Every step writes to its folder below. */
  readonly out: string;
  /** Steps at the same time. */
  readonly jobs: number;
  readonly run: StepRunner;
}

/** What a step's folder says of it, in `step.json`. */
interface StepState {
  /** Follows from the step and everything that it needs. */
  readonly key: string;
  readonly isDone: boolean;
}

/**
 * Runs the steps that are not done; those that a step needs stand before it. A step that was begun goes on with what
 * its folder holds; one whose arguments, or those of a step it needs, have changed since begins anew.
 *
 * @throws what the first failing step throws, once those beside it have ended
 */
export async function runSteps(steps: readonly Step[], { out, jobs, run }: RunOptions): Promise<void> {
  const keys = keysOf(steps);
  const folderOf = ({ name }: Step): string => `${out}/${name}`;
  const done = new Set(
    steps.filter((step) => stateOf(folderOf(step), keys.get(step.name))?.isDone).map(({ name }) => name),
  );
  const running = new Map<string, Promise<void>>();
  const start = async (step: Step): Promise<void> => {
    const [folder, key] = [folderOf(step), keys.get(step.name) ?? ''];
    begin(folder, key);
    await run(step, folder);
    writeState(folder, { key, isDone: true });
    done.add(step.name);
    running.delete(step.name);
  };
  const isReady = ({ name, needs }: Step): boolean =>
    !done.has(name) && !running.has(name) && needs.every((need) => done.has(need));
  try {
    while (done.size < steps.length) {
      for (const step of steps.filter(isReady).slice(0, jobs - running.size)) running.set(step.name, start(step));
      await Promise.race(running.values());
    }
  } finally {
    await Promise.allSettled(running.values());
  }
}

/** A step's key holds those of the steps it needs, so that what changes before it changes it. */
function keysOf(steps: readonly Step[]): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { name, needs, program, arguments: rest } of steps) {
    const before = needs.map((need) => keys.get(need) ?? '');
    keys.set(
      name,
      createHash('sha256')
        .update(JSON.stringify([program, rest, before]))
        .digest('hex'),
    );
  }
  return keys;
}

/** Undefined where the folder was begun with another key, or not at all. */
function stateOf(folder: string, key: string | undefined): StepState | undefined {
  const file = `${folder}/step.json`;
  if (!existsSync(file)) return undefined;
  const state = JSON.parse(readFileSync(file, 'utf8')) as StepState;
  return state.key === key ? state : undefined;
}

function begin(folder: string, key: string): void {
  if (stateOf(folder, key) !== undefined) return;
  rmSync(folder, { recursive: true, force: true });
  writeState(folder, { key, isDone: false });
}

function writeState(folder: string, state: StepState): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/step.json`, JSON.stringify(state));
}
