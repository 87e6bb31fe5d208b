import { isAscii, isUtf8 } from 'node:buffer';
import type { FaultDetail } from '../errors/fault.js';
import { foreignText } from './foreignBytes.js';
import { JsonFault, JsonScanner, OPEN_OBJECT } from './jsonScanner.js';
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
  const foreign = foreignText(bytes);
  if (foreign !== undefined) return fault(foreign, 'encoding');
  if (!isUtf8(content)) return fault('is not UTF-8', 'encoding');
  const scanner = new JsonScanner(content, budget);
  let isRead = false;
  try {
    const value = read(scanner);
    isRead = true;
    scanner.end();
    return { value };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (error.type !== 'json') return fault(error.message, error.type);
    return fault(isSequence(scanner.bytes, error.at, isRead) ? SEQUENCE : jsonText(scanner.bytes, error.at), 'json');
  }
}

const SEQUENCE = 'is a sequence of JSON texts (GeoJSONSeq); send one FeatureCollection that holds them all';
const RECORD_SEPARATOR = 0x1e;

/** Texts one after the other, each behind a mark (RFC 8142) or simply behind the one before, which is read then. */
const isSequence = (bytes: Buffer, at: number, isRead: boolean): boolean =>
  bytes[0] === RECORD_SEPARATOR || (isRead && bytes[at] === OPEN_OBJECT);

/** What is wrong with a text that is no JSON from a place on: the end of a sentence. */
function jsonText(bytes: Buffer, at: number): string {
  if (at < bytes.length) return `is not JSON at ${placeOf(bytes, at)}`;
  return isBlank(bytes) ? 'is empty' : `ends before its JSON is whole, at ${placeOf(bytes, at)}`;
}

const isBlank = (bytes: Buffer): boolean => bytes.toString('latin1').trim() === '';

/** As most editors count. */
function placeOf(bytes: Buffer, at: number): string {
  let line = 1;
  let lineStart = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0 && end < at; end = bytes.indexOf(NEWLINE, lineStart)) {
    line += 1;
    lineStart = end + 1;
  }
  return `line ${line}, column ${charactersIn(bytes.subarray(lineStart, at)) + 1} (byte ${at})`;
}

const NEWLINE = 0x0a;

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

/** UTF-16 units: characters as most editors count them. */
function charactersIn(bytes: Uint8Array): number {
  let units = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  return units;
}
