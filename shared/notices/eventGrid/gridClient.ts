/** What is known of Event Grid's answer; its body is read by nobody. */
export interface GridAnswer {
  /** Absent when no answer came. */
  readonly status?: number;
  /** Why no answer came. */
  readonly error?: string;
  readonly retryAfter?: string;
  readonly durationMs: number;
}

/** Sends events, each as the text of its JSON, in one request; never throws, whatever Event Grid does. */
export type SendToGrid = (bodies: readonly string[], signal?: AbortSignal) => Promise<GridAnswer>;

export interface GridClientOptions {
  /** The endpoint of the custom topic: `https://<topic>.<region>-1.eventgrid.azure.net/api/events`. */
  readonly topicUrl: string;
  /** A token of the service for `GRID_SCOPE`. */
  readonly getToken: () => Promise<string>;
  readonly fetch: typeof globalThis.fetch;
}

export const GRID_SCOPE = 'https://eventgrid.azure.net/.default';
const API_VERSION = '2018-01-01';
/** Half a megabyte over a slow line. */
const TOTAL_MS = 30_000;

/**
 * Sends to a custom topic of Event Grid, once: whoever calls decides what is tried again. The bytes of each event are
 * those that webhooks get.
 *
 * @see https://learn.microsoft.com/azure/event-grid/post-to-custom-topic
 */
export function gridClient({ topicUrl, getToken, fetch }: GridClientOptions): SendToGrid {
  const url = new URL(topicUrl);
  url.searchParams.set('api-version', API_VERSION);
  return async (bodies, signal) => {
    const startedAt = performance.now();
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    const limit = AbortSignal.timeout(TOTAL_MS);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await getToken()}`,
          'content-type': 'application/cloudevents-batch+json; charset=utf-8',
          'user-agent': 'partner-notices/1',
        },
        body: `[${bodies.join(',')}]`,
        // The token goes to the topic alone.
        redirect: 'manual',
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
      await response.body?.cancel();
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, durationMs: elapsed(), ...(retryAfter === null ? {} : { retryAfter }) };
    } catch (error) {
      return { error: errorWord(error), durationMs: elapsed() };
    }
  };
}

/** The code of the system, or the name of the error: never a message, which may hold what was sent. */
function errorWord(error: unknown): string {
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } };
  return [cause?.code, name].find((word) => typeof word === 'string') ?? 'unknown';
}
