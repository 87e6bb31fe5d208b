import { DataManagerError, type DataManagerFaultKind } from './dataManager.js';

/** Statuses after which the same request may succeed later. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** How one try failed. */
export interface FailedTry {
  readonly error: DataManagerError;
  readonly isPassing: boolean;
}

/**
 * The failure of a try that was not answered with 2xx. The status alone decides: the product documents no error codes.
 *
 * @param call method and path, for the text
 * @param now to turn a Retry-After date into seconds
 */
export function failedAnswer(call: string, { status, headers }: Response, now: Date): FailedTry {
  const retryAfterSeconds = secondsOf(headers.get('retry-after'), now);
  const text = `${call}: the data manager answered ${status}${traces(headers)}.`;
  const options = { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  const error = new DataManagerError(faultKind(status), text, options);
  return { error, isPassing: PASSING.has(status) };
}

/** The failure of a try whose answer was absent or cut off. */
export function noAnswer(call: string, cause: unknown): FailedTry {
  return {
    error: new DataManagerError('unavailable', `${call}: the data manager gave no whole answer.`, { cause }),
    isPassing: true,
  };
}

/** The failure of a try after which this call ends. */
export function hopeless(message: string, options: ErrorOptions & { readonly status?: number } = {}): FailedTry {
  return { error: new DataManagerError('unavailable', message, options), isPassing: false };
}

/**
 * Whole seconds that a Retry-After header asks for, at least 0; undefined when absent or unreadable.
 *
 * @see RFC 9110, section 10.2.3
 */
export function secondsOf(retryAfter: string | null, now: Date): number | undefined {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}

function faultKind(status: number): DataManagerFaultKind {
  if (status === 404) return 'not_found';
  if (status === 409 || status === 412) return 'conflict';
  if (status === 401 || status === 403) return 'denied';
  if (status === 429) return 'throttled';
  const isCallersMistake = status >= 400 && status < 500 && status !== 408;
  return isCallersMistake ? 'bad_request' : 'unavailable';
}

/** Error code and request id for the support of the data manager; a value of another form is left out. */
function traces(headers: Headers): string {
  const code = headers.get('x-ms-error-code') ?? '';
  const requestId = headers.get('x-ms-request-id') ?? '';
  const parts = [
    /^[A-Za-z]{1,64}$/.test(code) ? code : '',
    /^[0-9a-f-]{8,40}$/i.test(requestId) ? `request ${requestId}` : '',
  ];
  const text = parts.filter((part) => part !== '').join(', ');
  return text === '' ? '' : ` (${text})`;
}
