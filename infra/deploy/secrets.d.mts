import type { Ports } from './ports.mjs';
export declare function ensureSecrets(ports: Ports): Promise<void>;
