import { parseExact } from '../kit/exactJson.js';

/** A body in JSON. */
export interface JsonText {
  readonly bytes: Uint8Array;
  /** Whether numbers are read by `parseExact`; by `JSON.parse` when false. */
  readonly keepsDigits: boolean;
}

/** Its value, or what is wrong with it. */
export type ParsedJson = { readonly value: unknown; readonly wrong?: undefined } | { readonly wrong: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Levels of lists and objects: nothing that callers send has ten. */
const MOST_LEVELS = 64;

/** Reads a body: in the event loop a small one, and a large one beside it. */
export function parsedJson({ bytes, keepsDigits }: JsonText): ParsedJson {
  if (isDeep(bytes)) return { wrong: `The body has lists or objects more than ${MOST_LEVELS} levels deep.` };
  try {
    const text = utf8.decode(bytes);
    return { value: keepsDigits ? parseExact(text) : (JSON.parse(text) as unknown) };
  } catch {
    return { wrong: 'The body is not JSON in UTF-8.' };
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** A value of many levels ends the process that hands it to another. */
function isDeep(bytes: Uint8Array): boolean {
  let [level, isText] = [0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) isText = !isText;
    else if (isText) continue;
    else if (OPENING.has(byte)) level += 1;
    else if (CLOSING.has(byte)) level -= 1;
    if (level > MOST_LEVELS) return true;
  }
  return false;
}
