import { credentials, currentToken, signInAgain } from '../session/session.js';
import { noteTime } from './clock.js';
import { noteAnswer, untilAnswered, waitToAskAgain } from './connection.js';
import { type ApiError, errorOf, noAnswer } from './errors.js';

/** One call of the service. */
export interface Call {
  readonly path: string;
  /** Which credential it takes. */
  readonly as: 'key' | 'token';
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON, or as it is when it is a form or a file. */
  readonly body?: object;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a call that changes nothing and may be repeated without asking: by default those by GET. */
  readonly isRead?: boolean;
}

const MOST_REPETITIONS = 8;
const LONGEST_WAIT_SECONDS = 120;
/** Too many calls, or something is away: the service, what it needs, or what stands between. */
const PASSING: readonly number[] = [429, 502, 503, 504];

const isRead = ({ isRead: isTold, method = 'GET' }: Call): boolean => isTold ?? method === 'GET';

async function credentialOf(as: Call['as']): Promise<Record<string, string>> {
  if (as === 'key') return { 'api-key': credentials.value?.apiKey ?? '' };
  return { authorization: `Bearer ${(await currentToken()) ?? ''}` };
}

async function initOf({ as, method = 'GET', body, accept = 'application/json', headers }: Call): Promise<RequestInit> {
  const isRaw = body instanceof FormData || body instanceof Blob;
  return {
    method,
    headers: {
      accept,
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...(await credentialOf(as)),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  };
}

/** An answer with all that it holds: one that breaks off is none. */
async function send(request: Call): Promise<Response> {
  const { path, signal: ended } = request;
  const init = await initOf(request);
  try {
    const answer = await fetch(path, { ...init, ...(ended === undefined ? {} : { signal: ended }) });
    noteAnswer();
    noteTime(answer);
    await answer.clone().blob();
    return answer;
  } catch (error) {
    if (ended?.aborted === true) throw error;
    throw noAnswer();
  }
}

/** Seconds after which a call may be repeated by itself; undefined when it may not. */
function repetitionOf(call: Call, error: ApiError, repetitions: number): number | undefined {
  if (!isRead(call) || repetitions >= MOST_REPETITIONS || !PASSING.includes(error.status)) return undefined;
  return Math.min(LONGEST_WAIT_SECONDS, Math.max(1, error.retryAfterSeconds ?? 5));
}

/**
 * Calls the service. A refused credential brings the sign-in over the view and the call goes on with the new one;
 * reads that come too early, or while something is away, are repeated by themselves, and those that get no answer until
 * there is one.
 *
 * @throws ApiError for every other answer, and when a change got none
 */
export async function call(request: Call): Promise<Response> {
  for (let repetitions = 0; ; repetitions += 1) {
    const sentWith = credentials.value;
    const ask = (): Promise<Response> => send(request);
    const response = await (isRead(request) ? untilAnswered(ask, request.signal) : ask());
    if (response.ok) return response;
    const error = await errorOf(response);
    if (error.status === 401) {
      if (credentials.value === undefined) throw error;
      // A late answer says nothing of credentials that were given after the request was sent.
      if (credentials.value === sentWith) await signInAgain(request.as, error.traceId);
      continue;
    }
    const seconds = repetitionOf(request, error, repetitions);
    if (seconds === undefined) throw error;
    await waitToAskAgain(error, seconds, request.signal);
  }
}

/** As `call`, read as JSON. */
export async function callJson<T>(request: Call): Promise<T> {
  return (await (await call(request)).json()) as T;
}
