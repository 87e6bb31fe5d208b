import type { Ports } from './ports.mjs';
export declare function rotateSecret(ports: Ports, args: readonly string[]): void;
