import type { Ports } from './ports.mjs';
export declare function deployFirst(ports: Ports): Promise<void>;
