import { isValid } from '../../validation/validator.js';
import { CatalogueError } from './catalogueError.js';
import type { CatalogueCall, GetJson } from './catalogueHttpClient.js';
import { foundFeature, PageLink, SearchPage, type FoundFeature } from './stacSchemas.js';

/** Items of a page, as both catalogues take them. */
export const PAGE_SIZE = 100;
/** How both call it. */
const LIMIT = 'limit';

export interface PagesOptions {
  /** Of a STAC API, without a trailing slash: `/search` is added. */
  readonly url: string;
  readonly getJson: GetJson;
  /** Of the usual size; where the catalogue sends smaller ones only, as many more. */
  readonly mostPages: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a search found: everything, each item once. */
export interface FoundPages {
  readonly features: readonly FoundFeature[];
  /** Names of features that are none, or of no time: their ids, where they have any. */
  readonly unreadable: readonly string[];
  readonly pages: number;
}

/** What has been read of one search so far. */
interface Reading {
  readonly features: Map<string, FoundFeature>;
  readonly unreadable: string[];
  readonly seen: Set<string>;
  received: number;
}

/**
 * Every page of one search. Half an answer is none: it throws. Features are looked at one by one: an odd one is named and
 * passed, for it must not hide the others.
 *
 * @returns undefined when there are more pages than are wanted, which the first one may tell
 * @throws CatalogueError
 */
export async function searchPages(
  body: Readonly<Record<string, unknown>>,
  options: PagesOptions,
): Promise<FoundPages | undefined> {
  const reading: Reading = { features: new Map(), unreadable: [], seen: new Set(), received: 0 };
  for (let call: CatalogueCall | undefined = { url: `${options.url}/search`, body }; call !== undefined;) {
    if (reading.seen.size >= options.mostPages * Math.ceil(PAGE_SIZE / (sizeOf(call) ?? PAGE_SIZE))) return undefined;
    const { page, asked } = await nextPage(call, reading, options);
    if (isTooMuch(page, asked, options.mostPages)) return undefined;
    call = callAfter(page, asked, { reading, url: options.url });
  }
  return { features: [...reading.features.values()], unreadable: reading.unreadable, pages: reading.seen.size };
}

/** A full page that counts more than fits on the pages that are wanted. */
const isTooMuch = ({ features, numberMatched }: SearchPage, asked: CatalogueCall, mostPages: number): boolean =>
  features.length === (sizeOf(asked) ?? PAGE_SIZE) && (numberMatched ?? 0) > mostPages * PAGE_SIZE;

/** A page, and the call that it answers. */
interface AskedPage {
  readonly page: SearchPage;
  readonly asked: CatalogueCall;
}

async function nextPage(call: CatalogueCall, reading: Reading, { getJson, signal }: PagesOptions): Promise<AskedPage> {
  const mark = JSON.stringify(call);
  if (reading.seen.has(mark)) throw new CatalogueError('invalid', 'The pages of a search lead in a circle.');
  reading.seen.add(mark);
  const { answer: page, asked } = await answeredPage(call, getJson, signal);
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

/** The call for the page after this one; undefined when it was the last and all there is has come. */
function callAfter(
  page: SearchPage,
  call: CatalogueCall,
  { reading, url }: { readonly reading: Reading; readonly url: string },
): CatalogueCall | undefined {
  const next = (page.links ?? []).find(isNext);
  const isLast = next === undefined || page.features.length === 0;
  requireWhole(page, reading.received, isLast);
  if (isLast) return undefined;
  if (!isValid(PageLink, next))
    throw new CatalogueError('invalid', 'The link to the next page of a search is malformed.');
  return linkedCall(next, call, url);
}

const isNext = (link: unknown): boolean =>
  typeof link === 'object' && link !== null && 'rel' in link && link.rel === 'next';

const isTold = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

/** The call a link stands for; it must stay on the catalogue's host. */
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
 * Fewer items than the catalogue itself counts are half an answer, and half an answer must not pass for all.
 *
 * @throws CatalogueError `unavailable`: a repetition brings the rest
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

/** How many items a call asks for on a page; undefined when it leaves that to the catalogue. */
function sizeOf({ url, body }: CatalogueCall): number | undefined {
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

/**
 * The page of a call. One at which the catalogue fails as often as it is asked may be too large for it: where one item alone
 * comes, half as many are asked for, and half again, down to one. In an outage that one item doesn't come either.
 *
 * @throws CatalogueError
 */
async function answeredPage(
  call: CatalogueCall,
  getJson: GetJson,
  signal?: AbortSignal,
): Promise<{ readonly answer: unknown; readonly asked: CatalogueCall }> {
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
