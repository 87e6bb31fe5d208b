import type { Clock } from '../../kit/clock.js';
import type { Action, Etag } from '../../storage/rows.js';
import { fateOf, merged, progressed, renewed, type Place, type WorkItem } from './workItem.js';
import type { StoredWork, WorkStore, WrittenWork } from './workStore.js';

/** However long a lease is renewed, an attempt ends after that unless its kind takes longer: well below the host's own time limit. */
const LONGEST_MS = 15 * 60_000;

/** So long after a write of its own an attempt takes the item for its own without asking. */
const MOMENT_MS = 2_000;

/** An attempt no longer holds its item: somebody else claimed or ended it. It must not write anything any more. */
export class AttemptLost extends Error {
  override readonly name = 'AttemptLost';

  constructor() {
    super('The attempt no longer holds its work.');
  }
}

export interface AttemptPorts {
  readonly store: WorkStore;
  readonly clock: Clock;
}

/**
 * One attempt's hold on its work item. It renews the lease three times within it; `signal` aborts when the item is lost
 * or the attempt takes too long.
 */
export class Attempt {
  readonly signal: AbortSignal;
  readonly #abort = new AbortController();
  readonly #ports: AttemptPorts;
  readonly #leaseMs: number;
  readonly #claim: string;
  readonly #stopTimer: () => void;
  #stored: StoredWork;
  /** The count of asks behind which the facts were read. */
  #asks: number;
  /** ETags of the rows that the claim has written. */
  readonly #beside: ReadonlyMap<string, Etag>;
  /** Writes follow each other: each needs the ETag of the one before. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(
    ports: AttemptPorts,
    claimed: WrittenWork & { readonly claim: string },
    { leaseMs, longestMs = LONGEST_MS }: { readonly leaseMs: number; readonly longestMs?: number | undefined },
  ) {
    this.#ports = ports;
    this.#leaseMs = leaseMs;
    this.#claim = claimed.claim;
    this.#stored = claimed;
    this.#asks = claimed.item.asks;
    this.#beside = claimed.beside;
    this.signal = this.#abort.signal;
    const deadline = this.#now() + longestMs;
    this.#stopTimer = ports.clock.every(Math.floor(leaseMs / 3), () => {
      if (this.#now() > deadline) this.#abort.abort(new Error('The attempt took too long.'));
      // A storage that is away is no loss: the lease still runs, and only the next write decides.
      else void this.#renew().catch(() => undefined);
    });
  }

  get item(): WorkItem {
    return this.#stored.item;
  }

  /** The ETag of a row that the claim has written. @throws Error for any other row */
  etagOf(rowKey: string): Etag {
    const etag = this.#beside.get(rowKey);
    if (etag === undefined) throw new Error('The claim has not written this row.');
    return etag;
  }

  /**
   * Makes sure that the item is still the attempt's before something is written that others would see: by a renewal,
   * unless the row was written a moment ago.
   *
   * @throws AttemptLost
   */
  async hold(): Promise<void> {
    this.signal.throwIfAborted();
    this.#requireHeld();
    const writtenAt = this.item.notBefore - this.#leaseMs;
    if (this.#now() - writtenAt > MOMENT_MS) await this.#renew();
  }

  /** Stores where the next attempt goes on should this one die. @throws AttemptLost */
  async save(place: Place): Promise<void> {
    await this.#write((item) => ({ ...renewed(item, this.#leaseEnd()), place }));
  }

  /** Something was achieved that no other attempt has to do: attempts are counted anew. @throws AttemptLost */
  async progressed(): Promise<void> {
    const { attempts, failures } = this.item;
    if (attempts === 1 && Object.keys(failures).length === 0) return;
    await this.#write((item) => progressed(item, this.#leaseEnd()));
  }

  /** What comes of `work`, or the abort of the attempt when that comes first: work that hangs must not keep it. */
  async untilLost<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    const aborted = new Promise<never>((_resolve, reject) => {
      const fail = (): void => {
        reject(signal.reason instanceof Error ? signal.reason : new AttemptLost());
      };
      if (signal.aborted) fail();
      else signal.addEventListener('abort', fail, { once: true });
    });
    return Promise.race([work, aborted]);
  }

