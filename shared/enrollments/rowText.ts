/** Most UTF-16 units of one string property: a table property takes 64 KiB, two bytes a unit. */
const CHUNK_UNITS = 30_000;

/**
 * A text of any length as the properties of a table row: `text0`, `text1`, …
 *
 * A cut never falls between the two halves of a character, which would be lost on the way through UTF-8.
 */
export function textProperties(text: string): Record<string, string> {
  const properties: Record<string, string> = {};
  let start = 0;
  for (let count = 0; count === 0 || start < text.length; count += 1) {
    let end = Math.min(text.length, start + CHUNK_UNITS);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    properties[`text${count}`] = text.slice(start, end);
    start = end;
  }
  return properties;
}

/** The text of a row written with `textProperties`. */
export function textOfProperties(row: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (let count = 0; ; count += 1) {
    const chunk = row[`text${count}`];
    if (typeof chunk !== 'string') return text;
    text += chunk;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
