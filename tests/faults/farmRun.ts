// What runs of farm data share: processes of the product's own code, on storage in memory, with a clock moved by hand, that
// die at any write.
import type { FarmWorld, Process } from '../farm/farmWorld.js';
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

/** Processes that do what is due, die now and then and are followed by others. */
export class Life {
  deaths = 0;
  readonly #world: FarmWorld;
  readonly #random: () => number;
  #mortal: Mortal;
  #process: Process;
  #steps = 0;

  constructor(world: FarmWorld, random: () => number) {
    this.#world = world;
    this.#random = random;
    this.#mortal = drawnMortal(random, 30);
    this.#process = world.process(this.#mortal);
  }

  /** Half a second, in which one piece of work is done. */
  async step(): Promise<void> {
    const world = this.#world;
    this.#steps += 1;
    if (this.#mortal.isDead) {
      this.deaths += 1;
      // The last ones live, so that there is an end.
      this.#mortal = this.deaths < 8 ? drawnMortal(this.#random, 30) : immortal();
      this.#process = world.process(this.#mortal);
    }
    await world.clock.advance(STEP_MS);
    const { kernel, kinds } = this.#process;
    const next = kernel.sent.find(({ dueAt }) => dueAt <= world.now());
    const turn = next === undefined ? undefined : kernel.takeNext();
    const kind = turn && kinds.get(turn.kind);
    if (turn !== undefined && kind !== undefined) await kernel.handle(turn, kind).catch(() => undefined);
    if (this.#steps % 120 === 0) await kernel.sweep().catch(() => undefined);
  }
}

/** Lets time pass until no work is open; processes die now and then and are followed by others. @returns how many died */
export async function liveUntilDone(world: FarmWorld, random: () => number): Promise<number> {
  const life = new Life(world, random);
  while ((await world.openWork()).length > 0) await life.step();
  return life.deaths;
}
