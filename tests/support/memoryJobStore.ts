import type { Clock } from '../../shared/clock.js';
import { checkAt, endedOn, wantsLook, type Job, type JobKey, type JobStatus } from '../../shared/jobs/job.js';
import {
  BUCKETS,
  type EndedJob,
  type ListedEntry,
  type JobList,
  type JobPageQuery,
  type JobPages,
  type JobQueue,
  type JobStore,
  type OpenJob,
  type StoredJob,
} from '../../shared/jobs/jobPorts.js';

const textOf = ({ tenant, solution, jobId }: JobKey): string => `${tenant}|${solution}|${jobId}`;

const doneTextOf = (ended: EndedJob): string => `${ended.endedOn}|${textOf(ended)}`;

/** The job store in memory; the same suite runs against it and against the table, so it can't lie. */
export class MemoryJobStore implements JobStore, JobList, JobPages {
  readonly #rows = new Map<string, StoredJob>();
  readonly #open = new Map<string, OpenJob>();
  readonly #done = new Map<string, EndedJob>();
  #etag = 0;

  find(key: JobKey): Promise<StoredJob | undefined> {
    return Promise.resolve(this.#rows.get(textOf(key)));
  }

  insert(job: Job): Promise<boolean> {
    if (this.#rows.has(textOf(job))) return Promise.resolve(false);
    this.#put(job);
    this.#putOpen(job, checkAt(job));
    return Promise.resolve(true);
  }

  replace(stored: StoredJob, next: Job): Promise<StoredJob | undefined> {
    return Promise.resolve(this.#isCurrent(stored) ? this.#put(next) : undefined);
  }

  end(stored: StoredJob, next: Job): Promise<boolean> {
    if (!this.#isCurrent(stored)) return Promise.resolve(false);
    this.#put(next);
    if (wantsLook(next)) this.#putOpen(next, checkAt(next));
    else this.#open.delete(textOf(next));
    const entry = { ...keyOf(next), endedOn: endedOn(next) };
    this.#done.set(doneTextOf(entry), entry);
    return Promise.resolve(true);
  }

  reopen(stored: StoredJob, next: Job): Promise<boolean> {
    if (!this.#isCurrent(stored)) return Promise.resolve(false);
    this.#put(next);
    this.#putOpen(next, checkAt(next));
    this.#done.delete(doneTextOf({ ...keyOf(next), endedOn: endedOn(stored.job) }));
    return Promise.resolve(true);
  }

  async *list(status: JobStatus): AsyncIterable<Job> {
    await Promise.resolve();
    for (const { job } of this.#rows.values()) if (job.status === status) yield job;
  }

  listOf(tenant: string, { solutions, status, after = '', limit }: JobPageQuery): Promise<readonly ListedEntry[]> {
    const entries = [...this.#rows.values()]
      .filter(({ job }) => job.tenant === tenant && solutions.includes(job.solution))
      .filter(({ job }) => status === undefined || job.status === status)
      .map(({ job }) => entryOf(job))
      .filter(({ position }) => position > after)
      .sort((a, b) => (a.position < b.position ? -1 : 1));
    return Promise.resolve(entries.slice(0, limit));
  }

  async *listOverdue(bucket: number, now: number): AsyncIterable<OpenJob> {
    await Promise.resolve();
    if (bucket === 0) yield* [...this.#open.values()].filter((open) => open.checkAt <= now);
  }

  findOpen(key: JobKey): Promise<OpenJob | undefined> {
    return Promise.resolve(this.#open.get(textOf(key)));
  }

  postpone(open: OpenJob, next: number): Promise<boolean> {
    const current = this.#open.get(textOf(open));
    if (current?.etag !== open.etag) return Promise.resolve(false);
    this.#open.set(textOf(open), { ...current, checkAt: next, etag: this.#next() });
    return Promise.resolve(true);
  }

  putOpen(key: JobKey, next: number): Promise<void> {
    this.#putOpen(key, next);
    return Promise.resolve();
  }

  dropOpen(open: OpenJob): Promise<void> {
    if (this.#open.get(textOf(open))?.etag === open.etag) this.#open.delete(textOf(open));
    return Promise.resolve();
  }

  async *listEndedBefore(bucket: number, instant: number): AsyncIterable<EndedJob> {
    await Promise.resolve();
    const day = new Date(instant).toISOString().slice(0, 10);
    if (bucket === BUCKETS - 1) yield* [...this.#done.values()].filter((entry) => entry.endedOn < day);
  }

  purge(ended: EndedJob, _job: Job): Promise<boolean> {
    if (!this.#rows.has(textOf(ended)) || !this.#done.delete(doneTextOf(ended))) return Promise.resolve(false);
    return Promise.resolve(this.#rows.delete(textOf(ended)));
  }

  forget(ended: EndedJob): Promise<void> {
    this.#done.delete(doneTextOf(ended));
    return Promise.resolve();
  }

  #putOpen(key: JobKey, next: number): void {
    this.#open.set(textOf(key), { ...keyOf(key), checkAt: next, etag: this.#next() });
  }

  #isCurrent(stored: StoredJob): boolean {
    return this.#rows.get(textOf(stored.job))?.etag === stored.etag;
  }

  #put(job: Job): StoredJob {
    const stored = { job, etag: this.#next(), isListed: true };
    this.#rows.set(textOf(job), stored);
    return stored;
  }

  #next(): string {
    this.#etag += 1;
    return String(this.#etag);
  }
}

function entryOf(job: Job): ListedEntry {
  const { status, createdAt, endedAt, insightId, parameters } = job;
  const { crop } = parameters;
  return {
    job: {
      ...keyOf(job),
      status,
      createdAt,
      ...(endedAt === undefined ? {} : { endedAt }),
      ...(typeof crop === 'string' ? { crop } : {}),
      ...(insightId === undefined ? {} : { insightId }),
    },
    position: `${9_999_999_999_999 - createdAt}|${job.jobId}|${job.solution}`,
  };
}

const keyOf = ({ tenant, solution, jobId }: JobKey): JobKey => ({ tenant, solution, jobId });

/** A queue that keeps what was sent, with the delay it was sent with. */
export class MemoryJobQueue implements JobQueue {
  readonly sent: { readonly key: JobKey; readonly delayMs: number }[] = [];
  readonly #dueAt = new WeakMap<object, number>();
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  enqueue({ tenant, solution, jobId }: JobKey, delayMs: number): Promise<void> {
    const message = { key: { tenant, solution, jobId }, delayMs };
    this.sent.push(message);
    this.#dueAt.set(message, this.#clock.now().getTime() + delayMs);
    return Promise.resolve();
  }

  servedUntil(now: number): Promise<number> {
    const due = this.sent.map((message) => this.#dueAt.get(message) ?? now);
    return Promise.resolve(Math.min(now, ...due));
  }
}
