import type { Enrollment, EnrollmentKey } from '../../shared/enrollments/enrollment.js';
import type {
  EnrollmentInputStore,
  EnrollmentStore,
  FieldLists,
  FieldStore,
  FieldWrite,
  IngestQueue,
  ListedDays,
  ListedEnrollment,
  ListedField,
  ListQuery,
  ScheduleStore,
  StoredEnrollment,
  StoredSubmission,
  StoredWork,
  SubmissionWrite,
} from '../../shared/enrollments/enrollmentPorts.js';
import { listPosition } from '../../shared/enrollments/enrollmentRows.js';
import type { Field, FieldClaim, FieldHolder, FieldOutline } from '../../shared/enrollments/field.js';
import { noDays, type NewestDays } from '../../shared/imagery/records/newestDays.js';
import type { IngestWork } from '../../shared/enrollments/ingestWork.js';
import type { ScheduledEnrollment } from '../../shared/enrollments/schedule.js';
import { isExpired, type KeptSubmission, type SubmissionKey } from '../../shared/enrollments/submissionKey.js';

const keyOf = ({ customer, keyHash }: Pick<SubmissionKey, 'customer' | 'keyHash'>): string => `${customer}|${keyHash}`;
const textOf = ({ customer, enrollmentId }: EnrollmentKey): string => `${customer}|${enrollmentId}`;

/** Deletes what is kept under keys that begin with the customer. @returns how much */
export function removeOf(customer: string, ...maps: readonly Map<string, unknown>[]): number {
  let removed = 0;
  for (const map of maps) {
    for (const key of [...map.keys()].filter((text) => text.split(/[|/]/)[0] === customer)) {
      map.delete(key);
      removed += 1;
    }
  }
  return removed;
}

/** Enrollments and their schedules in memory; the same suite runs against them and against the table. */
export class MemoryEnrollmentStore implements EnrollmentStore, ScheduleStore {
  readonly #rows = new Map<string, StoredEnrollment>();
  readonly #work = new Map<string, StoredWork>();
  readonly #schedules = new Map<string, ScheduledEnrollment>();
  readonly #submissions = new Map<string, StoredSubmission>();
  #etag = 0;

