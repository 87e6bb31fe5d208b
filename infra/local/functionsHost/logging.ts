import type { LogLevel } from './rpc.js';

const order: readonly string[] = ['trace', 'debug', 'information', 'warning', 'error', 'critical', 'none'];

/** Where the host's own lines and those of the functions go. */
export interface HostLog {
  /** A line of the host itself. @param category `Host` unless another part of the platform writes it */
  system(level: LogLevel, message: string, category?: string): void;
  /** A line a function wrote, exactly as it wrote it. */
  user(functionName: string, level: LogLevel, message: string): void;
}

/**
 * The least level of a category: the longest configured prefix of it decides, else `default`, else information. A prefix
 * may have one `*`: `Function.*.User` is what functions write, whatever their names.
 */
export function leastLevel(logLevels: Readonly<Record<string, string>>, category: string): string {
  const fits = (prefix: string): boolean => {
    const [start = '', end] = prefix.split('*');
    if (end !== undefined) return category.startsWith(start) && category.endsWith(end);
    return category === prefix || category.startsWith(`${prefix}.`);
  };
  const longest = Object.keys(logLevels)
    .filter(fits)
    .toSorted((left, right) => right.length - left.length)[0];
  return (logLevels[longest ?? 'default'] ?? 'information').toLowerCase();
}

/** A log that writes the functions' lines to one stream and the host's to another, filtered by host.json levels. */
export function createLog(
  logLevels: Readonly<Record<string, string>>,
  writeUser: (line: string) => void,
  writeSystem: (line: string) => void,
): HostLog {
  const passes = (category: string, level: LogLevel): boolean =>
    order.indexOf(level) >= order.indexOf(leastLevel(logLevels, category));
  return {
    system: (level, message, category = 'Host') => {
      if (passes(category, level)) writeSystem(`[functions host] ${level}: ${message}`);
    },
    user: (functionName, level, message) => {
      if (passes(`Function.${functionName}.User`, level)) writeUser(message);
    },
  };
}
