import { OPEN_OBJECT, QUOTE, type JsonScanner } from './jsonScanner.js';

/** A text, null for any other value, undefined when there is none. */
export type TextMember = string | null | undefined;

/**
 * Scans an object and calls `read` at the value of each member with one of these names, in the order of the members: of
 * equal names the last counts. `read` must read or skip the value; other values are skipped.
 *
 * @returns false when the value is no object; then it was skipped
 */
export function readMembers<N extends string>(
  scanner: JsonScanner,
  names: readonly N[],
  read: (name: N) => void,
): boolean {
  if (scanner.peek() !== OPEN_OBJECT) {
    scanner.skipValue();
    return false;
  }
  for (let more = scanner.enterObject(); more; more = scanner.hasMoreMembers()) {
    const start = scanner.readName();
    const name = names.find((candidate) => scanner.isText(start, candidate));
    if (name === undefined) scanner.skipValue();
    else read(name);
  }
  return true;
}

/** Skips a value. @returns the index of its first byte */
export function place(scanner: JsonScanner): number {
  scanner.peek();
  const { at } = scanner;
  scanner.skipValue();
  return at;
}

/** The text at this index, to be read after the whole object, so that only the last of equal names is built. */
export function textAt(scanner: JsonScanner, at: number | undefined): TextMember {
  if (at === undefined) return undefined;
  return scanner.bytes[at] === QUOTE ? scanner.textAt(at) : null;
}

/** Index of a member's value; undefined when there is no such member or no object. */
export function readMember(scanner: JsonScanner, name: string): number | undefined {
  let at: number | undefined;
  readMembers(scanner, [name], () => {
    at = place(scanner);
  });
  return at;
}
