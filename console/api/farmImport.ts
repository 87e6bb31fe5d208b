import { callJson } from './client.js';
import { pause } from './pause.js';

/** A feature of a file that was not written, and why. */
export interface ImportFault {
  /** Place of the feature in the file, from 0. */
  readonly index: number;
  readonly id?: string;
  readonly code: string;
  readonly message: string;
}

/** How far an import has come. */
export interface FarmImport {
  readonly id: string;
  readonly status: 'Waiting' | 'Running' | 'Succeeded' | 'Failed';
  /** Features of the file; 0 until it is read. */
  readonly total: number;
  readonly written: number;
  readonly failed: number;
  readonly errors: readonly ImportFault[];
  readonly message?: string;
}

/** Where the fields of a file go. */
export interface ImportTarget {
  readonly partyId: string;
  /** Empty for fields that belong to no farm. */
  readonly farmId: string;
  /** `merge` keeps what a field has and the file does not say. */
  readonly mode: 'merge' | 'replace';
}

/** The service takes files up to this size. */
const MOST_MEGABYTES = 50;
const BYTES_IN_MEGABYTE = 1024 * 1024;
/** Seconds between looks; the last one again and again. */
const WAITS_SECONDS = [0.5, 1, 2];

/** Types of files by the ends of their names; others are GeoJSON. */
const TYPES: Readonly<Record<string, string>> = {
  zip: 'application/zip',
  kml: 'application/vnd.google-earth.kml+xml',
  kmz: 'application/vnd.google-earth.kmz',
};

/** The content type of a file, by its name. */
export const typeOf = (name: string): string =>
  TYPES[/\.(zip|kml|kmz)$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/geo+json';

/** Why a file is not even sent; undefined when it may be. */
export function refusalOf({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (size > MOST_MEGABYTES * BYTES_IN_MEGABYTE) {
    const megabytes = (size / BYTES_IN_MEGABYTE).toFixed(0);
    return `The file has ${megabytes} MB; at most ${MOST_MEGABYTES} MB are taken. Split it, or simplify its outlines.`;
  }
  if (/\.(shp|dbf|shx|prj)$/i.test(name)) {
    return 'A shapefile consists of several files: pack its .shp, .dbf and .prj into one zip file and choose that.';
  }
  return undefined;
}

/** Sends a file. @param key of this file and no other: sent twice, it is one import. @throws ApiError */
export function startImport({ partyId, farmId, mode }: ImportTarget, file: File, key: string): Promise<FarmImport> {
  const query = new URLSearchParams({ partyId, mode, ...(farmId === '' ? {} : { farmId }) });
  return callJson<FarmImport>({
    path: `/v1/imports?${query.toString()}`,
    as: 'token',
    method: 'POST',
    headers: {
      'content-type': typeOf(file.name),
      'idempotency-key': key,
    },
    body: file,
  });
}

/** Whether nothing more will come of an import. */
export const hasImportEnded = ({ status }: FarmImport): boolean => status === 'Succeeded' || status === 'Failed';

/**
 * Looks at an import until it has ended.
 *
 * @param onState told of every look
 * @throws ApiError, or an AbortError once the signal is aborted
 */
export async function followImport(
  started: FarmImport,
  { onState, signal }: { readonly onState: (state: FarmImport) => void; readonly signal: AbortSignal },
): Promise<FarmImport> {
  let state = started;
  onState(state);
  for (let look = 0; !hasImportEnded(state); look += 1) {
    await pause(WAITS_SECONDS[Math.min(look, WAITS_SECONDS.length - 1)] ?? 2, signal);
    state = await callJson<FarmImport>({ path: `/v1/imports/${encodeURIComponent(state.id)}`, as: 'token', signal });
    onState(state);
  }
  return state;
}
