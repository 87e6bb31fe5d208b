/** One setting: how it is written, what it means and what it becomes. */
export interface Setting<T> {
  readonly meaning: string;
  readonly example: string;
  /** Text used when the variable is absent; a setting without it is required unless `optional`. */
  readonly fallback?: string;
  readonly optional?: true;
  /** @throws Error with the rule that the text breaks */
  readonly parse: (text: string) => T;
}

/** A setting that is taken as it stands. */
export const text = (value: string): string => value;

/** `true` or `false`. */
export const flag = (value: string): boolean => {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
  return value === 'true';
};

/** A whole number within bounds, both included. */
export const wholeNumber =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return number;
  };

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** True for an address of this machine itself. @param address an absolute URL */
export const isLoopback = (address: string): boolean => LOOPBACK.has(new URL(address).hostname);

/** An address to call: https, or http on this machine's loopback address only. No trailing slash. */
export function url(value: string): string {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined) throw new Error('must be an absolute URL');
  if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && LOOPBACK.has(parsed.hostname))) {
    throw new Error('must be an https address');
  }
  if (parsed.username !== '' || parsed.password !== '') throw new Error('must not hold a user name or password');
  return value.replace(/\/+$/, '');
}