  insert(enrollment: Enrollment, work: IngestWork, key?: SubmissionWrite): Promise<boolean> {
    if (key !== undefined) {
      const { submission, replaces } = key;
      if (this.#submissions.get(keyOf(submission))?.etag !== replaces?.etag) return Promise.resolve(false);
      this.#submissions.set(keyOf(submission), { submission, etag: this.#next() });
    }
    this.#put(enrollment);
    this.#work.set(textOf(work), { work, etag: this.#next() });
    return Promise.resolve(true);
  }

  findSubmission(key: Pick<KeptSubmission, 'customer' | 'keyHash'>): Promise<StoredSubmission | undefined> {
    return Promise.resolve(this.#submissions.get(keyOf(key)));
  }

  listExpiredSubmissions(customer: string, now: number): Promise<readonly StoredSubmission[]> {
    const own = [...this.#submissions.values()].filter(({ submission }) => submission.customer === customer);
    return Promise.resolve(own.filter(({ submission }) => isExpired(submission, now)));
  }

  forgetSubmission({ submission, etag }: StoredSubmission): Promise<void> {
    const key = keyOf(submission);
    if (this.#submissions.get(key)?.etag === etag) this.#submissions.delete(key);
    return Promise.resolve();
  }

  find(key: EnrollmentKey): Promise<StoredEnrollment | undefined> {
    return Promise.resolve(this.#rows.get(textOf(key)));
  }

  list(customer: string, { status, after = '', limit }: ListQuery): Promise<readonly ListedEnrollment[]> {
    const listed = [...this.#rows.values()]
      .map(({ enrollment }) => ({ enrollment, position: listPosition(enrollment) }))
      .filter(({ enrollment }) => enrollment.customer === customer)
      .filter(({ enrollment }) => status === undefined || enrollment.status === status)
      .filter(({ position }) => position > after)
      .sort((a, b) => (a.position < b.position ? -1 : 1));
    return Promise.resolve(listed.slice(0, limit));
  }

  replace(stored: StoredEnrollment, next: Enrollment): Promise<StoredEnrollment | undefined> {
    return Promise.resolve(this.#isCurrent(stored) ? this.#put(next) : undefined);
  }

  endIngest(stored: StoredEnrollment, next: Enrollment, schedule: ScheduledEnrollment | undefined): Promise<boolean> {
    if (!this.#isCurrent(stored) || !this.#work.delete(textOf(next))) return Promise.resolve(false);
    this.#put(next);
    if (schedule !== undefined) this.#schedules.set(textOf(schedule), schedule);
    return Promise.resolve(true);
  }

  stop(stored: StoredEnrollment, next: Enrollment): Promise<boolean> {
    if (!this.#isCurrent(stored)) return Promise.resolve(false);
    this.#put(next);
    this.#work.delete(textOf(next));
    this.#schedules.delete(textOf(next));
    return Promise.resolve(true);
  }

  findWork(key: EnrollmentKey): Promise<StoredWork | undefined> {
    return Promise.resolve(this.#work.get(textOf(key)));
  }

  replaceWork(stored: StoredWork, next: IngestWork): Promise<StoredWork | undefined> {
    if (this.#work.get(textOf(next))?.etag !== stored.etag) return Promise.resolve(undefined);
    const written = { work: next, etag: this.#next() };
    this.#work.set(textOf(next), written);
    return Promise.resolve(written);
  }

  listWork(customer: string): Promise<readonly StoredWork[]> {
    return Promise.resolve([...this.#work.values()].filter(({ work }) => work.customer === customer));
  }

  listDue(customer: string, day: string): Promise<readonly ScheduledEnrollment[]> {
    const due = [...this.#schedules.values()]
      .filter((schedule) => schedule.customer === customer && schedule.nextDate <= day)
      .sort((a, b) => (a.nextDate < b.nextDate ? -1 : 1));
    return Promise.resolve(due);
  }

  remove(due: ScheduledEnrollment): Promise<void> {
    if (this.#schedules.get(textOf(due))?.nextDate === due.nextDate) this.#schedules.delete(textOf(due));
    return Promise.resolve();
  }

  /** Deletes every row of the customer. @returns how many */
  removeAll(customer: string): number {
    return removeOf(customer, this.#rows, this.#work, this.#schedules, this.#submissions);
  }

  #isCurrent({ enrollment, etag }: StoredEnrollment): boolean {
    return this.#rows.get(textOf(enrollment))?.etag === etag;
  }

  #put(enrollment: Enrollment): StoredEnrollment {
    const stored = { enrollment, etag: this.#next() };
    this.#rows.set(textOf(enrollment), stored);
    return stored;
  }

  #next(): string {
    this.#etag += 1;
    return String(this.#etag);
  }
}

/** Fields, claims and holders in memory. */
export class MemoryFieldStore implements FieldStore, FieldLists {
  readonly #fields = new Map<string, Field>();
  readonly #claims = new Map<string, FieldClaim>();
  readonly #holders = new Map<string, FieldHolder>();
  /** What lists show beside the claim. */
  readonly #shown = new Map<string, Partial<Pick<ListedField, 'outline' | 'failure'>> & NewestDays>();
  #etag = 0;

  listFields({ customer, enrollmentId }: EnrollmentKey): Promise<readonly Field[]> {
    const own = [...this.#fields.values()].filter(
      (field) => field.customer === customer && field.enrollmentId === enrollmentId,
    );
    return Promise.resolve(own.sort((a, b) => a.index - b.index));
  }

  findClaim(customer: string, fieldId: string): Promise<FieldClaim | undefined> {
    return Promise.resolve(this.#claims.get(`${customer}|${fieldId}`));
  }

  listHolders(customer: string, fieldId: string): Promise<readonly FieldHolder[]> {
    const prefix = `${customer}|${fieldId}|`;
    return Promise.resolve([...this.#holders].filter(([key]) => key.startsWith(prefix)).map(([, holder]) => holder));
  }

  write({ customer, enrollmentId }: EnrollmentKey, batch: readonly FieldWrite[]): Promise<boolean> {
    const keyOf = (index: number): string => `${customer}|${enrollmentId}|${index}`;
    const isFree = batch.every((write) => {
      if (this.#fields.has(keyOf(write.field.index))) return false;
      if (!('holder' in write))
        return write.claim?.etag === this.#claims.get(`${customer}|${write.claim?.fieldId ?? ''}`)?.etag;
      return this.#claims.get(`${customer}|${write.holder.fieldId}`)?.etag === write.replaces?.etag;
    });
    if (!isFree) return Promise.resolve(false);
    for (const write of batch) {
      this.#fields.set(keyOf(write.field.index), write.field);
      if (!('holder' in write)) {
        const { code, message } = write.field;
        if (write.claim !== undefined) this.#show(customer, write.claim.fieldId, { failure: { code, message } });
        continue;
      }
      const { fieldId, geometryHash } = write.holder;
      const { newest, newestPicture } = this.#shown.get(`${customer}|${fieldId}`) ?? noDays;
      this.#shown.set(`${customer}|${fieldId}`, { newest, newestPicture, outline: write.outline });
      this.#etag += 1;
      this.#claims.set(`${customer}|${fieldId}`, { fieldId, geometryHash, etag: String(this.#etag) });
      this.#holders.set(`${customer}|${fieldId}|${enrollmentId}`, write.holder);
    }
    return Promise.resolve(true);
  }

  listFieldsOf(
    customer: string,
    { after = '', limit }: { readonly after?: string; readonly limit: number },
  ): Promise<readonly ListedField[]> {
    const own = [...this.#claims.entries()].filter(([key]) => key.startsWith(`${customer}|`));
    const listed = own.map(([key, { fieldId, geometryHash }]): ListedField => {
      const holders = [...this.#holders].filter(([holder]) => holder.startsWith(`${key}|`)).map(([, holder]) => holder);
      return { fieldId, geometryHash, ...noDays, ...this.#shown.get(key), holders, position: fieldId };
    });
    const page = listed.filter(({ position }) => position > after).sort((a, b) => (a.position < b.position ? -1 : 1));
    return Promise.resolve(page.slice(0, limit));
  }

  findDays(customer: string, fieldIds: readonly string[]): Promise<readonly ListedDays[]> {
    return Promise.resolve(
      fieldIds.flatMap((fieldId) => {
        const claim = this.#claims.get(`${customer}|${fieldId}`);
        const { newest, newestPicture } = this.#shown.get(`${customer}|${fieldId}`) ?? noDays;
        return claim === undefined ? [] : [{ fieldId, etag: claim.etag, newest, newestPicture }];
      }),
    );
  }

  putDays(customer: string, days: readonly ListedDays[]): Promise<readonly ListedDays[] | undefined> {
    const isCurrent = ({ fieldId, etag }: ListedDays): boolean =>
      this.#claims.get(`${customer}|${fieldId}`)?.etag === etag;
    if (!days.every(isCurrent)) return Promise.resolve(undefined);
    for (const { fieldId, newest, newestPicture } of days) this.#show(customer, fieldId, { newest, newestPicture });
    return Promise.resolve(
      days.map((listed) => ({ ...listed, etag: this.#claims.get(`${customer}|${listed.fieldId}`)?.etag ?? '' })),
    );
  }

  listUndescribed(customer: string): Promise<readonly FieldClaim[]> {
    const own = [...this.#claims].filter(([key]) => key.startsWith(`${customer}|`));
    return Promise.resolve(
      own.filter(([key]) => this.#shown.get(key)?.outline === undefined).map(([, claim]) => claim),
    );
  }

  describe(
    customer: string,
    claim: FieldClaim,
    facts: NewestDays & { readonly outline: FieldOutline },
  ): Promise<boolean> {
    const isCurrent = this.#claims.get(`${customer}|${claim.fieldId}`)?.etag === claim.etag;
    if (isCurrent) this.#show(customer, claim.fieldId, facts);
    return Promise.resolve(isCurrent);
  }

  /** Makes the field one of before lists. */
  forgetShown(customer: string, fieldId: string): void {
    this.#shown.delete(`${customer}|${fieldId}`);
  }

  #show(customer: string, fieldId: string, facts: Partial<ListedField>): void {
    const key = `${customer}|${fieldId}`;
    this.#etag += 1;
    const claim = this.#claims.get(key);
    if (claim !== undefined) this.#claims.set(key, { ...claim, etag: String(this.#etag) });
    this.#shown.set(key, { ...noDays, ...this.#shown.get(key), ...facts });
  }

  /** Deletes every row of the customer. @returns how many */
  removeAll(customer: string): number {
    return removeOf(customer, this.#fields, this.#claims, this.#holders);
  }

  async release(key: EnrollmentKey): Promise<void> {
    for (const { fieldId } of await this.listFields(key)) {
      this.#holders.delete(`${key.customer}|${fieldId}|${key.enrollmentId}`);
    }
  }
}

/** Submitted files in memory, with the instant they were written. */
export class MemoryInputStore implements EnrollmentInputStore {
  readonly files = new Map<string, { readonly key: EnrollmentKey; readonly geojson: Uint8Array; writtenAt: number }>();
  readonly geometries = new Map<string, Uint8Array>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  put(key: EnrollmentKey, { geojson }: { readonly geojson: Uint8Array }): Promise<void> {
    const { customer, enrollmentId } = key;
    this.files.set(textOf(key), { key: { customer, enrollmentId }, geojson, writtenAt: this.#now() });
    return Promise.resolve();
  }

  readGeoJson(key: EnrollmentKey): Promise<Uint8Array> {
    const file = this.files.get(textOf(key));
    return file === undefined ? Promise.reject(new Error('The inputs are gone.')) : Promise.resolve(file.geojson);
  }

  putGeometry(customer: string, geometryHash: string, geometry: Uint8Array): Promise<void> {
    this.geometries.set(`${customer}|${geometryHash}`, geometry);
    return Promise.resolve();
  }

  async *listWritten(from: number, to: number): AsyncIterable<EnrollmentKey> {
    await Promise.resolve();
    for (const { key, writtenAt } of this.files.values()) if (writtenAt >= from && writtenAt < to) yield key;
  }

  remove(key: EnrollmentKey): Promise<void> {
    this.files.delete(textOf(key));
    return Promise.resolve();
  }
}

/** A queue that keeps what was sent, with the delay it was sent with. */
export class MemoryIngestQueue implements IngestQueue {
  readonly sent: { readonly key: EnrollmentKey; readonly delayMs: number }[] = [];

  enqueue({ customer, enrollmentId }: EnrollmentKey, delayMs: number): Promise<void> {
    this.sent.push({ key: { customer, enrollmentId }, delayMs });
    return Promise.resolve();
  }
}
