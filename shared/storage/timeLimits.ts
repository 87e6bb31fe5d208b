/** How long a storage call may take: a request must answer 503 within 10 s, a worker can wait longer. */
export interface TimeLimits {
  readonly tryMs: number;
  readonly tries: number;
}

export const requestLimits: TimeLimits = { tryMs: 3_000, tries: 3 };
export const workLimits: TimeLimits = { tryMs: 30_000, tries: 5 };
