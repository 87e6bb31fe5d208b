import { Dicer } from 'busboy';
import { commonFaults } from '../../kit/errors/catalogue.js';
import type { FaultDetail } from '../../kit/errors/fault.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { ByteCollector } from '../../kit/byteCollector.js';
import { utf8Of } from './partCharset.js';
import { describePart, type PartDescription, type PartHeaders } from './partHeaders.js';

/** What one part of an upload must be. */
export interface PartRule {
  /** Content types that are taken besides the generic ones; the first is the one to recommend. */
  readonly contentTypes: readonly string[];
  readonly maxBytes: number;
}

/** What HTTP libraries call a part whose type nobody told them: what it holds decides then. A part without a type is text. */
const GENERIC_TYPES = ['application/octet-stream', 'text/plain'];
/** Characters of a name or type that a message repeats. */
const MAX_SHOWN = 64;
/** More parts than anybody sends: each costs some microseconds, however short it is. */
const MOST_PARTS = 100;
/** Of one part. */
const MAX_HEADERS = 20;
/** Of one write. */
export const MOST_PIECE_BYTES = 1024 * 1024;
/** More than a write can bring: where the parser waits for the reader of a part that ends in the same write, it waits for ever. */
const PART_BUFFER_BYTES = 2 * MOST_PIECE_BYTES;
const MAX_HEADER_CHARACTERS = 16 * 1024;
/** What it may say of bytes that come as they are (RFC 2045). */
const PLAIN_ENCODINGS = ['', '7bit', '8bit', 'binary'];

/** A part that is wanted. */
interface WantedPart {
  readonly collector: ByteCollector;
  readonly charset: string | undefined;
}

/**
 * The parts of one multipart body, each counted by its name and by its bytes while it comes.
 *
 * `busboy` is its kept fork here (see package.json), whose `Dicer` hands out headers and bytes as they came: the original tells
 * no charset, and has no text at all for one that it doesn't know.
 */
export class PartReader {
  readonly #parser: Dicer;
  readonly #rules: Readonly<Record<string, PartRule>>;
  readonly #announcedBytes: number;
  readonly #wanted = new Map<string, WantedPart>();
  readonly #faults: FaultDetail[] = [];
  readonly #ended: Promise<void>;
  #parts = 0;
  /** Parts whose headers have not ended. */
  #begun = 0;
  #failure: ServiceError | undefined;
  #isMalformed = false;

