import { isValid } from '../../kit/validation/validator.js';
import { CatalogueError } from './catalogueError.js';
import type { CatalogueCall, GetJson } from './catalogueHttpClient.js';
import type { Found } from './sceneCatalogue.js';
import { foundFeature, PageLink, SearchPage, type FoundFeature } from '../item/stacSchemas.js';

/** Items of a page; both catalogues allow this many. */
export const PAGE_SIZE = 100;
/** The name of the page size in a query or body. */
const LIMIT = 'limit';

export interface PagesOptions {
  /** Of a STAC API, without a trailing slash: `/search` is added. */
  readonly url: string;
  readonly getJson: GetJson;
  /** Pages of `PAGE_SIZE`; where the catalogue only sends smaller ones, as many more. */
  readonly mostPages: number;
  readonly signal?: AbortSignal | undefined;
}

/** What has been read of one search so far. */
interface Reading {
  readonly features: Map<string, FoundFeature>;
  readonly unreadable: string[];
  /** Calls that were made, as JSON. */
  readonly called: Set<string>;
  received: number;
}

/** A page, and the call that it answers. */
interface AskedPage<T> {
  readonly page: T;
  readonly asked: CatalogueCall;
}

/**
 * Every page of one search, each item once. A part of an answer throws. Features are checked one by one: one that is
 * malformed or has no time is named as unreadable and doesn't hide the others.
 *
 * @returns undefined when there are more pages than are wanted, which the first page may tell
 * @throws CatalogueError
 */
export async function searchPages(
  body: Readonly<Record<string, unknown>>,
  options: PagesOptions,
): Promise<Found<FoundFeature> | undefined> {
  const reading: Reading = { features: new Map(), unreadable: [], called: new Set(), received: 0 };
  for (let call: CatalogueCall | undefined = { url: `${options.url}/search`, body }; call !== undefined;) {
    if (reading.called.size >= options.mostPages * Math.ceil(PAGE_SIZE / (sizeOf(call) ?? PAGE_SIZE))) return undefined;
    const { page, asked } = await nextPage(call, reading, options);
    if (isTooMuch(page, asked, options.mostPages)) return undefined;
    call = callAfter(page, asked, { received: reading.received, url: options.url });
  }
  return { items: [...reading.features.values()], unreadableIds: reading.unreadable, pages: reading.called.size };
}

/** Whether a full page counts more items than fit on the wanted pages. */
const isTooMuch = ({ features, numberMatched }: SearchPage, asked: CatalogueCall, mostPages: number): boolean =>
  features.length === (sizeOf(asked) ?? PAGE_SIZE) && (numberMatched ?? 0) > mostPages * PAGE_SIZE;

async function nextPage(call: CatalogueCall, reading: Reading, options: PagesOptions): Promise<AskedPage<SearchPage>> {
  const text = JSON.stringify(call);
  if (reading.called.has(text)) throw new CatalogueError('invalid', 'The pages of a search lead in a circle.');
  reading.called.add(text);
  const { page, asked } = await answeredPage(call, options);
  if (!isValid(SearchPage, page)) throw new CatalogueError('invalid', 'The catalogue sent no STAC search result.');
  for (const answered of page.features) {
    const feature = foundFeature(answered);
    if (feature === undefined) reading.unreadable.push(nameOf(answered));
    else reading.features.set(`${feature.collection ?? ''}/${feature.id}`, feature);
  }
  reading.received += page.features.length;
  return { page, asked };
}

function nameOf(feature: unknown): string {
  const id = typeof feature === 'object' && feature !== null && 'id' in feature ? feature.id : undefined;
  return typeof id === 'string' && id !== '' ? id : 'an item without an id';
}

/** The call for the page after this one; undefined when this was the last. @throws CatalogueError when items are missing */
function callAfter(
  page: SearchPage,
  call: CatalogueCall,
  { received, url }: { readonly received: number; readonly url: string },
): CatalogueCall | undefined {
  const next = (page.links ?? []).find(isNext);
  const isLast = next === undefined || page.features.length === 0;
  requireWhole(page, received, isLast);
  if (isLast) return undefined;
  if (!isValid(PageLink, next))
    throw new CatalogueError('invalid', 'The link to the next page of a search is malformed.');
  return linkedCall(next, call, url);
}

const isNext = (link: unknown): boolean =>
  typeof link === 'object' && link !== null && 'rel' in link && link.rel === 'next';

const isTold = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

/** The call that a link stands for. @throws CatalogueError when it leaves the catalogue's host */
function linkedCall(link: PageLink, call: CatalogueCall, catalogueUrl: string): CatalogueCall {
  const url = URL.canParse(link.href) ? new URL(link.href) : undefined;
  if (url?.origin !== new URL(catalogueUrl).origin) {
    throw new CatalogueError('refused', 'The next page of a search lies on another host.');
  }
  const headers = isTold(link.headers) ? { headers: link.headers } : {};
  if (link.method?.toUpperCase() !== 'POST') return { url: url.href, ...headers };
  const body = link.merge === true ? { ...call.body, ...link.body } : (link.body ?? {});
  return { url: url.href, body, ...headers };
}

/**
 * Refuses an answer with fewer items than the catalogue itself counts.
 *
 * @throws CatalogueError `unavailable`: a retry brings the rest
 */
function requireWhole(
  { features, numberReturned, numberMatched }: SearchPage,
  received: number,
  isLast: boolean,
): void {
  const isCut = isTold(numberReturned) && features.length < numberReturned;
  const isShort = isLast && isTold(numberMatched) && received < numberMatched;
  if (isCut || isShort) throw new CatalogueError('unavailable', 'The catalogue sent fewer scenes than it counts.');
}

/** The page size that a call asks for; undefined when the call leaves the size to the catalogue. */
function sizeOf({ url, body }: CatalogueCall): number | undefined {
  const limit = body === undefined ? Number(new URL(url).searchParams.get(LIMIT)) : body[LIMIT];
  return typeof limit === 'number' && Number.isInteger(limit) && limit > 0 ? limit : undefined;
}

/** The same call with another page size, tried once. */
function withSize(call: CatalogueCall, size: number): CatalogueCall {
  if (call.body !== undefined) return { ...call, body: { ...call.body, [LIMIT]: size }, tries: 1 };
  const url = new URL(call.url);
  url.searchParams.set(LIMIT, String(size));
  return { ...call, url: url.href, tries: 1 };
}

/**
 * The answer to a call. Where each try fails, the page may be too large: if a page of one item comes, half the size is
 * asked for, then half again, down to one. In an outage the page of one item fails too.
 *
 * @throws CatalogueError
 */
async function answeredPage(call: CatalogueCall, { getJson, signal }: PagesOptions): Promise<AskedPage<unknown>> {
  for (let asked = call; ;) {
    try {
      return { page: await getJson(asked, signal), asked };
    } catch (error) {
      const size = sizeOf(asked) ?? 1;
      if (!(error instanceof CatalogueError) || !error.mayBeOfSize || size === 1) throw error;
      if (asked === call) await getJson(withSize(call, 1), signal);
      asked = withSize(call, Math.floor(size / 2));
    }
  }
}
