import type { ErrorShape } from '../../kit/errors/wire.js';

/** What the host must know of every function, and nothing else: plain data that costs nothing to load. */
export interface Manifest {
  readonly routes: readonly {
    readonly name: string;
    readonly path: string;
    readonly methods: readonly string[];
    readonly errors: ErrorShape;
  }[];
  readonly queues: readonly { readonly name: string; readonly queue: string; readonly connection: string }[];
  readonly timers: readonly { readonly name: string; readonly schedule: string }[];
}
