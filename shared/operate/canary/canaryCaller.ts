import type { Clock } from '../../kit/clock.js';
import type { CanaryTarget } from './canaryTarget.js';

/** What checks need. */
export interface CanaryPorts {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** The members of answers that checks read; any of them may be absent. */
export interface CanaryBody {
  readonly commit?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly status?: string;
  readonly insightId?: string;
  readonly items?: readonly { readonly description?: string | null }[];
  readonly enrollment_id?: string;
  readonly processed_fields?: number;
  readonly account_name?: string;
  readonly file_system?: string;
  readonly path?: string;
  readonly sas_token?: string;
}

/** One answer of the service. */
export interface CanaryReply {
  readonly status: number;
  /** Empty when the body is not JSON. */
  readonly json: CanaryBody;
}

/** @throws Error with the expected and the received value, of which neither holds a token or a key */
export function expectThat(isTrue: boolean, expected: string, came: unknown): void {
  if (!isTrue) throw new Error(`Expected ${expected}; got ${JSON.stringify(came ?? 'nothing').slice(0, 600)}`);
}

const ANSWER_LIMIT_MS = 60_000;
const POLL_MS = 3_000;

/** Calls the service as its callers do. */
export class CanaryCaller {
  readonly target: CanaryTarget;
  readonly ports: CanaryPorts;

  constructor(target: CanaryTarget, ports: CanaryPorts) {
    this.target = target;
    this.ports = ports;
  }

  async ask(path: string, init: RequestInit = {}): Promise<CanaryReply> {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const response = await this.ports.fetch(`${this.target.baseUrl}${path}`, { ...init, signal });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, json: isJson ? (JSON.parse(text) as CanaryBody) : {} };
  }

  /** With the token of the tenant. */
  async askWithToken(path: string, body?: object): Promise<CanaryReply> {
    const authorization = `Bearer ${(await this.target.getToken?.()) ?? ''}`;
    if (body === undefined) return this.ask(path, { headers: { authorization } });
    const headers = { authorization, 'content-type': 'application/json' };
    return this.ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** With the key of the customer. */
  askWithKey(path: string, init: RequestInit = {}): Promise<CanaryReply> {
    return this.ask(path, { ...init, headers: { 'api-key': this.target.apiKey ?? '' } });
  }

  /** Repeats `look` until it returns a value. @throws Error that names `what` when the time is up */
  async until<T>(what: string, limitMs: number, look: () => Promise<T | undefined>): Promise<T> {
    const { clock } = this.ports;
    const end = clock.now().getTime() + limitMs;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (clock.now().getTime() > end) throw new Error(`${what}: not within ${limitMs / 1000} s`);
      await clock.sleep(POLL_MS);
    }
  }
}
