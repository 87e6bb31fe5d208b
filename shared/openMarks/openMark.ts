/** What a mark stands for: a customer whose imagery has something to be done. */
export const markKinds = ['imagery'] as const;
export type MarkKind = (typeof markKinds)[number];

/** Whose mark it is. */
export interface MarkKey {
  readonly kind: MarkKind;
  readonly customer: string;
}

/**
 * Says that something may be open, so that a sweep need not ask every customer. It is set before the work that it stands
 * for, and taken away only by whoever has looked since and found nothing: a mark too many costs one look, work without a
 * mark would never be swept.
 */
export interface OpenMark extends MarkKey {
  /** Nobody looks before that. */
  readonly checkAt: number;
  /** When it was set last. */
  readonly raisedAt: number;
}

/** A mark as read; whoever raises it again meanwhile changes `etag`. */
export interface StoredMark {
  readonly mark: OpenMark;
  readonly etag: string;
}

/** Marks that want a look, and whether everything that was open before there were marks has got one. */
export interface DueMarks {
  readonly due: readonly StoredMark[];
  readonly isTakenOver: boolean;
}

/** Where marks are kept. A look for what is due costs the same however many customers there are. */
export interface MarkStore {
  /** Sets a mark whether or not there is one; of a look that has begun before, nothing is taken away. */
  raise(mark: OpenMark): Promise<void>;
  listDue(kind: MarkKind, now: number): Promise<DueMarks>;
  /** Moves a mark that was looked at, or takes it away; nothing happens when it was raised since. */
  settle(stored: StoredMark, checkAt: number | undefined): Promise<void>;
  /** Takes a mark away of which nothing is open and nothing will be. */
  lower(key: MarkKey): Promise<void>;
  /** From now on the marks are all there is to look at. */
  finishTakeOver(kind: MarkKind): Promise<void>;
}
