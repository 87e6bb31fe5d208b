/** A map that keeps what was used last: beyond its size each new entry pushes out those unused for longest. */
export class RecentMap<Value> {
  readonly #size: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #entries = new Map<string, Value>();
  #taken = 0;

  /** @param size of all entries together @param sizeOf one entry; 1 when absent, so that `size` counts entries */
  constructor(size: number, sizeOf: (value: Value) => number = () => 1) {
    this.#size = size;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Puts the entry in, as the one used last. */
  use(key: string, value: Value): void {
    this.drop(key);
    this.#entries.set(key, value);
    this.#taken += this.#sizeOf(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#taken <= this.#size) return;
      this.drop(oldest);
    }
  }

  /** Forgets an entry, where there is one. */
  drop(key: string): void {
    const known = this.#entries.get(key);
    if (known === undefined) return;
    this.#entries.delete(key);
    this.#taken -= this.#sizeOf(known);
  }
}
