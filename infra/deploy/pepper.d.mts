import type { Ports } from './ports.mjs';
export declare function ensurePepper(ports: Ports): Promise<void>;
