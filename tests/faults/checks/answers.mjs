// I11: what callers were answered, whatever went wrong behind.

/** A caller waits for an answer of a request at most this long while storage is away. */
const LONGEST_MS = 12_000;

/** Answers by status; 500 never, 429 and 503 with Retry-After. @param isBusy the machine's own load may slow answers */
export function checkAnswers({ client }, breaches, { isBusy = true } = {}) {
  const byStatus = {};
  for (const { op, id, status, retryAfter, json, ms } of client.history) {
    byStatus[status ?? 'none'] = (byStatus[status ?? 'none'] ?? 0) + 1;
    if (status >= 500 && status !== 503)
      breaches.push(`I11: ${op} ${id} was answered ${status}: ${JSON.stringify(json)?.slice(0, 300)}`);
    if ((status === 503 || status === 429) && !/^\d+$/.test(retryAfter ?? ''))
      breaches.push(`I11: ${op} ${id} was answered ${status} without Retry-After`);
    if (!isBusy && status !== undefined && ms > LONGEST_MS) breaches.push(`I11: ${op} ${id} took ${Math.round(ms)} ms`);
  }
  return byStatus;
}
