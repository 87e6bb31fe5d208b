/** Calls of storage by what they ask: each is one request, but for lists of many pages. */
export class StorageCalls {
  /** Name of the table or container, and the method. */
  readonly made: string[] = [];

  /** Rows or blobs whose calls are noted. */
  readonly watched = <T extends object>(name: string, target: T): T =>
    new Proxy(target, {
      get: (_target, method) => {
        const value: unknown = Reflect.get(target, method, target);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          this.made.push(`${name} ${String(method)}`);
          return Reflect.apply(value, target, given);
        };
      },
    });
}
