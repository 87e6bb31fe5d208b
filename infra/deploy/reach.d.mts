import type { Ports } from './ports.mjs';
export declare function reach(ports: Ports, args: readonly string[]): void;
