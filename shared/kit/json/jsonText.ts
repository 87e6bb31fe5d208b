import { isJsonObject } from './json.js';
import { parseExact } from './exactJson.js';

/** A body in JSON. */
export interface JsonText {
  readonly bytes: Uint8Array;
  /** Whether numbers are read by `parseExact`; by `JSON.parse` when false. */
  readonly keepsDigits: boolean;
  /** A member that is handed on as its JSON, in bytes. */
  readonly apart?: string | undefined;
}

/** Its value, or what is wrong with it. */
export type ParsedJson = { readonly value: unknown; readonly wrong?: undefined } | { readonly wrong: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Largest JSON body in bytes, where an operation does not say another size. */
export const MAX_JSON_BYTES = 64 * 1024;

/** Reads a body: in the event loop a small one, and beside it one with a large member apart. */
export function parsedJson({ bytes, keepsDigits, apart }: JsonText): ParsedJson {
  try {
    const text = utf8.decode(bytes);
    const value = keepsDigits ? parseExact(text) : (JSON.parse(text) as unknown);
    return apart === undefined || !isJsonObject(value) ? { value } : parted(value, apart);
  } catch {
    return { wrong: 'The body is not JSON in UTF-8.' };
  }
}

/** A body with a member as bytes; the others are no larger than a body without it may be. */
function parted(body: Readonly<Record<string, unknown>>, name: string): ParsedJson {
  const { [name]: member, ...others } = body;
  if (JSON.stringify(others).length > MAX_JSON_BYTES) {
    return { wrong: `The body has more than ${MAX_JSON_BYTES} characters beside ${name}.` };
  }
  if (member === undefined || member === null) return { value: body };
  return { value: { ...others, [name]: Buffer.from(JSON.stringify(member)) } };
}
