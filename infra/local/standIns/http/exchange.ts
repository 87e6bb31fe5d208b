import type { IncomingHttpHeaders } from 'node:http';

/** One request, read whole, as a stand-in sees it. */
export interface Exchange {
  readonly method: string;
  /** Absolute, on the origin of the stand-in itself. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One answer, whole. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** What a stand-in does with a request. */
export type Answer = (exchange: Exchange) => Reply | Promise<Reply>;

/** An answer in JSON; `headers` are added to the content type. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** The token of `Authorization: Bearer <token>`, or undefined. */
export function bearerToken({ headers }: Exchange): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1];
}

export { isJsonObject } from '../../../../shared/kit/json/json.js';
