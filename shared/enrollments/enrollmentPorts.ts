import type { Enrollment, EnrollmentError, EnrollmentKey, EnrollmentStatus } from './enrollment.js';
import type { NewestDays } from '../imagery/records/newestDays.js';
import type { FailedField, Field, FieldClaim, FieldHolder, FieldOutline, ReadyField } from './field.js';
import type { KeptSubmission } from './submissionKey.js';

/** An enrollment as read, with the mark of that reading: a write with it succeeds only while nobody else wrote. */
export interface StoredEnrollment {
  readonly enrollment: Enrollment;
  readonly etag: string;
}

export interface StoredSubmission {
  readonly submission: KeptSubmission;
  readonly etag: string;
}

/** The key of a submission to be kept with its enrollment, in place of what was read under it. */
export interface SubmissionWrite {
  readonly submission: KeptSubmission;
  readonly replaces: StoredSubmission | undefined;
}

/** One page of a list; `position` is where the next one begins. */
export interface ListedEnrollment {
  readonly enrollment: Enrollment;
  readonly position: string;
}

export interface ListQuery {
  readonly status?: EnrollmentStatus;
  /** Position of the last enrollment of the page before. */
  readonly after?: string;
  readonly limit: number;
}

/**
 * Where enrollments are kept. All rows of a customer share a partition, so that an enrollment and its list entries
 * change together. Every write recognises its own lost answer.
 */
export interface EnrollmentStore {
  /**
   * The one act that makes an enrollment exist: row, list entries and the key of its submission together.
   *
   * @returns false when another submission took the key meanwhile; then nothing was written
   */
  insert(enrollment: Enrollment, key?: SubmissionWrite): Promise<boolean>;
  /** Undefined when this customer has no such enrollment; another customer's is no such enrollment. */
  find(key: EnrollmentKey): Promise<StoredEnrollment | undefined>;
  /** Newest first, at most `limit`. */
  list(customer: string, query: ListQuery): Promise<readonly ListedEnrollment[]>;
  /** Undefined when the enrollment was changed by somebody else since it was read. */
  replace(stored: StoredEnrollment, next: Enrollment): Promise<StoredEnrollment | undefined>;

  /** What was accepted under a key, even if its time is over. */
  findSubmission(key: Pick<KeptSubmission, 'customer' | 'keyHash'>): Promise<StoredSubmission | undefined>;
  /** Keys of one customer whose time is over at `now`. */
  listExpiredSubmissions(customer: string, now: number): Promise<readonly StoredSubmission[]>;
  /** Forgets a key unless it was used anew since it was read. */
  forgetSubmission(stored: StoredSubmission): Promise<void>;
}

/** One field of a batch, and what has to happen to its claim. */
export type FieldWrite =
  | { readonly field: FailedField; /** Of a field that fails beside one that is there. */ readonly claim?: FieldClaim }
  | {
      readonly field: ReadyField;
      readonly holder: FieldHolder;
      readonly replaces: FieldClaim | undefined;
      readonly outline: FieldOutline;
    };

/** Where fields, the claims on their ids and those who monitor them are kept. */
export interface FieldStore {
  /** The fields of an enrollment that were written so far, by index. */
  listFields(key: EnrollmentKey): Promise<readonly Field[]>;
  findClaim(customer: string, fieldId: string): Promise<FieldClaim | undefined>;
  listHolders(customer: string, fieldId: string): Promise<readonly FieldHolder[]>;
  /** Writes a batch of at most 33 in one act; false when a claim was changed or a field was written by somebody else. */
  write(key: EnrollmentKey, batch: readonly FieldWrite[]): Promise<boolean>;
  /** Ends the enrollment's hold on its fields. */
  release(key: EnrollmentKey): Promise<void>;
}

/** A field of a customer as lists show it. */
export interface ListedField extends NewestDays {
  readonly fieldId: string;
  readonly geometryHash: string;
  readonly outline: FieldOutline;
  /** Why its latest enrollment could not have it, if that was so. */
  readonly failure?: Omit<EnrollmentError, 'fieldId'>;
  /** The enrollments that monitor it. */
  readonly holders: readonly FieldHolder[];
  /** Where the page behind it begins. */
  readonly position: string;
}

/** A field's newest days as they are listed, with the mark of that reading. */
export interface ListedDays extends NewestDays {
  readonly fieldId: string;
  readonly etag: string;
}

/** What lists show of fields: kept in one row of each, so that a page is read in a few queries whatever it shows. */
export interface FieldLists {
  /** Fields with a boundary, in the order of their positions. */
  listFieldsOf(
    customer: string,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<readonly ListedField[]>;
  /** Fields that aren't there are left out. */
  findDays(customer: string, fieldIds: readonly string[]): Promise<readonly ListedDays[]>;
  /**
   * Writes up to 100 in one act.
   *
   * @returns them with their new marks; undefined when one was changed by somebody else: then none is written
   */
  putDays(customer: string, days: readonly ListedDays[]): Promise<readonly ListedDays[] | undefined>;
}

/** Most fields of one `putDays`. */
export const DAYS_PER_WRITE = 100;

/** Most fields of one `write`: three rows each make 99 of the 100 that a transaction takes. */
export const FIELDS_PER_WRITE = 33;

/** Where what was submitted is kept, and the geometries that ingest made of it. */
export interface EnrollmentInputStore {
  put(key: EnrollmentKey, inputs: { readonly request: Uint8Array; readonly geojson: Uint8Array }): Promise<void>;
  /** @throws when the inputs aren't there */
  readGeoJson(key: EnrollmentKey): Promise<Uint8Array>;
  putGeometry(customer: string, geometryHash: string, geometry: Uint8Array): Promise<void>;
  remove(key: EnrollmentKey): Promise<void>;
}
