/** What an operation answers, before it becomes an HTTP response. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, with its content type; used when `json` is absent. */
  readonly content?: { readonly type: string; readonly data: string | Uint8Array };
  readonly headers?: Readonly<Record<string, string>>;
}
