import type { Ports } from './ports.mjs';
export declare const providers: readonly string[];
export declare function register(ports: Ports, args?: readonly string[]): Promise<void>;
