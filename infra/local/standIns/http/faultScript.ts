import { type Exchange, isJsonObject, jsonReply, type Reply } from './exchange.js';

/**
 * What goes wrong with the next matching requests:
 * - `status`: that answer, nothing is applied;
 * - `hang`: no answer, the connection stays open; nothing is applied;
 * - `drop`: the connection is cut before anything is applied;
 * - `lose`: the request is applied, then the connection is cut;
 * - `garbage`: 200 with a body that is no JSON; nothing is applied;
 * - `truncate`: the request is applied, the answer breaks off half way;
 * - `delay`: the request is applied and answered after `milliseconds`.
 */
export interface ScriptedFault {
  readonly kind: 'status' | 'hang' | 'drop' | 'lose' | 'garbage' | 'truncate' | 'delay';
  /** Only requests of this method; any when left out. */
  readonly method?: string;
  /** Only requests whose path and query contain this; any when left out. */
  readonly path?: string;
  /** How many requests it strikes; 1 when left out. */
  readonly times?: number;
  /** For `status`. */
  readonly status?: number;
  /** For `status`: value of Retry-After, seconds or an HTTP date. */
  readonly retryAfter?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For `status`; an error in JSON when left out. */
  readonly body?: string;
  /** For `delay`. */
  readonly milliseconds?: number;
}

/** One request as it was received; credentials are not kept. */
export interface LoggedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly hasAuthorization: boolean;
  readonly contentType: string | undefined;
  /** What was answered; 0 when the connection was cut or left hanging. */
  readonly status: number;
  /** When, milliseconds since 1970 UTC. */
  readonly at: number;
}

const KINDS = new Set<unknown>(['status', 'hang', 'drop', 'lose', 'garbage', 'truncate', 'delay']);
const LOG_LIMIT = 10_000;
const CONTROL = '/.control/';

/**
 * The faults and the request log of one stand-in, by code or over HTTP:
 * `POST /.control/faults` (a fault or an array of them), `DELETE /.control/faults`, `GET /.control/requests`,
 * `POST /.control/reset`. Control requests need no credential and are not logged.
 */
export class FaultScript {
  readonly #onReset: () => void;
  readonly #controls: Readonly<Record<string, (exchange: Exchange) => Reply>>;
  #faults: { readonly fault: ScriptedFault; left: number }[] = [];
  #requests: LoggedRequest[] = [];

  /**
   * @param onReset what a reset restores beside faults and log
   * @param controls further control requests of one stand-in, by method and name: `POST scenes`
   */
  constructor(
    onReset: () => void = () => undefined,
    controls: Readonly<Record<string, (exchange: Exchange) => Reply>> = {},
  ) {
    this.#onReset = onReset;
    this.#controls = controls;
  }

  /** Faults strike in the order they were added. */
  add(...faults: readonly ScriptedFault[]): void {
    this.#faults.push(...faults.map((fault) => ({ fault, left: fault.times ?? 1 })));
  }

  clearFaults(): void {
    this.#faults = [];
  }

  /** The latest 10,000 requests, oldest first. */
  requests(): readonly LoggedRequest[] {
    return this.#requests;
  }

  reset(): void {
    this.clearFaults();
    this.#requests = [];
    this.#onReset();
  }

  /** The fault that strikes this request, used up by it. */
  take({ method, url }: Exchange): ScriptedFault | undefined {
    const target = url.pathname + url.search;
    const entry = this.#faults.find(
      ({ fault, left }) => left > 0 && (fault.method ?? method) === method && target.includes(fault.path ?? ''),
    );
    if (entry === undefined) return undefined;
    entry.left -= 1;
    if (entry.left === 0) this.#faults = this.#faults.filter((other) => other !== entry);
    return entry.fault;
  }

  log({ method, url, headers }: Exchange, status: number): void {
    const hasAuthorization = headers.authorization !== undefined;
    const contentType = headers['content-type'];
    const path = url.pathname + url.search;
    this.#requests.push({ method, path, hasAuthorization, contentType, status, at: Date.now() });
    if (this.#requests.length > LOG_LIMIT) this.#requests.shift();
  }

  /** The answer to a control request; undefined when the request is none. */
  control(exchange: Exchange): Reply | undefined {
    const { method, url, body } = exchange;
    if (!url.pathname.startsWith(CONTROL)) return undefined;
    const name = `${method} ${url.pathname.slice(CONTROL.length)}`;
    switch (name) {
      case 'POST faults':
        return this.#addFrom(body);
      case 'DELETE faults':
        this.clearFaults();
        return { status: 204 };
      case 'GET requests':
        return jsonReply(200, this.#requests);
      case 'POST reset':
        this.reset();
        return { status: 204 };
      default:
        return this.#controls[name]?.(exchange) ?? jsonReply(404, { message: 'No such control path.' });
    }
  }

  #addFrom(body: Buffer): Reply {
    const faults: unknown = [parsed(body)].flat();
    if (!Array.isArray(faults) || !faults.every(isFault)) {
      return jsonReply(400, { message: `A fault is an object with kind ${[...KINDS].join(', ')}.` });
    }
    this.add(...faults);
    return { status: 204 };
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined; // no fault, so the caller is told what one looks like
  }
}

function isFault(value: unknown): value is ScriptedFault {
  if (!isJsonObject(value) || !KINDS.has(value['kind'])) return false;
  return value['kind'] !== 'status' || Number.isInteger(value['status']);
}
