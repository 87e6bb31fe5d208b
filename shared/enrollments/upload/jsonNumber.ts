const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
/** `e` and `E` apart from their case. */
const SMALL_E = 0x65;
const SMALL = 0x20;

/** Powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * The number in these bytes, which have the form that JSON wants: the same double as `JSON.parse` gives.
 *
 * Where a double holds both the digits and the power of ten exactly, the result is rounded once (Clinger 1990). Other
 * numbers are parsed by the language, from a string.
 */
export function numberIn(bytes: Buffer, start: number, end: number): number {
  let digits = 0;
  let pointAt = end;
  let at = start;
  for (; at < end && !isLetterE(bytes[at]); at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= ZERO) digits = digits * 10 + (byte - ZERO);
    else if (byte === POINT) pointAt = at;
  }
  const decimals = Math.max(0, at - 1 - pointAt);
  const size = scaled(digits, exponentIn(bytes, at + 1, end) - decimals);
  if (size === undefined) return Number(bytes.toString('latin1', start, end));
  return bytes[start] === MINUS ? -size : size;
}

/** `digits` · 10^`exponent`; undefined when it would be rounded twice. */
function scaled(digits: number, exponent: number): number | undefined {
  const power = POWERS[Math.abs(exponent)];
  if (power === undefined || digits > Number.MAX_SAFE_INTEGER) return undefined;
  return exponent < 0 ? digits / power : digits * power;
}

const isLetterE = (byte: number | undefined): boolean => byte !== undefined && (byte | SMALL) === SMALL_E;

/** What stands behind the letter, 0 when nothing does. */
function exponentIn(bytes: Buffer, start: number, end: number): number {
  let exponent = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte !== PLUS && byte !== MINUS) exponent = exponent * 10 + (byte - ZERO);
  }
  return bytes[start] === MINUS ? -exponent : exponent;
}
