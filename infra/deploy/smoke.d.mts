import type { Ports } from './ports.mjs';
export declare function valuesOf(text: string): Readonly<Record<string, string>>;
export declare function targetOfAzd(
  ports: Ports,
): Promise<{ readonly baseUrl: string; readonly env: Readonly<Record<string, string>> }>;
