/** How much structure a JSON text may have: size alone does not bound what parsing it costs. */
export interface StructureBudget {
  /** Levels of arrays and objects inside each other. */
  readonly depth: number;
  /** Arrays and objects altogether. */
  readonly brackets: number;
  /** Commas and colons altogether: about the number of values. */
  readonly separators: number;
  /** Bytes of one string, escapes as written. */
  readonly stringBytes: number;
}

/** Enough for 50 MB of positions written with six decimals. */
export const geoJsonBudget: StructureBudget = {
  depth: 32,
  brackets: 4_000_000,
  separators: 8_000_000,
  stringBytes: 65_536,
};

export const requestBudget: StructureBudget = { depth: 8, brackets: 1_000, separators: 5_000, stringBytes: 65_536 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a byte outside a string means. */
const NOTHING = 0;
const OPENING = 1;
const CLOSING = 2;
const SEPARATOR = 3;
const STRING = 4;
const kinds = new Uint8Array(256);
for (const [text, kind] of [
  ['[{', OPENING],
  [']}', CLOSING],
  [',:', SEPARATOR],
  ['"', STRING],
] as const) {
  for (const character of text) kinds[character.charCodeAt(0)] = kind;
}

/**
 * Looks over JSON bytes before they are parsed: one pass, no memory. It does not decide whether they are JSON.
 *
 * @returns what is too much, or undefined
 */
export function structureFault(bytes: Uint8Array, budget: StructureBudget): string | undefined {
  const counts = { brackets: 0, separators: 0, depth: 0 };
  for (let at = 0; at < bytes.length; at += 1) {
    const kind = kindOf(bytes[at]);
    if (kind === NOTHING) continue;
    if (kind === STRING) {
      const end = endOfString(bytes, at + 1);
      if (end - at - 1 > budget.stringBytes) return `has a text of more than ${budget.stringBytes} bytes`;
      at = end;
    } else if (kind === SEPARATOR) {
      counts.separators += 1;
      if (counts.separators > budget.separators) return `has more than ${budget.separators} values`;
    } else if (kind === CLOSING) {
      counts.depth -= 1;
    } else {
      counts.brackets += 1;
      counts.depth += 1;
      if (counts.depth > budget.depth) return `is nested more than ${budget.depth} levels deep`;
      if (counts.brackets > budget.brackets) return `has more than ${budget.brackets} arrays and objects`;
    }
  }
  return undefined;
}

const kindOf = (byte: number | undefined): number | undefined => kinds[byte ?? 0];

/** Where the closing quote stands, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
