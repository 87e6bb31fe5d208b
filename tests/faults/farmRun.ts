// What runs of farm data share: processes of the product's own code, on storage in memory, with a clock moved by hand, that
// die at any write.
import type { FarmWorld } from '../farm/farmWorld.js';
import { immortal, Mortal } from '../farm/mortal.js';

/** What a run draws from. */
export interface Drawn {
  readonly random: () => number;
}

/** What a run has counted, and what was wrong. */
export interface Found {
  readonly counts: Readonly<Record<string, number>>;
  readonly breaches: readonly string[];
}

/** A whole number below. */
export const drawnOf = (random: () => number, most: number): number => Math.floor(random() * most);
/** One that dies at one of its first writes, before it takes effect or behind it. */
export const drawnMortal = (random: () => number, writes: number): Mortal =>
  new Mortal(1 + drawnOf(random, writes), random() < 0.5);

const STEP_MS = 500;

/** Lets time pass until no work is open; processes die now and then and are followed by others. @returns how many died */
export async function liveUntilDone(world: FarmWorld, random: () => number): Promise<number> {
  let deaths = 0;
  let mortal = drawnMortal(random, 30);
  let process = world.process(mortal);
  for (let step = 1; (await world.openWork()).length > 0; step += 1) {
    if (mortal.isDead) {
      deaths += 1;
      // The last ones live, so that there is an end.
      mortal = deaths < 8 ? drawnMortal(random, 30) : immortal();
      process = world.process(mortal);
    }
    await world.clock.advance(STEP_MS);
    const { kernel, kinds } = process;
    const next = kernel.sent.find(({ dueAt }) => dueAt <= world.now());
    const turn = next === undefined ? undefined : kernel.takeNext();
    const kind = turn && kinds.get(turn.kind);
    if (turn !== undefined && kind !== undefined) await kernel.handle(turn, kind).catch(() => undefined);
    if (step % 120 === 0) await kernel.sweep().catch(() => undefined);
  }
  return deaths;
}
