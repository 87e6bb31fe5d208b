import { ImportFault } from './importFault.js';

/** Bytes decoded in one go, some two milliseconds of a parser: between two pieces others may have their turn. */
const PIECE_BYTES = 8 * 1024;
const HEAD_BYTES = 200;
/** An ampersand that begins no reference, though a parser would take the tag or quote behind it for a part of one. */
const LOOSE_AMPERSAND = /&(?=[#\w]{0,40}[<"'])/g;
/** What may go on in the next piece. */
const OPEN_AMPERSAND = /&[#\w]{0,40}$/;

/**
 * The text of an XML file, piece by piece, in the encoding that it names.
 *
 * @throws ImportFault for an encoding that is not known, and for bytes that are not in it
 */
export function* xmlText(bytes: Uint8Array): Generator<string> {
  const encoding = encodingOfXml(bytes);
  const decoder = new TextDecoder(encoding, { fatal: true });
  let held = '';
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    const text = held + decoded(decoder, bytes.subarray(start, start + PIECE_BYTES), encoding);
    held = OPEN_AMPERSAND.exec(text.slice(-42))?.[0] ?? '';
    yield text.slice(0, text.length - held.length).replaceAll(LOOSE_AMPERSAND, '&amp;');
  }
  yield held;
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, encoding: string): string {
  try {
    // Bytes of half a character at the very end are left out: the file is cut off, which its elements tell.
    return decoder.decode(bytes, { stream: true });
  } catch (cause) {
    const text = `The file is not written in ${encoding.toUpperCase()}. Save it as UTF-8, or name its encoding in the first line, as in <?xml version="1.0" encoding="windows-1252"?>.`;
    throw new ImportFault(text, { cause });
  }
}

/** First bytes of a text in two bytes a character: a mark, or "<" with its other half. */
const IN_TWO_BYTES: Readonly<Record<string, string>> = {
  '\u00ff\u00fe': 'utf-16le',
  '<\0': 'utf-16le',
  '\u00fe\u00ff': 'utf-16be',
  '\0<': 'utf-16be',
};

/** UTF-8, unless the first bytes or the declaration say otherwise. */
function encodingOfXml(bytes: Uint8Array): string {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));
  const inTwoBytes = IN_TWO_BYTES[head.slice(0, 2)];
  if (inTwoBytes !== undefined) return inTwoBytes;
  const named = /^[^<]*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1] ?? 'utf-8';
  // What was read in single bytes is none of two, whatever a writer of texts has put there.
  if (/^utf-?16/i.test(named)) return 'utf-8';
  try {
    return new TextDecoder(named).encoding;
  } catch (cause) {
    const shown = named.slice(0, 60).replaceAll(/\p{C}/gu, '?');
    throw new ImportFault(`The file names the encoding ${shown}, which is not known. Save it as UTF-8.`, { cause });
  }
}
