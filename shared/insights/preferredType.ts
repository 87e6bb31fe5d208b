/**
 * The offered media type that an `Accept` header prefers; the first offered one when several are equal.
 *
 * @param offered at least one type, the default first
 * @returns undefined when none is acceptable
 * @see RFC 9110, section 12.5.1
 */
export function preferredType(accept: string, offered: readonly string[]): string | undefined {
  const ranges = accept.split(',').map(rangeOf);
  let best: { readonly type: string; readonly quality: number } | undefined;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
}

/** The quality of the most specific range that covers the type; 0 when none does or the number is none. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const essence = type.split(';')[0] ?? type;
  const main = `${essence.split('/')[0] ?? ''}/*`;
  for (const pattern of [essence, main, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === pattern);
    if (range !== undefined) return Number.isFinite(range.quality) ? range.quality : 0;
  }
  return 0;
}
