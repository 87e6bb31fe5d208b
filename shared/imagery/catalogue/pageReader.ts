import { isValid } from '../../validation/validator.js';
import { CatalogueError } from './catalogueError.js';
import type { CatalogueCall, GetJson } from './catalogueHttpClient.js';
import { SearchPage, type FoundFeature, type PageLink } from './stacSchemas.js';

/** Items of a page, as both catalogues take them. */
export const PAGE_SIZE = 100;

export interface PagesOptions {
  /** Of a STAC API, without a trailing slash: `/search` is added. */
  readonly url: string;
  readonly getJson: GetJson;
  readonly mostPages: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a search found: everything, each item once. */
export interface FoundPages {
  readonly features: readonly FoundFeature[];
  readonly pages: number;
}

/** What has been read of one search so far. */
interface Reading {
  readonly features: Map<string, FoundFeature>;
  readonly seen: Set<string>;
  received: number;
}

/**
 * Every page of one search. Half an answer is none: it throws.
 *
 * @returns undefined when there are more pages than are wanted, which the first one may tell
 * @throws CatalogueError
 */
export async function searchPages(
  body: Readonly<Record<string, unknown>>,
  options: PagesOptions,
): Promise<FoundPages | undefined> {
  const reading: Reading = { features: new Map(), seen: new Set(), received: 0 };
  for (let call: CatalogueCall | undefined = { url: `${options.url}/search`, body }; call !== undefined;) {
    if (reading.seen.size >= options.mostPages) return undefined;
    const page = await nextPage(call, reading, options);
    if (isTooMuch(page, options.mostPages)) return undefined;
    call = callAfter(page, call, { reading, url: options.url });
  }
  return { features: [...reading.features.values()], pages: reading.seen.size };
}

/** A full page that counts more than fits on the pages that are wanted. */
const isTooMuch = ({ features, numberMatched = 0 }: SearchPage, mostPages: number): boolean =>
  features.length === PAGE_SIZE && numberMatched > mostPages * PAGE_SIZE;

async function nextPage(call: CatalogueCall, reading: Reading, { getJson, signal }: PagesOptions): Promise<SearchPage> {
  const mark = JSON.stringify(call);
  if (reading.seen.has(mark)) throw new CatalogueError('invalid', 'The pages of a search lead in a circle.');
  reading.seen.add(mark);
  const page = await getJson(call, signal);
  if (!isValid(SearchPage, page)) throw new CatalogueError('invalid', 'The catalogue sent no STAC search result.');
  for (const feature of page.features) reading.features.set(`${feature.collection ?? ''}/${feature.id}`, feature);
  reading.received += page.features.length;
  return page;
}

/** The call for the page after this one; undefined when it was the last and all there is has come. */
function callAfter(
  page: SearchPage,
  call: CatalogueCall,
  { reading, url }: { readonly reading: Reading; readonly url: string },
): CatalogueCall | undefined {
  const next = page.links?.find(({ rel }) => rel === 'next');
  const isLast = next === undefined || page.features.length === 0;
  requireWhole(page, reading.received, isLast);
  return isLast ? undefined : linkedCall(next, call, url);
}

/** The call a link stands for; it must stay on the catalogue's host. */
function linkedCall(link: PageLink, call: CatalogueCall, catalogueUrl: string): CatalogueCall {
  const url = URL.canParse(link.href) ? new URL(link.href) : undefined;
  if (url?.origin !== new URL(catalogueUrl).origin) {
    throw new CatalogueError('refused', 'The next page of a search lies on another host.');
  }
  const headers = link.headers === undefined ? {} : { headers: link.headers };
  if (link.method?.toUpperCase() !== 'POST') return { url: url.href, ...headers };
  const body = link.merge === true ? { ...call.body, ...link.body } : (link.body ?? {});
  return { url: url.href, body, ...headers };
}

/**
 * Fewer items than the catalogue itself counts are half an answer, and half an answer must not pass for all.
 *
 * @throws CatalogueError `unavailable`: a repetition brings the rest
 */
function requireWhole(
  { features, numberReturned, numberMatched }: SearchPage,
  received: number,
  isLast: boolean,
): void {
  const isCut = numberReturned !== undefined && features.length < numberReturned;
  const isShort = isLast && numberMatched !== undefined && received < numberMatched;
  if (isCut || isShort) throw new CatalogueError('unavailable', 'The catalogue sent fewer scenes than it counts.');
}
