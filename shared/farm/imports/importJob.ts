import type { ImportKey } from '../upkeep/importFileStore.js';
import type { JsonObject } from '../../kit/json/json.js';
import { ownerOf, type Place, type WorkItem, type WorkKey } from '../../work/item/workItem.js';

/** The kind of the work that writes the fields of a file. */
export const IMPORT = 'import';

export const KML_TYPE = 'application/vnd.google-earth.kml+xml';
export const KMZ_TYPE = 'application/vnd.google-earth.kmz';

/** What a file is, by its content type: a FeatureCollection, an archive with a shapefile or KML, KML, an export of ours. */
export type ImportType =
  'application/geo+json' | 'application/zip' | typeof KML_TYPE | typeof KMZ_TYPE | 'application/x-ndjson';

/** What a caller asks for, beside the file. */
export interface ImportOptions {
  readonly type: ImportType;
  /** Whose fields they are; of an export the party that is taken from it, all of them when absent. */
  readonly partyId?: string;
  /** The farm of all fields. */
  readonly farmId?: string;
  /** The property of a feature that is its id. */
  readonly idProperty?: string;
  readonly nameProperty?: string;
  /** Whether what is there keeps members that the file does not have. */
  readonly mode: 'merge' | 'replace';
}

/** What the work has to know. */
export interface ImportRequest extends ImportOptions {
  /** Who asks. */
  readonly by: string;
  /** SHA-256 of the file and of the options; also names the file in storage. */
  readonly digest: string;
}

/** A feature that was not written. */
export interface ImportError {
  /** From 0, in the order of the file. */
  readonly index: number;
  readonly id?: string;
  readonly code: string;
  readonly message: string;
}

/** How far the work has come. */
export interface ImportProgress {
  /** Index of the feature that comes next. */
  readonly next: number;
  /** Features of the file; of a shapefile its records, deleted ones too, until it was read to the end. */
  readonly total: number;
  readonly written: number;
  readonly failed: number;
  readonly errors: readonly ImportError[];
}

/** An import as it is kept for its caller. Instants are milliseconds since 1970 UTC. */
export interface ImportJob {
  readonly id: string;
  /** Whose fields they are; of an export the party that is taken from it, all of them when absent. */
  readonly partyId?: string;
  readonly digest: string;
  /** Between both it is `Running`, as its work says. */
  readonly status: 'Waiting' | 'Succeeded' | 'Failed';
  /** Why it failed as a whole. */
  readonly message?: string;
  readonly createdAt: number;
  readonly endedAt?: number;
  /** Of one that has ended. */
  readonly progress?: ImportProgress;
}

export const workOfImport = (tenant: string, importId: string): WorkKey => ({
  kind: IMPORT,
  id: `${tenant}|${importId}`,
});

export const importOfWork = (item: WorkKey): ImportKey => {
  const tenant = ownerOf(item);
  return { tenant, importId: item.id.slice(tenant.length + 1) };
};

export const factsOfImport = (request: ImportRequest): JsonObject => ({ ...request });

export const requestOfWork = ({ facts }: Pick<WorkItem, 'facts'>): ImportRequest => facts as unknown as ImportRequest;

export const notBegun: ImportProgress = { next: 0, total: 0, written: 0, failed: 0, errors: [] };

const STEP = 'write';

export const placeOfImport = (progress: ImportProgress): Place => ({
  step: STEP,
  state: progress as unknown as JsonObject,
});

/** Undefined before the first features are written. */
export const progressOfImport = (place: Place | undefined): ImportProgress | undefined =>
  place?.state as ImportProgress | undefined;

/** Most errors that are kept, and most characters of them: they lie in one row with the work. */
const MOST_ERRORS = 1_000;
const MOST_ERROR_CHARACTERS = 200_000;
const MOST_MESSAGE = 200;
const MOST_ID = 64;

/** What became of one feature. */
export interface FeatureOutcome {
  readonly index: number;
  readonly fault?: Omit<ImportError, 'index'>;
}

/** The progress behind some more features. */
export function progressBehind(before: ImportProgress, outcomes: readonly FeatureOutcome[]): ImportProgress {
  const failed = outcomes.flatMap(({ index, fault }) => (fault === undefined ? [] : [errorOf(index, fault)]));
  const hasRoom = before.errors.length < MOST_ERRORS && JSON.stringify(before.errors).length < MOST_ERROR_CHARACTERS;
  return {
    next: (outcomes.at(-1)?.index ?? before.next - 1) + 1,
    total: before.total,
    written: before.written + outcomes.length - failed.length,
    failed: before.failed + failed.length,
    errors: hasRoom ? [...before.errors, ...failed].slice(0, MOST_ERRORS) : before.errors,
  };
}

const errorOf = (index: number, { id, code, message }: Omit<ImportError, 'index'>): ImportError => ({
  index,
  ...(id === undefined ? {} : { id: shownPart(id, MOST_ID) }),
  code,
  message: shownPart(message, MOST_MESSAGE),
});

/** Without characters that would take six in a row. */
const shownPart = (text: string, most: number): string => text.slice(0, most).replaceAll(/\p{C}/gu, '?');
