/** A text, passed over as a whole, or a member's number. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|(:[ \t\n\r]*)(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
/** Without either no number is above 2^53 and has digits that a double loses: most texts are looked through once. */
const MAY_BE_WIDE = /\d{16}|\d[eE]/;

/**
 * JSON whose members have texts in place of those numbers above 2^53 whose digits a double does not give back: ids are such
 * numbers. Numbers in arrays, as coordinates are, stay as they are.
 *
 * @param text known to be JSON: in others this may take time by the square of their length
 */
export function exactText(text: string): string {
  if (!MAY_BE_WIDE.test(text)) return text;
  return text.replaceAll(TEXT_OR_NUMBER, (token, before: string | undefined, number: string | undefined) =>
    before === undefined || number === undefined || isHeld(number) ? token : `${before}"${withoutZeros(number)}"`,
  );
}

/** The value of a text as `JSON.parse` gives it, with the texts of `exactText`. @throws SyntaxError */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const exact = attempted(() => exactText(text)) ?? text;
  return exact === text ? value : JSON.parse(exact);
}

/** Undefined for a text with millions of escapes, over which the expression runs out of stack. */
function attempted(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a double says the same; one with an exponent is a measure, of which it says enough. */
function isHeld(number: string): boolean {
  const double = Number(number);
  if (Math.abs(double) <= Number.MAX_SAFE_INTEGER) return true;
  return /e/i.test(number) ? Number.isFinite(double) : String(double) === withoutZeros(number);
}

/** Without decimals that are nothing but zeros. */
const withoutZeros = (number: string): string => number.replace(/\.0+$/, '');
