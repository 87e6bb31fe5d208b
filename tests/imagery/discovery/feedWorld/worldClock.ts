import { ManualClock } from '../../../support/manualClock.js';

/** A promise that no one settles: what a process that was killed still waits for. */
const never = <T>(): Promise<T> => new Promise(() => undefined);

/**
 * The clock of a simulated service. Time moves between two runs of functions, and inside a run only by what the run waits
 * for (`spend`, `sleep`). A run that would last longer than `longestRunMs` is killed at that instant, with its process.
 */
export class WorldClock extends ManualClock {
  /** Milliseconds after which the host kills a run. */
  longestRunMs = Infinity;
  #killAt = Infinity;
  #kill: () => void = () => undefined;

  get nowMs(): number {
    return this.now().getTime();
  }

  /** Moves on to an instant; never back. */
  moveTo(instant: number): void {
    this.jump(Math.max(0, instant - this.nowMs));
  }

  /** Time that an answer takes. Never resolves when the process is killed before that. */
  spend(milliseconds: number): Promise<void> {
    const isKilled = this.nowMs + milliseconds > this.#killAt;
    this.moveTo(Math.min(this.nowMs + milliseconds, this.#killAt));
    if (!isKilled) return Promise.resolve();
    this.#kill();
    return never();
  }

  override sleep(milliseconds: number): Promise<void> {
    return this.spend(milliseconds);
  }

  /** Leases need no renewal: nothing else runs beside a run. */
  override every(): () => void {
    return () => undefined;
  }

  /** Runs one function as the host does. @returns whether the run came to its end */
  async run(act: () => Promise<void>): Promise<boolean> {
    this.#killAt = this.nowMs + this.longestRunMs;
    const killed = new Promise<false>((resolve) => {
      this.#kill = () => {
        resolve(false);
      };
    });
    const isEnded = await Promise.race([act().then(() => true), killed]);
    this.#killAt = Infinity;
    return isEnded;
  }
}
