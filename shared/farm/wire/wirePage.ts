import { invalidRequest, type WireObject } from './resourceRules.js';
import { positionIn, skipTokenOf } from './skipToken.js';
import type { WireFilters } from './wireFilters.js';

/** A request for a page of a list. */
export interface WirePageRequest {
  /** Where callers reach the service. */
  readonly origin: string;
  /** Path of the list, without a leading slash. */
  readonly path: string;
  /** Query parameters as they were sent; a value may be a list. */
  readonly query: WireFilters;
  /** Filters that stand in a body. */
  readonly body?: WireFilters;
}

/** Where a page begins, and how long it is. */
interface PageStart {
  readonly after: readonly string[] | undefined;
  readonly size: number;
}

const USUAL_SIZE = 50;
/** Parameters of a page; clients of 2022 write them with a dollar sign. */
const PAGE_PARAMETERS = new Set(['maxPageSize', '$maxPageSize', 'skipToken', '$skipToken']);

/** @throws ServiceError 400 for a token of another list or with other filters */
export function pageStartOf(asked: WirePageRequest): PageStart {
  const token = one(asked.query, 'skipToken') as string | undefined;
  return {
    after: token === undefined ? undefined : positionIn(markOf(asked), token),
    size: Number(one(asked.query, 'maxPageSize') ?? USUAL_SIZE),
  };
}

/** A page as callers see it. @param next position of the next page; undefined on the last one */
export function wirePage(
  asked: WirePageRequest,
  value: readonly WireObject[],
  next: readonly string[] | undefined,
): WireObject {
  if (next === undefined) return { value };
  const skipToken = skipTokenOf(markOf(asked), next);
  const query = new URLSearchParams(
    Object.entries(asked.query)
      .filter(([name]) => name !== 'skipToken' && name !== '$skipToken')
      .flatMap(([name, given]) => [given].flat().map((each): [string, string] => [name, String(each)])),
  );
  query.set('skipToken', skipToken);
  return { value, skipToken, nextLink: `${asked.origin}/${asked.path}?${query.toString()}` };
}

/** What a token belongs to: the list with its filters, whatever the version, and the size of the page. */
const markOf = ({ path, query, body }: WirePageRequest): readonly unknown[] => [
  path,
  Object.entries({ ...query, ...body })
    .filter(([name]) => name !== 'api-version' && !PAGE_PARAMETERS.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1)),
];

function one(query: WireFilters, name: string): unknown {
  const [plain, dollar] = [query[name], query[`$${name}`]];
  if (plain !== undefined && dollar !== undefined) throw invalidRequest(`Give ${name} once, with or without $.`);
  return plain ?? dollar;
}