  /**
   * Gives the item back as `next` says, and no longer renews it.
   *
   * @param next told, too, whether the work was asked for anew since its facts were read
   * @param beside rows of the same partition that are written in the same transaction
   * @throws AttemptLost
   */
  async giveBack(
    next: (item: WorkItem, isAskedAgain: boolean) => WorkItem,
    beside: (next: WorkItem) => readonly Action[] = () => [],
  ): Promise<WorkItem> {
    this.stop();
    return this.#write((item) => next(item, this.#fate(item) === 'asked'), beside);
  }

  /**
   * Ends the item, unless its work was asked for anew: then the attempt goes on holding it, and the facts are to be read
   * again.
   *
   * @param beside rows of the same partition that are written in the same transaction
   * @returns whether it has ended
   * @throws AttemptLost
   */
  finish(beside: readonly Action[] = []): Promise<boolean> {
    return this.#inTurn(async () => {
      // A renewal may have found the ask before: then the ETag at hand is behind it, and would not tell.
      while (this.#fate(this.item) !== 'asked') {
        if (await this.#ports.store.delete(this.#stored, beside)) {
          this.stop();
          return true;
        }
        if ((await this.#readAgain(beside)) === 'gone') return true;
      }
      this.#asks = this.item.asks;
      return false;
    });
  }

  /** No longer renews the lease; of an attempt that has ended in whatever way. */
  stop(): void {
    this.#stopTimer();
  }

  #now(): number {
    return this.#ports.clock.now().getTime();
  }

  async #renew(): Promise<void> {
    await this.#write((item) => renewed(item, this.#leaseEnd()));
  }

  #leaseEnd(): number {
    return this.#now() + this.#leaseMs;
  }

  #write(
    next: (item: WorkItem) => WorkItem,
    besideOf: (next: WorkItem) => readonly Action[] = () => [],
  ): Promise<WorkItem> {
    return this.#inTurn(async () => {
      for (;;) {
        this.#requireHeld();
        const own = next(this.item);
        const beside = besideOf(own);
        const written = await this.#ports.store.update(this.#stored, own, beside);
        if (written !== undefined) {
          this.#stored = written;
          return own;
        }
        if ((await this.#readAgain(beside)) === 'gone') throw this.#lost();
      }
    });
  }

  /**
   * After a refused write: takes over what others may have written to the item.
   *
   * @throws AttemptLost when they have claimed it, or ended it with what was to be written `beside`
   * @throws Error when they have written to what lies beside it alone
   */
  async #readAgain(beside: readonly Action[]): Promise<'held' | 'asked' | 'gone'> {
    const there = await this.#ports.store.find(this.item);
    const fate = this.#fate(there?.item);
    if (fate === 'lost' || (there === undefined && beside.length > 0)) throw this.#lost();
    if (there === undefined) return fate;
    if (beside.length > 0 && there.etag === this.#stored.etag) {
      throw new Error('A row that is written together with the work was changed by somebody else.');
    }
    this.#stored = { item: merged(this.item, there.item), etag: there.etag };
    return fate;
  }

  /** What was given back is nobody's, or somebody else's by now; a branch of the work may not have noticed. */
  #requireHeld(): void {
    if (this.#fate(this.item) === 'lost') throw this.#lost();
  }

  #fate(item: WorkItem | undefined): ReturnType<typeof fateOf> {
    return fateOf(item, { claim: this.#claim, asks: this.#asks });
  }

  #lost(): AttemptLost {
    const lost = new AttemptLost();
    this.stop();
    this.#abort.abort(lost);
    return lost;
  }

  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const turn = this.#writing.catch(() => undefined).then(write);
    this.#writing = turn;
    return turn;
  }
}
