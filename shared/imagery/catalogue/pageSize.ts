import { CatalogueError } from './catalogueError.js';
import type { CatalogueCall, GetJson } from './catalogueHttpClient.js';

const LIMIT = 'limit';

/** How many items a call asks for on a page; undefined when it leaves that to the catalogue. */
export function sizeOf({ url, body }: CatalogueCall): number | undefined {
  const limit = body === undefined ? Number(new URL(url).searchParams.get(LIMIT)) : body[LIMIT];
  return typeof limit === 'number' && Number.isInteger(limit) && limit > 0 ? limit : undefined;
}

/** The same page with that many items, asked for once. */
function withSize(call: CatalogueCall, size: number): CatalogueCall {
  if (call.body !== undefined) return { ...call, body: { ...call.body, [LIMIT]: size }, tries: 1 };
  const url = new URL(call.url);
  url.searchParams.set(LIMIT, String(size));
  return { ...call, url: url.href, tries: 1 };
}

/** An answer, and the call that it came to. */
export interface Answered {
  readonly answer: unknown;
  readonly asked: CatalogueCall;
}

/**
 * The page of a call. One at which the catalogue fails as often as it is asked may be too large for it: where one item alone
 * comes, half as many are asked for, and half again, down to one. In an outage that one item doesn't come either.
 *
 * @throws CatalogueError
 */
export async function answeredPage(call: CatalogueCall, getJson: GetJson, signal?: AbortSignal): Promise<Answered> {
  for (let asked = call; ;) {
    try {
      return { answer: await getJson(asked, signal), asked };
    } catch (error) {
      const size = sizeOf(asked) ?? 1;
      if (!(error instanceof CatalogueError) || !error.mayBeOfSize || size === 1) throw error;
      if (asked === call) await getJson(withSize(call, 1), signal);
      asked = withSize(call, Math.floor(size / 2));
    }
  }
}
