import type { Clock } from '../../shared/kit/clock.js';

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly action: () => void;
}

/** A clock that stands still until it is told to move; its timers fire in order on the way. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(start = '2026-06-15T12:00:00Z') {
    this.#now = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#now);
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer: Timer = { at: this.#now + milliseconds, every: undefined, action: resolve };
      this.#timers.add(timer);
      signal?.addEventListener('abort', () => {
        this.#timers.delete(timer);
        resolve();
      });
    });
  }

  every(milliseconds: number, action: () => void): () => void {
    const timer: Timer = { at: this.#now + milliseconds, every: milliseconds, action };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Sets the time without firing anything, as a clock that is put right does. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Moves on, fires what is due on the way and lets what it caused run before the next. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (let due = this.#next(end); due !== undefined; due = this.#next(end)) {
      this.#now = Math.max(this.#now, due.at);
      if (due.every === undefined) this.#timers.delete(due);
      else due.at += due.every;
      due.action();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (timer.at <= end && timer.at < (first?.at ?? Infinity)) first = timer;
    return first;
  }
}

/** Lets every promise that can go on do so. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
