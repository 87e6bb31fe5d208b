import { isAscii, isUtf8 } from 'node:buffer';
import type { FaultDetail } from '../errors/fault.js';
import { parseExact } from './exactJson.js';
import { JsonFault, JsonScanner, OPEN_OBJECT } from './jsonScanner.js';
import type { StructureBudget } from './structureBudget.js';

/** What was read from an uploaded part, or its fault. */
export type JsonInput<T = unknown> =
  { readonly value: T; readonly fault?: undefined } | { readonly value?: undefined; readonly fault: FaultDetail };

/**
 * Reads an uploaded part, which must be one JSON value in UTF-8; a byte order mark is dropped.
 *
 * @param read is given a scanner at the beginning, and must read or skip the whole value
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

/** Whether JSON texts follow each other, with a separator before each (RFC 8142) or without. */
const isSequence = (bytes: Buffer, at: number, isRead: boolean): boolean =>
  bytes[0] === RECORD_SEPARATOR || (isRead && bytes[at] === OPEN_OBJECT);

/** What is wrong with a text that is no JSON from index `at` on: the end of a sentence. */
function jsonText(bytes: Buffer, at: number): string {
  if (at < bytes.length) return `is not JSON at ${placeOf(bytes, at)}`;
  return isBlank(bytes) ? 'is empty' : `ends before its JSON is whole, at ${placeOf(bytes, at)}`;
}

const isBlank = (bytes: Buffer): boolean => bytes.toString('latin1').trim() === '';

/** Line and column of a byte as most editors count them. */
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

/** The JSON value of an uploaded part, scanned before it is parsed, by `parseExact`. Of equal keys in one object the last counts. */
export function readJsonInput(part: string, bytes: Uint8Array, budget: StructureBudget): JsonInput {
  const scanned = scanJsonInput({ part, bytes, budget }, (scanner) => {
    scanner.skipValue();
    return scanner.bytes;
  });
  return scanned.fault === undefined ? { value: parseExact(textOf(scanned.value)) } : scanned;
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Decoded as latin1 when it is ASCII: such a string needs one byte for each character in memory instead of two. */
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

/** First bytes of what callers upload by mistake, and what to do about it. */
const signatures: readonly { readonly bytes: readonly number[]; readonly text: string }[] = [
  { bytes: [0x1f, 0x8b], text: 'is compressed with gzip; send it unpacked' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], text: 'is a ZIP archive; send the file that is in it, as GeoJSON or JSON' },
  { bytes: [0xff, 0xfe], text: 'is UTF-16; save it as UTF-8' },
  { bytes: [0xfe, 0xff], text: 'is UTF-16; save it as UTF-8' },
];

/** What bytes are that cannot be JSON in UTF-8: the end of a sentence. Undefined when they may be. */
function foreignText(bytes: Uint8Array): string | undefined {
  const known = signatures.find((signature) => signature.bytes.every((byte, index) => bytes[index] === byte));
  if (known !== undefined) return known.text;
  // UTF-16 without a byte order mark: JSON begins with an ASCII character, whose other byte is zero.
  return bytes.length > 1 && (bytes[0] === 0 || bytes[1] === 0) ? 'is UTF-16; save it as UTF-8' : undefined;
}
