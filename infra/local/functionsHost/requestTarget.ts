/** A request target as the host's web server sees it. */
export interface RequestTarget {
  /** Decoded once; `%2F` stays as it came, dot segments are resolved. */
  readonly path: string;
  /** The path as the host writes it for the worker: what is left of `%2F` becomes `%252F`. */
  readonly encodedPath: string;
  /** With its `?`, as it came; empty without one. */
  readonly query: string;
}

/** Longest request line, in bytes, the host's web server takes. */
const maxRequestLineBytes = 8192;

const byteLength = (lead: number): number => {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
};

/** Decodes one run of percent-encoded bytes; what is not UTF-8, and each slash, stays encoded. */
function decodeRun(run: string): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let decoded = '';
  for (let index = 0; index < run.length;) {
    const length = byteLength(Number.parseInt(run.slice(index + 1, index + 3), 16));
    const encoded = run.slice(index, index + 3 * Math.max(1, length));
    try {
      const character = strict.decode(Buffer.from(encoded.replaceAll('%', ''), 'hex'));
      decoded += character === '/' ? encoded : character;
      index += encoded.length;
    } catch {
      decoded += run.slice(index, index + 3);
      index += 3;
    }
  }
  return decoded;
}

function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  segments.forEach((segment, index) => {
    const isDots = segment === '.' || segment === '..';
    if (segment === '..') kept.pop();
    if (!isDots) kept.push(segment);
    else if (index === segments.length - 1) kept.push('');
  });
  return `/${kept.join('/')}`;
}

/** The characters the forwarder leaves alone in a path besides letters, digits and `-_.!~*'()`. */
const encodePath = (path: string): string =>
  encodeURIComponent(path).replace(/%(24|26|2B|2C|2F|3A|3B|3D|40)/g, (match) => decodeURIComponent(match));

/**
 * Reads a request target, or gives the status that refuses it: 400 for a zero byte or a character outside ASCII,
 * 414 for a request line over 8 KB.
 */
export function parseRequestTarget(method: string, target: string): RequestTarget | 400 | 414 {
  if (`${method} ${target} HTTP/1.1`.length > maxRequestLineBytes) return 414;
  const originForm = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const [rawPath = '', ...rest] = originForm.split('?');
  if (rawPath.includes('%00') || /[^\x21-\x7e]/.test(target)) return 400;
  const decoded = (rawPath === '' ? '/' : rawPath).replace(/(?:%[0-9a-f]{2})+/gi, decodeRun);
  const path = withoutDotSegments(decoded.startsWith('/') ? decoded : `/${decoded}`);
  return { path, encodedPath: encodePath(path), query: rest.length === 0 ? '' : `?${rest.join('?')}` };
}
