import type { StructureBudget } from './structureBudget.js';

/** Bytes that are no JSON, or have more structure than the budget allows. */
export class JsonFault extends Error {
  readonly type: 'json' | 'too_complex';
  /** Index of the first byte that doesn't belong. */
  readonly at: number;

  constructor(type: 'json' | 'too_complex', at: number, text = 'is not JSON') {
    super(text);
    this.name = 'JsonFault';
    this.type = type;
    this.at = at;
  }
}

export const QUOTE = 0x22;
export const OPEN_ARRAY = 0x5b;
export const OPEN_OBJECT = 0x7b;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;
const LARGE_E = 0x45;
const SMALL_E = 0x65;
/** First byte of `null`. */
export const NULL = 0x6e;
const FIRST_PRINTED = 0x20;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** Value of a hex digit, −1 for anything else. */
function hexValue(byte: number): number {
  if (isDigit(byte)) return byte - ZERO;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : -1;
}

/** What may follow a backslash, by the character it stands for; `u` takes four hex digits more. */
const ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', u: '' }).map(
    ([letter, meaning]) => [letter.charCodeAt(0), meaning],
  ),
);
const UNICODE_ESCAPE = 0x75;

const words = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));

/** Nothing follows. */
const END = -1;

/**
 * Scans JSON in UTF-8 without building values: its user reads some of them and skips the rest, which is checked too.
 * Refuses exactly the texts that `JSON.parse` refuses. Takes no memory, and time in proportion to the bytes.
 */
export class JsonScanner {
  readonly bytes: Buffer;
  /** Index of the next byte. */
  at: number;
  readonly #budget: StructureBudget;
  #brackets = 0;
  #separators = 0;
  #depth = 0;

