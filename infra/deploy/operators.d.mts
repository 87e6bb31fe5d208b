import type { Ports } from './ports.mjs';
export declare function ensureOperators(ports: Ports, args: readonly string[]): Promise<void>;
