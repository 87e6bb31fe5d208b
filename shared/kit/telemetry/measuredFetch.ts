import { measureEvent } from './metrics.js';
import { inSpan } from './trace.js';

/**
 * A `fetch` that tells how long each call to another service took, by host and status. Path, query and body stay
 * untold: they hold places, ids and keys.
 */
export const measuredFetch: typeof fetch = (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input);
  const method = init?.method ?? 'GET';
  const startedAt = performance.now();
  const measured = (status: number): void => {
    measureEvent('Call:Answered', { host: hostname, status, durationMs: performance.now() - startedAt });
  };
  return inSpan(
    `${method} ${hostname}`,
    { 'http.request.method': method, 'server.address': hostname },
    async (span) => {
      try {
        const response = await fetch(input, init);
        span.setAttribute('http.response.status_code', response.status);
        measured(response.status);
        return response;
      } catch (error) {
        // Status 0: no answer came.
        measured(0);
        throw error;
      }
    },
  );
};
