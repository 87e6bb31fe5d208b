import { jsonReply, type Reply } from '../http/exchange.js';
import { type Call, invalid } from './wire.js';

const DEFAULT_PAGE_SIZE = 50;
const MIN_PAGE_SIZE = 10;
const MAX_PAGE_SIZE = 1000;

/** Refuses a query parameter that the operation does not know: a misspelt one must not go unnoticed. */
export function refuseUnknownQuery({ exchange: { url } }: Call, known: readonly string[] = []): void {
  for (const name of url.searchParams.keys()) {
    if (name !== 'api-version' && !known.includes(name)) throw invalid(`The query parameter ${name} is unknown.`);
  }
}

/**
 * One page of the items in the order given.
 *
 * @param foreignOrigin for a test: where nextLink points then, without a skipToken beside it
 */
export function pageInOrder({ exchange: { url } }: Call, items: readonly Item[], foreignOrigin?: string): Reply {
  const size = pageSize(url.searchParams.get('maxPageSize'));
  const after = lastIdOf(url.searchParams.get('skipToken'));
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const value = items.slice(start, start + size);
  if (start + size >= items.length) return jsonReply(200, { value });
  const skipToken = Buffer.from(String(value.at(-1)?.['id'])).toString('base64url');
  const next = new URL(url.pathname + url.search, foreignOrigin ?? url.origin);
  next.searchParams.set('skipToken', skipToken);
  return jsonReply(200, { value, ...(foreignOrigin === undefined ? { skipToken } : {}), nextLink: next.href });
}

type Item = Readonly<Record<string, unknown>>;

function pageSize(text: string | null): number {
  const size = text === null ? DEFAULT_PAGE_SIZE : Number(text);
  if (Number.isInteger(size) && size >= MIN_PAGE_SIZE && size <= MAX_PAGE_SIZE) return size;
  throw invalid(`maxPageSize must be a whole number from ${MIN_PAGE_SIZE} to ${MAX_PAGE_SIZE}.`);
}

function lastIdOf(skipToken: string | null): string | undefined {
  if (skipToken === null) return undefined;
  const id = Buffer.from(skipToken, 'base64url').toString('utf8');
  if (Buffer.from(id).toString('base64url') !== skipToken || id === '')
    throw invalid('The skipToken is not one of ours.');
  return id;
}
