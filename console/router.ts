import { computed, signal } from '@preact/signals';

/** The views, by the first part of the fragment. */
export const VIEWS = ['fields', 'add', 'enrollments', 'degree-days', 'boundary'] as const;
export type ViewName = (typeof VIEWS)[number];

/** Where the page is: a view and what of it is shown, such as field, date and layer. */
export interface Place {
  readonly view: ViewName;
  readonly parts: readonly string[];
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
  return view === undefined ? { view: 'fields', parts: [] } : { view, parts: parts.filter((part) => part !== '') };
}

/** The fragment of a place. */
export const hrefOf = (view: ViewName, ...parts: readonly string[]): string =>
  `#/${[view, ...parts.map(encodeURIComponent)].join('/')}`;

const fragment = signal(typeof location === 'undefined' ? '' : location.hash);

/** Where the page is now. */
export const place = computed(() => placeOf(fragment.value));

/** Goes to a place; `replace` when the way back should skip where it came from. */
export function go(href: string, how: 'push' | 'replace' = 'push'): void {
  if (href === location.hash) return;
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', href);
  fragment.value = href;
}

/** Follows links, Back and Forward. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    fragment.value = location.hash;
  });
  addEventListener('popstate', () => {
    fragment.value = location.hash;
  });
}
