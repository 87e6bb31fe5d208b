import type { Ports } from './ports.mjs';
export declare function settingsOf(text: string): Readonly<Record<string, string>>;
export declare function release(
  ports: Ports,
  what: {
    readonly folder: string;
    readonly commit: string;
    readonly infrastructure: 'changed' | 'always' | 'never';
    readonly stays: boolean;
    readonly withoutPause: boolean;
  },
): Promise<void>;
