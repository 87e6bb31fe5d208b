/** Content type of answers in JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** How the bytes of an answer are written: compressed, or as they are. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Content that lies ready in every encoding. */
export interface StoredContent {
  readonly type: string;
  /** Length as it is, not packed. */
  readonly bytes: number;
  /** Marks the content, whatever its encoding. */
  readonly tag: string;
  /** Its `Cache-Control`. */
  readonly cache: string;
  readonly read: (encoding: Encoding) => Promise<Uint8Array>;
}

/** What an operation answers, before it becomes an HTTP response. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, with its content type; used when `json` is absent. */
  readonly content?: { readonly type: string; readonly data: string | Uint8Array };
  /** Sent as it lies there, instead of either. */
  readonly stored?: StoredContent;
  readonly headers?: Readonly<Record<string, string>>;
}
