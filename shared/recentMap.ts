/** A map that keeps what was used last: beyond its size each new entry pushes out the one unused for longest. */
export class RecentMap<Value> {
  readonly #size: number;
  readonly #entries = new Map<string, Value>();

  /** @param size most entries at once */
  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Puts the entry in, as the one used last. */
  use(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#size && oldest !== undefined) this.#entries.delete(oldest);
  }
}
