import { computed, effect, signal } from '@preact/signals';
import { forgetAtSignOut } from './session/forgetting.js';

/** The views, by the first part of the fragment. */
export const VIEWS = ['fields', 'add', 'enrollments', 'degree-days', 'boundary', 'farms', 'notices'] as const;
export type ViewName = (typeof VIEWS)[number];

/** Where the page is: a view and what of it is shown, such as field, date and layer. */
export interface Place {
  readonly view: ViewName;
  readonly parts: readonly string[];
  /** What an address names that is no view. */
  readonly unknown?: string;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // Typed by hand: taken as it stands.
  }
}

/** What a fragment means. It never leaves the browser, so ids of fields never reach a log. */
export function placeOf(fragment: string): Place {
  const [first = '', ...parts] = fragment
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decoded);
  const view = VIEWS.find((name) => name === first);
  if (view !== undefined) return { view, parts: parts.filter((part) => part !== '') };
  // Other fragments than those of views are of signing in.
  const isNamed = fragment.startsWith('#/') && first !== '';
  return { view: 'fields', parts: [], ...(isNamed ? { unknown: first } : {}) };
}

/** The fragment of a place. */
export const hrefOf = (view: ViewName, ...parts: readonly string[]): string =>
  `#/${[view, ...parts.map(encodeURIComponent)].join('/')}`;

/** What stands in an address for all farms of a party: no id has such a letter. */
const ALL_FARMS = '*';

/** The address of a party, farm or field in a view; what is empty is left out. */
export function farmHref(
  view: ViewName,
  { partyId, farmId, fieldId }: { readonly partyId: string; readonly farmId: string; readonly fieldId: string },
): string {
  if (partyId === '') return hrefOf(view);
  if (fieldId !== '') return hrefOf(view, partyId, farmId === '' ? ALL_FARMS : farmId, fieldId);
  return farmId === '' ? hrefOf(view, partyId) : hrefOf(view, partyId, farmId);
}

/** What the parts of such an address name; empty where they name nothing. */
export function farmPlaceOf([partyId = '', farmId = '', fieldId = '']: readonly string[]): {
  readonly partyId: string;
  readonly farmId: string;
  readonly fieldId: string;
} {
  return { partyId, farmId: farmId === ALL_FARMS ? '' : farmId, fieldId };
}

const fragment = signal(typeof location === 'undefined' ? '' : location.hash);

/** Where the page is now. */
export const place = computed(() => placeOf(fragment.value));

const lastPlaces = new Map<ViewName, string>();

/** Where a view was left, so that its tab leads back there; the view itself when it was not shown yet. */
export const lastHref = (view: ViewName): string => lastPlaces.get(view) ?? hrefOf(view);

/** Forgets where views were left, for another customer. */
function forgetPlaces(): void {
  lastPlaces.clear();
}
forgetAtSignOut(forgetPlaces);

effect(() => {
  if (place.value.parts.length > 0) lastPlaces.set(place.value.view, fragment.value);
});

/** Browsers refuse a page that changes its address a hundred times in some seconds, as days that fly by would. */
const ADDRESS_PAUSE_MS = 250;
let addressTimer: ReturnType<typeof setTimeout> | undefined;
let writtenAt = -Infinity;

function writeAddress(): void {
  clearTimeout(addressTimer);
  addressTimer = undefined;
  if (fragment.value === location.hash) return;
  history.replaceState(null, '', fragment.value);
  writtenAt = performance.now();
}

/**
 * Goes to a place; `replace` when the way back should skip where it came from. The view follows at once, the address
 * when it may.
 */
export function go(href: string, how: 'push' | 'replace' = 'push'): void {
  if (href === fragment.value) return;
  if (how === 'push') {
    writeAddress();
    history.pushState(null, '', href);
    fragment.value = href;
    return;
  }
  fragment.value = href;
  if (performance.now() - writtenAt >= ADDRESS_PAUSE_MS) writeAddress();
  else addressTimer ??= setTimeout(writeAddress, ADDRESS_PAUSE_MS);
}

/** Follows links, Back and Forward. */
export function followAddress(): void {
  const follow = (): void => {
    clearTimeout(addressTimer);
    addressTimer = undefined;
    fragment.value = location.hash;
  };
  addEventListener('hashchange', follow);
  addEventListener('popstate', follow);
  addEventListener('pagehide', writeAddress);
}
