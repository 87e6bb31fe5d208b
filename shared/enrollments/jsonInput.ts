import { isAscii, isUtf8 } from 'node:buffer';
import type { FaultDetail } from '../errors/fault.js';
import { JsonFault, JsonScanner } from './jsonScanner.js';
import type { StructureBudget } from './structureBudget.js';

export type JsonInput<T = unknown> =
  { readonly value: T; readonly fault?: undefined } | { readonly value?: undefined; readonly fault: FaultDetail };

/**
 * What `read` takes from an uploaded part, which must be one JSON value from beginning to end.
 *
 * UTF-8 only; a byte order mark is dropped.
 *
 * @param read given a scanner at the beginning, goes over the whole value
 */
export function scanJsonInput<T>(
  { part, bytes, budget }: { readonly part: string; readonly bytes: Uint8Array; readonly budget: StructureBudget },
  read: (scanner: JsonScanner) => T,
): JsonInput<T> {
  const fault = (text: string, type: string): JsonInput<T> => ({
    fault: { loc: [part], msg: `${part} ${text}`, type },
  });
  const content = withoutMark(bytes);
  if (!isUtf8(content)) return fault('is not UTF-8', 'encoding');
  const scanner = new JsonScanner(content, budget);
  try {
    const value = read(scanner);
    scanner.end();
    return { value };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const place = error.type === 'json' ? `: look at character ${charactersIn(content, error.at)}` : '';
    return fault(`${error.message}${place}`, error.type);
  }
}

/** The JSON value of an uploaded part, looked over before it is parsed. Of equal keys in one object the last counts. */
export function readJsonInput(part: string, bytes: Uint8Array, budget: StructureBudget): JsonInput {
  const scanned = scanJsonInput({ part, bytes, budget }, (scanner) => {
    scanner.skipValue();
    return scanner.bytes;
  });
  return scanned.fault === undefined ? { value: JSON.parse(textOf(scanned.value)) as unknown } : scanned;
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Text of ASCII alone takes one byte a character in memory, other text two. */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(isAscii(buffer) ? 'latin1' : 'utf8');
}

/** UTF-16 units before a byte: characters as most editors count them. */
function charactersIn(bytes: Uint8Array, end: number): number {
  let units = 0;
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}
