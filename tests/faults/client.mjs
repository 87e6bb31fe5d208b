// A caller of the API that remembers each call: what was asked, what came back, and when.
import { performance } from 'node:perf_hooks';

const SOLUTIONS = { gdd: 'partnerAgPowered.gdd', boundary: 'partnerAgPowered.smartBoundary' };
const SEGMENTS = { gdd: 'gdd', boundary: 'smart-boundary' };

/** `ok`: done; `fail`: refused; `info`: nobody knows (no answer, or one that says "later"). */
const outcomeOf = (status) => {
  if (status === undefined || status === 429 || status >= 500) return 'info';
  return status < 300 ? 'ok' : 'fail';
};

export class Client {
  #service;
  #random;
  /** `{ op, id, kind, outcome, status, json, sent, retryAfter, t0, t1, ms }` in the order of the answers; instants in ms since 1970. */
  history = [];
  baseUrls;

  constructor({ service, random, baseUrls }) {
    this.#service = service;
    this.#random = random;
    this.baseUrls = baseUrls;
  }

  #hostUrl() {
    return this.baseUrls[Math.floor(this.#random() * this.baseUrls.length)];
  }

  create(kind, id, partnerRequestBody, options = {}) {
    return this.#job('create', { kind, id, partnerRequestBody, ...options });
  }

  fetch(kind, id, options = {}) {
    return this.#job('fetch', { kind, id, ...options });
  }

  cancel(kind, id, options = {}) {
    return this.#job('cancel', { kind, id, ...options });
  }

  insight(insightId) {
    return this.call('insight', `/v1/insights/${insightId}`, { id: insightId });
  }

  #job(op, { kind, id, partnerRequestBody, ...options }) {
    const path = `/solutions/${SOLUTIONS[kind]}:${op}`;
    const body = { requestPath: `/v1/${SEGMENTS[kind]}/${id}`, ...(partnerRequestBody && { partnerRequestBody }) };
    return this.call(op, path, { kind, id, method: 'POST', body, ...options });
  }

  /**
   * One call, kept in the history.
   *
   * @param options `method`, `body` (sent as JSON) or `form`, `headers`, `host` (origin; any of the service's when left out),
   *   `timeoutMs`, and `id`, `kind` for the history
   * @returns the entry of the history; its `status` is undefined when no answer came
   */
  async call(op, path, { method = 'GET', body, form, headers, host, timeoutMs = 20_000, ...facts } = {}) {
    const entry = { op, ...facts, sent: body, t0: Date.now() };
    const start = performance.now();
    try {
      const answer = await fetch(`${host ?? this.#hostUrl()}${path}`, {
        method,
        headers: {
          ...(headers?.['api-key'] === undefined ? { authorization: `Bearer ${this.#service.jwt}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined && form === undefined ? {} : { body: form ?? JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.text();
      entry.status = answer.status;
      entry.retryAfter = answer.headers.get('retry-after');
      entry.json = answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
    } catch (cause) {
      entry.cause = String(cause?.cause ?? cause);
    }
    entry.t1 = Date.now();
    entry.ms = performance.now() - start;
    entry.outcome = outcomeOf(entry.status);
    this.history.push(entry);
    return entry;
  }

  /** Repeats a call until it is answered for good: the service may be starting again or refuse for a moment. */
  async insist(send, limitMs = 120_000) {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const entry = await send();
      if (entry.outcome !== 'info' || Date.now() > deadline) return entry;
      await new Promise((resolve) => setTimeout(resolve, 200 + 300 * this.#random()));
    }
  }
}
