import type { Ports } from './ports.mjs';
export declare function registerFirstTenant(ports: Ports): Promise<void>;