  /** @param bytes UTF-8, known to be so */
  constructor(bytes: Uint8Array, budget: StructureBudget, at = 0) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#budget = budget;
    this.at = at;
  }

  /** Arrays and objects that were entered so far. */
  get brackets(): number {
    return this.#brackets;
  }

  /** The next byte that is no white space, without consuming it; −1 at the end. */
  peek(): number {
    const { bytes } = this;
    let byte = bytes[this.at] ?? END;
    while (isSpace(byte)) {
      this.at += 1;
      byte = bytes[this.at] ?? END;
    }
    return byte;
  }

  /** @throws JsonFault when anything but white space follows */
  end(): void {
    if (this.peek() !== END) throw new JsonFault('json', this.at);
  }

  /** Enters an array. @returns whether there is an item, at which the scanner stands then */
  enterArray(): boolean {
    return this.#enter(OPEN_ARRAY, CLOSE_ARRAY);
  }

  /** Behind an item. @returns whether there is another */
  hasMoreItems(): boolean {
    return this.#hasMore(CLOSE_ARRAY);
  }

  /** Enters an object. @returns whether there is a member; its name is to be read first */
  enterObject(): boolean {
    return this.#enter(OPEN_OBJECT, CLOSE_OBJECT);
  }

  /** Behind a member's value. @returns whether there is another member */
  hasMoreMembers(): boolean {
    return this.#hasMore(CLOSE_OBJECT);
  }

  /** Reads a member's name and its colon. @returns index of the name's opening quote, for `isText` */
  readName(): number {
    if (this.peek() !== QUOTE) throw new JsonFault('json', this.at);
    const start = this.at;
    this.skipText();
    if (this.peek() !== COLON) throw new JsonFault('json', this.at);
    this.at += 1;
    this.#separate();
    return start;
  }

  skipValue(): void {
    const first = this.peek();
    if (first === QUOTE) this.skipText();
    else if (first === MINUS || isDigit(first)) this.skipNumber();
    else if (first === OPEN_ARRAY) this.#skipArray();
    else if (first === OPEN_OBJECT) this.#skipObject();
    else this.#skipWord(words.get(first));
  }

  #skipArray(): void {
    for (let more = this.enterArray(); more; more = this.hasMoreItems()) this.skipValue();
  }

  #skipObject(): void {
    for (let more = this.enterObject(); more; more = this.hasMoreMembers()) {
      this.readName();
      this.skipValue();
    }
  }

  /** Skips the text at whose opening quote the scanner stands. */
  skipText(): void {
    const { bytes } = this;
    const start = this.at + 1;
    const most = this.#budget.stringBytes;
    for (let at = start; at - start <= most;) {
      const byte = bytes[at] ?? END;
      if (byte === QUOTE) {
        this.at = at + 1;
        return;
      }
      if (byte < FIRST_PRINTED) throw new JsonFault('json', at);
      at = byte === BACKSLASH ? this.#behindEscape(at) : at + 1;
    }
    throw new JsonFault('too_complex', start - 1, `has a text of more than ${most} bytes`);
  }

  /** Whether a number comes next, at whose first byte the scanner stands then. */
  isAtNumber(): boolean {
    const first = this.peek();
    return first === MINUS || isDigit(first);
  }

  /** Skips the number at whose first byte the scanner stands. @returns whether it has no exponent */
  skipNumber(): boolean {
    const { bytes } = this;
    if (bytes[this.at] === MINUS) this.at += 1;
    if (bytes[this.at] === ZERO) this.at += 1;
    else this.#skipDigits();
    if (bytes[this.at] === POINT) {
      this.at += 1;
      this.#skipDigits();
    }
    const letter = bytes[this.at];
    if (letter !== SMALL_E && letter !== LARGE_E) return true;
    this.at += 1;
    const sign = bytes[this.at];
    if (sign === MINUS || sign === PLUS) this.at += 1;
    this.#skipDigits();
    return false;
  }

  /** The text at this opening quote, which has been read. */
  textAt(start: number): string {
    const { bytes } = this;
    let end = start + 1;
    let hasEscapes = false;
    for (; bytes[end] !== QUOTE; end += bytes[end] === BACKSLASH ? 2 : 1) hasEscapes ||= bytes[end] === BACKSLASH;
    const text = bytes.toString('utf8', start, end + 1);
    return hasEscapes ? (JSON.parse(text) as string) : text.slice(1, -1);
  }

  /** Whether the text at this opening quote, which has been read, is this one; escapes count as what they mean. */
  isText(start: number, text: string): boolean {
    let at = start + 1;
    for (let index = 0; index < text.length; index += 1) {
      const expected = text.charCodeAt(index);
      const isEscape = this.bytes[at] === BACKSLASH;
      if ((isEscape ? this.#escaped(at) : this.bytes[at]) !== expected) return false;
      at = isEscape ? this.#behindEscape(at) : at + 1;
    }
    return this.bytes[at] === QUOTE;
  }

  #enter(opening: number, closing: number): boolean {
    if (this.peek() !== opening) throw new JsonFault('json', this.at);
    this.at += 1;
    this.#open();
    if (this.peek() !== closing) return true;
    this.#close();
    return false;
  }

  #hasMore(closing: number): boolean {
    const next = this.peek();
    if (next === COMMA) {
      this.at += 1;
      this.#separate();
      return true;
    }
    if (next !== closing) throw new JsonFault('json', this.at);
    this.#close();
    return false;
  }

  #open(): void {
    const { depth, brackets } = this.#budget;
    this.#brackets += 1;
    this.#depth += 1;
    if (this.#depth > depth) throw this.#tooMuch(`is nested more than ${depth} levels deep`);
    if (this.#brackets > brackets) throw this.#tooMuch(`has more than ${brackets} arrays and objects`);
  }

  #close(): void {
    this.at += 1;
    this.#depth -= 1;
  }

  #separate(): void {
    const { separators } = this.#budget;
    this.#separators += 1;
    if (this.#separators > separators) throw this.#tooMuch(`has more than ${separators} values`);
  }

  #tooMuch(text: string): JsonFault {
    return new JsonFault('too_complex', this.at - 1, text);
  }

  /** @param word undefined when nothing begins like this */
  #skipWord(word: string | undefined): void {
    if (word === undefined) throw new JsonFault('json', this.at);
    for (let index = 0; index < word.length; index += 1) {
      if (this.bytes[this.at] !== word.charCodeAt(index)) throw new JsonFault('json', this.at);
      this.at += 1;
    }
  }

  #skipDigits(): void {
    const { bytes } = this;
    const start = this.at;
    let at = start;
    while (isDigit(bytes[at] ?? END)) at += 1;
    this.at = at;
    if (at === start) throw new JsonFault('json', at);
  }

  /** Index behind the escape that begins at `at`. */
  #behindEscape(at: number): number {
    const letter = this.bytes[at + 1] ?? END;
    if (!ESCAPES.has(letter)) throw new JsonFault('json', at + 1);
    if (letter !== UNICODE_ESCAPE) return at + 2;
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      if (hexValue(this.bytes[digit] ?? END) < 0) throw new JsonFault('json', digit);
    }
    return at + 6;
  }

  /** The UTF-16 unit that an escape stands for. */
  #escaped(at: number): number {
    const letter = this.bytes[at + 1] ?? END;
    if (letter !== UNICODE_ESCAPE) return ESCAPES.get(letter)?.charCodeAt(0) ?? END;
    let unit = 0;
    for (let digit = at + 2; digit < at + 6; digit += 1) unit = unit * 16 + hexValue(this.bytes[digit] ?? END);
    return unit;
  }
}
