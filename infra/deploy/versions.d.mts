import type { Ports } from './ports.mjs';
export declare const minimumVersions: Readonly<Record<'node' | 'az' | 'azd' | 'gh', string>>;
export declare function requireVersions(ports: Ports, names: readonly (keyof typeof minimumVersions)[]): void;