  /** @param announcedBytes of the whole body, 0 when the caller doesn't say */
  constructor(boundary: string, rules: Readonly<Record<string, PartRule>>, announcedBytes: number) {
    this.#rules = rules;
    this.#announcedBytes = announcedBytes;
    // The types of the library lack `partHwm`. Further headers it leaves out without a word.
    const options = { boundary, maxHeaderPairs: MAX_HEADERS + 1, partHwm: PART_BUFFER_BYTES };
    this.#parser = new Dicer(options);
    this.#ended = new Promise((resolve) => {
      this.#parser.on('finish', resolve).on('error', () => {
        this.#isMalformed = true;
        resolve();
      });
    });
    this.#parser.on('part', (part) => {
      this.#take(part);
    });
  }

  /** @param chunk at most `MOST_PIECE_BYTES` @throws ServiceError 413 as soon as a part is too large */
  async write(chunk: Uint8Array): Promise<void> {
    // A parser that has met a fault never drains again.
    if (!this.#isBroken() && !this.#isTaken(chunk) && !this.#isBroken()) await this.#drained();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Ends the body.
   *
   * @returns the parts by name, in UTF-8 where they name a charset; or what is wrong with them
   * @throws ServiceError 413 for a part that becomes too large by that
   */
  async end(): Promise<{ readonly parts: Readonly<Record<string, Uint8Array>>; readonly faults: FaultDetail[] }> {
    if (!this.#isBroken()) {
      this.#parser.end();
      await this.#ended;
    }
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isMalformed || this.#begun > 0) {
      const msg = 'The body is not whole multipart/form-data; send it with a client that makes multipart bodies';
      return { parts: {}, faults: [{ loc: ['body'], msg, type: 'multipart' }] };
    }
    for (const [name, { contentTypes }] of Object.entries(this.#rules)) {
      if (this.#wanted.has(name)) continue;
      this.#fault(name, `is missing; send it as a part of the type ${contentTypes[0] ?? ''}`, 'required');
    }
    const parts: Record<string, Uint8Array> = {};
    for (const [name, wanted] of this.#wanted) parts[name] = await this.#contentOf(name, wanted);
    return { parts, faults: this.#faults };
  }

  /** Ends the parser without an answer. */
  destroy(): void {
    this.#parser.destroy();
  }

  async #contentOf(name: string, { collector, charset }: WantedPart): Promise<Uint8Array> {
    const bytes = collector.bytes();
    const content = await utf8Of(bytes, charset, this.#rules[name]?.maxBytes ?? 0);
    if (content === undefined) throw this.#tooLarge(name);
    if (typeof content !== 'string') return content;
    this.#fault(name, content, 'charset');
    return bytes;
  }

  #take(part: Dicer.PartStream): void {
    let collect: ((chunk: Uint8Array) => void) | undefined;
    this.#begun += 1;
    this.#parts += 1;
    // The parser can be stopped in the middle of a write by an error alone.
    if (this.#parts > MOST_PARTS) throw new TooManyParts();
    part.on('header', (headers) => {
      this.#begun -= 1;
      if (isTooLong(headers as PartHeaders)) this.#isMalformed = true;
      collect = this.#open(describePart(headers as PartHeaders));
    });
    part.on('error', () => {
      this.#isMalformed = true;
    });
    part.on('data', (chunk: Uint8Array) => collect?.(chunk));
  }

  /** What takes the bytes of a part, or undefined for one that nobody asked for. */
  #open({ name, contentType, charset, transferEncoding }: PartDescription): ((chunk: Uint8Array) => void) | undefined {
    const rule = name !== undefined && Object.hasOwn(this.#rules, name) ? this.#rules[name] : undefined;
    if (name === undefined || rule === undefined) {
      const expected = Object.keys(this.#rules).join(' and ');
      this.#fault(name ?? '', `is not a known part; send exactly ${expected}`, 'unknown_part');
      return undefined;
    }
    if (this.#wanted.has(name)) {
      this.#fault(name, 'is there more than once', 'repeated_part');
      return undefined;
    }
    if (![...rule.contentTypes, ...GENERIC_TYPES].includes(contentType)) {
      const came = contentType.slice(0, MAX_SHOWN);
      this.#fault(name, `came as ${came}; send it as ${rule.contentTypes.join(' or ')}`, 'content_type');
    }
    if (!PLAIN_ENCODINGS.includes(transferEncoding)) {
      const text = `has the Content-Transfer-Encoding ${transferEncoding.slice(0, MAX_SHOWN)}; send its bytes as they are`;
      this.#fault(name, text, 'transfer_encoding');
    }
    const collector = new ByteCollector(rule.maxBytes, this.#announcedBytes);
    this.#wanted.set(name, { collector, charset });
    return (chunk) => {
      if (this.#failure === undefined && !collector.add(chunk)) this.#failure = this.#tooLarge(name);
    };
  }

  #tooLarge(name: string): ServiceError {
    const most = this.#rules[name]?.maxBytes ?? 0;
    return new ServiceError(
      commonFaults.payloadTooLarge,
      `The part ${name} is larger than ${most} bytes, the most it may have.`,
    );
  }

  #fault(name: string, text: string, type: string): void {
    const shown = name.slice(0, MAX_SHOWN);
    this.#faults.push({ loc: [shown], msg: `The part ${shown === '' ? 'without a name' : shown} ${text}`, type });
  }

  /** @returns false when the parser is to drain before it takes more */
  #isTaken(chunk: Uint8Array): boolean {
    try {
      return this.#parser.write(chunk);
    } catch (error) {
      if (!(error instanceof TooManyParts)) throw error;
      this.#isMalformed = true;
      return true;
    }
  }

  #isBroken(): boolean {
    return this.#isMalformed || this.#parser.destroyed;
  }

  /** Resolves when the parser takes more, or has ended. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#parser.off('drain', done).off('close', done).off('error', done);
        resolve();
      };
      this.#parser.on('drain', done).on('close', done).on('error', done);
    });
  }
}

class TooManyParts extends Error {}

/** Whether the headers of a part are more, or longer, than anybody sends. */
function isTooLong(headers: PartHeaders): boolean {
  const all = Object.entries(headers).flatMap(([name, values]) => values.map((value) => name.length + value.length));
  return all.length > MAX_HEADERS || all.reduce((sum, length) => sum + length, 0) > MAX_HEADER_CHARACTERS;
}
