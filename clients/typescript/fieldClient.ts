import { Connection, type ClientOptions } from './connection.js';
import { FarmData } from './farm.js';
import { FieldStorage } from './fieldStorage.js';
import type { components } from './generated.js';
import { Jobs } from './jobs.js';
import { counted, multipartOf, type Progress } from './upload.js';

type Schemas = components['schemas'];

export interface SubmitOptions {
  /** A submission repeated under its key makes one enrollment; made up unless told. */
  readonly idempotencyKey?: string;
  readonly onProgress?: Progress;
}

export interface JobFilter {
  readonly kind?: Schemas['JobListItem']['kind'];
  readonly status?: Schemas['JobListItem']['status'];
}

export interface FieldFilter {
  readonly group?: string;
}

/** The items of a list, page by page. */
async function* pages<Item>(filter: object, read: (query: string) => Promise<Response>): AsyncGenerator<Item> {
  const query = new URLSearchParams(
    Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
  );
  for (;;) {
    const { items, cursor } = (await (await read(query.toString())).json()) as {
      readonly items: readonly Item[];
      readonly cursor: string | null;
    };
    yield* items;
    if (cursor === null) return;
    query.set('cursor', cursor);
  }
}

/** The whole service: jobs, insights and farm data with a token, enrollments and storage with a key. */
export class FieldClient {
  readonly gdd: Jobs<Schemas['GddJobParameters'], Schemas['GddJob']>;
  readonly boundaries: Jobs<Schemas['SmartBoundaryJobParameters'], Schemas['SmartBoundaryJob']>;
  readonly farm: FarmData;
  readonly #connection: Connection;

  constructor(options: ClientOptions) {
    this.#connection = new Connection(options);
    this.gdd = new Jobs(this.#connection, 'gdd', 'gdd');
    this.boundaries = new Jobs(this.#connection, 'smartBoundary', 'smart-boundary');
    this.farm = new FarmData(this.#connection);
  }

  /** What a job that SUCCEEDED has found out. */
  async insight(insightId: string): Promise<Schemas['Insight']> {
    return (await (await this.#connection.withToken(`/v1/insights/${insightId}`)).json()) as Schemas['Insight'];
  }

  /** The same as `text/csv`, `image/svg+xml` or `application/geo+json`. */
  async insightAs(insightId: string, accept: string): Promise<string> {
    return (await this.#connection.withToken(`/v1/insights/${insightId}`, { headers: { accept } })).text();
  }

  /** The ground that a Smart Boundary job looked at: a GeoTIFF, where the insight has a `picture`. */
  async insightPicture(insightId: string): Promise<Blob> {
    const headers = { accept: 'image/tiff' };
    return (await this.#connection.withToken(`/v1/insights/${insightId}`, { headers })).blob();
  }

  /** All jobs of the tenant, newest first; those of one kind or status when told. */
  async *jobs(filter: JobFilter = {}): AsyncGenerator<Schemas['JobListItem']> {
    yield* pages<Schemas['JobListItem']>(filter, (query) => this.#connection.withToken(`/v1/jobs?${query}`));
  }

  /** What would become of each field of a submission; nothing is stored. Parameters as in `submit`. */
  async tryOut(request: Schemas['EnrollmentRequest'], geojson: Blob): Promise<Schemas['SubmissionTrial']> {
    const { type, body } = multipartOf(request, geojson);
    const call = { method: 'POST', headers: { 'content-type': type }, body: () => body };
    return (await (
      await this.#connection.withKey('/v1/enrollments?dry_run=true', call)
    ).json()) as Schemas['SubmissionTrial'];
  }

  /** @param geojson the fields, a file as `await openAsBlob('fields.geojson')` */
  async submit(request: Schemas['EnrollmentRequest'], geojson: Blob, options: SubmitOptions = {}) {
    const { idempotencyKey = crypto.randomUUID(), onProgress } = options;
    const { type, body } = multipartOf(request, geojson);
    const answer = await this.#connection.withKey('/v1/enrollments', {
      method: 'POST',
      headers: { 'content-type': type, 'idempotency-key': idempotencyKey },
      body: () => (onProgress === undefined ? body : counted(body, onProgress)),
    });
    return (await answer.json()) as Schemas['Enrollment'];
  }

  async enrollment(enrollmentId: string): Promise<Schemas['Enrollment']> {
    return (await (await this.#connection.withKey(`/v1/enrollments/${enrollmentId}`)).json()) as Schemas['Enrollment'];
  }

  /** All enrollments of the customer, newest first. */
  async *enrollments(): AsyncGenerator<Schemas['Enrollment']> {
    yield* pages<Schemas['Enrollment']>({}, (query) => this.#connection.withKey(`/v1/enrollments?${query}`));
  }

  /** All fields of the customer, in no order of their own; those of one group when told, of none by an empty one. */
  async *fields(filter: FieldFilter = {}): AsyncGenerator<Schemas['Field']> {
    yield* pages<Schemas['Field']>({ ...filter, limit: 250 }, (query) =>
      this.#connection.withKey(`/v1/fields?${query}`),
    );
  }

  /** The customer's files. */
  storage(): FieldStorage {
    const { blobEndpoint } = this.#connection.options;
    const access = async (): Promise<Schemas['StorageAccess']> =>
      (await (await this.#connection.withKey('/v1/auth/sas-token')).json()) as Schemas['StorageAccess'];
    return new FieldStorage(access, blobEndpoint);
  }
}
