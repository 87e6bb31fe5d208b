import type { TypedData } from './rpc.js';

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The text a queue message carries, or undefined when it is not base64 where base64 is expected. */
export function decodeMessage(text: string, encoding: 'base64' | 'none'): string | undefined {
  if (encoding === 'none') return text;
  const compact = text.replace(/[ \t\r\n]/g, '');
  return base64.test(compact) ? Buffer.from(compact, 'base64').toString('utf8') : undefined;
}

/** A text as it stands in the queue. */
export const encodeMessage = (text: string | Uint8Array, encoding: 'base64' | 'none'): string =>
  encoding === 'base64' ? Buffer.from(text).toString('base64') : Buffer.from(text).toString('utf8');

const indented = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function arrayOf(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The messages one output value makes: an array, or a text that holds a JSON array, one for each element; objects
 * indented, as the host serializes them; bytes as they are.
 */
export function outputMessages(data: TypedData): (string | Uint8Array)[] {
  if (data.bytes !== undefined) return [data.bytes];
  const text = data.json ?? data.string ?? data.int?.toString() ?? data.double?.toString() ?? '';
  const elements = arrayOf(text);
  if (elements !== undefined) return elements.map(indented);
  return [data.json === undefined ? text : indented(JSON.parse(data.json))];
}
