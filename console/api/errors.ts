/** One fault of an input: where, and what is wrong there. */
export interface FaultDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** An answer that isn't a success, whatever its shape; `status` 0 when there was no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Tell it when you ask about the call. */
  readonly traceId: string | undefined;
  readonly details: readonly FaultDetail[];
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, fields: Partial<Omit<ApiError, 'message'>>) {
    super(message);
    this.name = 'ApiError';
    this.status = fields.status ?? 0;
    this.code = fields.code ?? '';
    this.traceId = fields.traceId;
    this.details = fields.details ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

interface Body {
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
  readonly traceId?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly trace_id?: unknown;
  readonly details?: readonly FaultDetail[] | null;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The error of an answer, in either of the service's two shapes or in that of whatever stands between. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = ((await response.json().catch(() => null)) ?? {}) as Body;
  const { code, message } = body.error ?? body;
  return new ApiError(textOf(message) ?? `The service answered ${response.status}.`, {
    status: response.status,
    code: textOf(code) ?? '',
    traceId: textOf(body.traceId ?? body.trace_id) ?? traceOf(response),
    details: body.details ?? [],
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
  });
}

const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined;

const traceOf = (response: Response): string | undefined => response.headers.get('traceparent')?.split('-')[1];

/** What a fault is when a call got no answer. */
export const noAnswer = (): ApiError =>
  new ApiError(
    navigator.onLine
      ? 'The service could not be reached. Try again in a moment.'
      : 'This computer is offline. What is shown stays; try again once it is back.',
    {},
  );
