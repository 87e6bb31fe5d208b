/** The end of a process in the middle of its work. */
export class Killed extends Error {}

/** Methods of rows and blobs that change something. */
const WRITES = new Set(['insert', 'update', 'patch', 'put', 'merge', 'delete', 'transact', 'deleteMany', 'write']);

/** A process that ends at one of its writes, before it takes effect or behind it; from then on it does nothing. */
export class Mortal {
  writes = 0;
  isDead = false;
  readonly #diesAt: number;
  readonly #takesEffect: boolean;

  constructor(diesAt: number, takesEffect: boolean) {
    this.#diesAt = diesAt;
    this.#takesEffect = takesEffect;
  }

  /** Rows or blobs as this process calls them. */
  uses<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_target, name) => {
        const method: unknown = Reflect.get(target, name, target);
        if (typeof method !== 'function') return method;
        return (...given: unknown[]) => this.#call(String(name), () => method.apply(target, given) as unknown);
      },
    });
  }

  #call(name: string, call: () => unknown): unknown {
    // What answers with a promise never throws at once.
    if (this.isDead && name !== 'scan') return Promise.reject(new Killed());
    if (this.isDead) throw new Killed();
    if (!WRITES.has(name)) return call();
    this.writes += 1;
    if (this.writes !== this.#diesAt) return call();
    this.isDead = true;
    if (!this.#takesEffect) return Promise.reject(new Killed());
    return Promise.resolve(call()).then(() => {
      throw new Killed();
    });
  }
}

/** One that lives on. */
export const immortal = (): Mortal => new Mortal(Infinity, false);
