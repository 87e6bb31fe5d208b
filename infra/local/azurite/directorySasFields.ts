/** The query of a request: each field decoded as the signature wants it, empty when absent. */
export type SasQuery = (name: string) => string;

/** What a request touches: a blob, or a listing with its prefix, exactly as the handler will use it. */
export interface SasTarget {
  readonly account: string;
  readonly container: string;
  readonly name: string;
  readonly isListing: boolean;
}

/**
 * The signed directory: the first `sdd` segments of the target. Undefined when the target does not lie in such a
 * directory: too few segments, an empty one, or a listing prefix without the slash after the directory (so that
 * `alice/ts` never lists `alice/ts2`).
 */
export function signedDirectory(target: SasTarget, depthText: string): readonly string[] | undefined {
  if (!/^\d+$/.test(depthText)) return undefined;
  const depth = Number(depthText);
  const segments = target.name.split('/');
  const directory = segments.slice(0, depth);
  if (directory.length < depth || directory.includes('')) return undefined;
  return depth > 0 && target.isListing && segments.length === depth ? undefined : directory;
}

const responseHeaders = ['rscc', 'rscd', 'rsce', 'rscl', 'rsct'] as const;
const fieldsOf = (query: SasQuery, ...names: readonly string[]): string[] => names.map(query);

/** The fields from the version on, as both kinds of key sign them. */
const versionFields = (query: SasQuery): string[] => [
  query('sv'),
  'd',
  '',
  ...(query('sv') >= '2020-12-06' ? [query('ses')] : []),
];

/**
 * The string to sign of a directory SAS (`sr=d`). The fields grow at service versions 2020-12-06, 2025-07-05 and
 * 2026-04-06; a delegation key signs others than an account key.
 *
 * @param decoded the SAS fields, decoded once more as Azurite does with those of other resources
 * @param raw the response header fields, decoded by the HTTP layer only
 * @see https://learn.microsoft.com/rest/api/storageservices/create-user-delegation-sas
 */
export function directoryStringToSign(
  decoded: SasQuery,
  raw: SasQuery,
  resource: Pick<SasTarget, 'account' | 'container'> & { readonly directory: readonly string[] },
): string {
  const canonical = ['/blob', resource.account, resource.container, ...resource.directory].join('/');
  const start = [...fieldsOf(decoded, 'sp', 'st', 'se'), canonical];
  const headers = responseHeaders.map(raw);
  if (decoded('skoid') === '') {
    return [...start, ...fieldsOf(decoded, 'si', 'sip', 'spr'), ...versionFields(decoded), ...headers].join('\n');
  }
  const version = decoded('sv');
  return [
    ...start,
    ...fieldsOf(decoded, 'skoid', 'sktid', 'skt', 'ske', 'sks', 'skv', 'saoid', 'suoid', 'scid'),
    ...(version >= '2025-07-05' ? fieldsOf(decoded, 'skdutid', 'sduoid') : []),
    ...fieldsOf(decoded, 'sip', 'spr'),
    ...versionFields(decoded),
    ...(version >= '2026-04-06' ? ['', ''] : []),
    ...headers,
  ].join('\n');
}
