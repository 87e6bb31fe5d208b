import type { FaultDetail } from '../errors/fault.js';
import busboy from 'busboy';
import { finished } from 'node:stream/promises';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import { ByteCollector } from './byteCollector.js';

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
/** One more part than is wanted: a body with a superfluous part must not look like one with too many. */
const SPARE_PARTS = 1;
const MAX_HEADERS_OF_PART = 20;

/**
 * The parts of one multipart body, each counted by its name and by its bytes while it comes.
 *
 * A part without a file name reaches the parser as text. To get its bytes as they came, parts without a charset are
 * taken as base64, which no JSON text can be mistaken for.
 */
export class PartReader {
  readonly #parser: busboy.Busboy;
  readonly #rules: Readonly<Record<string, PartRule>>;
  readonly #announcedBytes: number;
  readonly #seen = new Map<string, ByteCollector>();
  readonly #faults: FaultDetail[] = [];
  #failure: ServiceError | undefined;
  #isMalformed = false;

  /**
   * @param announcedBytes of the whole body, 0 when the caller doesn't say
   * @throws Error when the content type names no usable boundary
   */
  constructor(contentType: string, rules: Readonly<Record<string, PartRule>>, announcedBytes: number) {
    this.#rules = rules;
    this.#announcedBytes = announcedBytes;
    const count = Object.keys(rules).length + SPARE_PARTS;
    const largest = Math.max(...Object.values(rules).map(({ maxBytes }) => maxBytes)) + 1;
    this.#parser = busboy({
      headers: { 'content-type': contentType },
      defCharset: 'base64',
      limits: {
        parts: count,
        files: count,
        fields: count,
        headerPairs: MAX_HEADERS_OF_PART,
        fieldSize: largest,
        fileSize: largest,
      },
    });
    this.#listen();
  }

  /** @throws ServiceError 413 as soon as a part is too large */
  async write(chunk: Uint8Array): Promise<void> {
    // A parser that has met a fault never drains again.
    if (!this.#isBroken() && !this.#parser.write(chunk) && !this.#isBroken()) await this.#drained();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends the body. @returns the parts by name, or what is wrong with them */
  async end(): Promise<{ readonly parts: Readonly<Record<string, Uint8Array>>; readonly faults: FaultDetail[] }> {
    this.#parser.end();
    await finished(this.#parser).catch(() => {
      this.#isMalformed = true;
    });
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isMalformed) {
      const msg = 'The body is not whole multipart/form-data; send it with a client that makes multipart bodies';
      return { parts: {}, faults: [{ loc: ['body'], msg, type: 'multipart' }] };
    }
    for (const [name, { contentTypes }] of Object.entries(this.#rules)) {
      if (this.#seen.has(name)) continue;
      this.#fault(name, `is missing; send it as a part of the type ${contentTypes[0] ?? ''}`, 'required');
    }
    const parts = Object.fromEntries([...this.#seen].map(([name, collector]) => [name, collector.bytes()]));
    return { parts, faults: this.#faults };
  }

  /** Ends the parser without an answer. */
  destroy(): void {
    this.#parser.destroy();
  }

  #listen(): void {
    this.#parser.on('error', () => {
      this.#isMalformed = true;
    });
    this.#parser.on('file', (name: string | undefined, stream, { mimeType }) => {
      stream.on('error', () => {
        this.#isMalformed = true;
      });
      const collector = this.#open(name, mimeType);
      stream.on('data', (chunk: Uint8Array) => {
        if (collector !== undefined) this.#add(name ?? '', collector, chunk);
      });
    });
    this.#parser.on('field', (name: string | undefined, value, { mimeType }) => {
      const collector = this.#open(name, mimeType);
      if (collector === undefined) return;
      const bytes = bytesOfField(value);
      this.#add(name ?? '', collector, bytes);
    });
  }

  /** The collector for a part, or undefined for one that nobody asked for. */
  #open(name: string | undefined, contentType: string): ByteCollector | undefined {
    const rule = name !== undefined && Object.hasOwn(this.#rules, name) ? this.#rules[name] : undefined;
    if (name === undefined || rule === undefined) {
      const expected = Object.keys(this.#rules).join(' and ');
      this.#fault(name ?? '', `is not a known part; send exactly ${expected}`, 'unknown_part');
      return undefined;
    }
    if (this.#seen.has(name)) {
      this.#fault(name, 'is there more than once', 'repeated_part');
      return undefined;
    }
    if (![...rule.contentTypes, ...GENERIC_TYPES].includes(contentType.toLowerCase())) {
      const came = contentType.slice(0, MAX_SHOWN);
      this.#fault(name, `came as ${came}; send it as ${rule.contentTypes.join(' or ')}`, 'content_type');
    }
    const collector = new ByteCollector(rule.maxBytes, this.#announcedBytes);
    this.#seen.set(name, collector);
    return collector;
  }

  #add(name: string, collector: ByteCollector, chunk: Uint8Array): void {
    if (this.#failure !== undefined || collector.add(chunk)) return;
    const most = this.#rules[name]?.maxBytes ?? 0;
    const text = `The part ${name} is larger than ${most} bytes, the most it may have.`;
    this.#failure = new ServiceError(commonFaults.payloadTooLarge, text);
  }

  #fault(name: string, text: string, type: string): void {
    const shown = name.slice(0, MAX_SHOWN);
    this.#faults.push({ loc: [shown], msg: `The part ${shown === '' ? 'without a name' : shown} ${text}`, type });
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

/** A character that could not be decoded may stand for any bytes, so such a text becomes what is surely no UTF-8. */
function bytesOfField(value: string): Uint8Array {
  if (!value.includes('{') && !value.includes('[')) return Buffer.from(value, 'base64');
  return value.includes('\uFFFD') ? Uint8Array.of(0xff) : Buffer.from(value, 'utf8');
}
