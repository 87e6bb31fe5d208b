import type { DueMarks, MarkKey, MarkKind, MarkStore, OpenMark, StoredMark } from '../../shared/openMarks/openMark.js';

const textOf = ({ kind, customer, enrollmentId = '' }: MarkKey): string => `${kind}|${customer}|${enrollmentId}`;

/** Marks in memory; the same suite runs against them and against the table. */
export class MemoryMarkStore implements MarkStore {
  readonly marks = new Map<string, StoredMark>();
  readonly #takenOver = new Set<MarkKind>();
  #etag = 0;

  /** @param takenOver kinds of which nothing was open before there were marks */
  constructor(...takenOver: readonly MarkKind[]) {
    for (const kind of takenOver) this.#takenOver.add(kind);
  }

  raise(mark: OpenMark): Promise<void> {
    this.#put(mark);
    return Promise.resolve();
  }

  listDue(kind: MarkKind, now: number): Promise<DueMarks> {
    const due = [...this.marks.values()].filter(({ mark }) => mark.kind === kind && mark.checkAt <= now);
    return Promise.resolve({ due, isTakenOver: this.#takenOver.has(kind) });
  }

  settle({ mark, etag }: StoredMark, checkAt: number | undefined): Promise<void> {
    if (this.marks.get(textOf(mark))?.etag !== etag) return Promise.resolve();
    if (checkAt === undefined) return this.lower(mark);
    this.#put({ ...mark, checkAt });
    return Promise.resolve();
  }

  lower(key: MarkKey): Promise<void> {
    this.marks.delete(textOf(key));
    return Promise.resolve();
  }

  finishTakeOver(kind: MarkKind): Promise<void> {
    this.#takenOver.add(kind);
    return Promise.resolve();
  }

  #put({ kind, customer, enrollmentId, checkAt, raisedAt }: OpenMark): void {
    this.#etag += 1;
    const own = enrollmentId === undefined ? {} : { enrollmentId };
    const mark = { kind, customer, ...own, checkAt, raisedAt };
    this.marks.set(textOf(mark), { mark, etag: String(this.#etag) });
  }
}
