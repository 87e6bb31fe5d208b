import { preferencesOf, type Preference } from './preferences.js';

/**
 * The offered media type that an `Accept` header prefers; the first offered one when several are equal.
 *
 * @param offered at least one type, the default first
 * @returns undefined when none is acceptable
 * @see RFC 9110, section 12.5.1
 */
export function preferredType(accept: string, offered: readonly string[]): string | undefined {
  const ranges = preferencesOf(accept);
  let best: { readonly type: string; readonly quality: number } | undefined;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type;
}

/** The quality of the most specific range that covers the type; 0 when none does. */
function qualityOf(type: string, ranges: readonly Preference[]): number {
  const essence = type.split(';')[0] ?? type;
  const main = `${essence.split('/')[0] ?? ''}/*`;
  for (const pattern of [essence, main, '*/*']) {
    const range = ranges.find(({ value }) => value === pattern);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
