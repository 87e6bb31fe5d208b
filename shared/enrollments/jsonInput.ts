import { isAscii, isUtf8 } from 'node:buffer';
import type { FaultDetail } from '../errors/fault.js';
import { structureFault, type StructureBudget } from './structureBudget.js';

export type JsonInput =
  { readonly value: unknown; readonly fault?: undefined } | { readonly value?: undefined; readonly fault: FaultDetail };

/**
 * The JSON value of an uploaded part, looked over before it is parsed.
 *
 * UTF-8 only; a byte order mark is dropped. Of equal keys in one object the last one counts.
 */
export function readJsonInput(part: string, bytes: Uint8Array, budget: StructureBudget): JsonInput {
  const fault = (text: string, type: string): JsonInput => ({ fault: { loc: [part], msg: `${part} ${text}`, type } });
  const content = withoutMark(bytes);
  if (!isUtf8(content)) return fault('is not UTF-8', 'encoding');
  const tooMuch = structureFault(content, budget);
  if (tooMuch !== undefined) return fault(tooMuch, 'too_complex');
  try {
    return { value: JSON.parse(textOf(content)) as unknown };
  } catch (error) {
    return fault(`is not JSON${positionIn(error)}`, 'json');
  }
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Text of ASCII alone takes one byte a character in memory, other text two. */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(isAscii(buffer) ? 'latin1' : 'utf8');
}

/** The parser's message may repeat the input, so only the place is taken from it. */
function positionIn(error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? '' : `: look at character ${position}`;
}
