import type { Ports } from './ports.mjs';
export declare function printVariables(ports: Pick<Ports, 'env' | 'log'>): void;
