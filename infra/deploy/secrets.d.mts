import type { Ports } from './ports.mjs';
export declare const SECRETS: readonly { readonly name: string; readonly what: string }[];
export declare function ensureSecrets(ports: Ports): Promise<void>;
