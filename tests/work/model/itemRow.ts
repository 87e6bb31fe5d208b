import {
  fateOf,
  asked,
  claimed,
  failed,
  isClaimable,
  LOST_MESSAGE_MS,
  merged,
  messageDueAt,
  newItem,
  renewed,
  resent,
  takenOver,
  waiting,
  type WorkItem,
} from '../../../shared/work/item/workItem.js';
import type { BitReader, BitWriter } from './explore.js';

/** The functions whose moves the models make. A test replaces one of them to see that its loss is found. */
export const realKernel = {
  newItem,
  isClaimable,
  claimed,
  renewed,
  waiting,
  failed,
  takenOver,
  resent,
  messageDueAt,
  asked,
  fateOf,
  merged,
};
export type Kernel = typeof realKernel;

/** A work item as a model keeps it: instants become "has come" or "is ahead", attempts and failures are left out. */
export interface ItemRow {
  /** 0: nobody's; 1 and 2: of the attempt of that worker; 3: of an attempt whose process has gone. */
  readonly claim: number;
  readonly epoch: number;
  readonly asks: number;
  /** Its lease runs, or it is not due yet. */
  readonly isAhead: boolean;
  /** The sweep looks only when a message would be late. */
  readonly awaitsMessage: boolean;
}

/** The claim of an attempt whose process has gone: no living process knows it. */
export const GONE = 3;
/** The claim of a worker, by its index. */
export const claimOf = (worker: number): number => worker + 1;

const NOW = Date.parse('2026-06-01T12:00:00Z');
const KEY = { kind: 'model', id: 'item' };
const SOON_MS = 60_000;
/** Longer than a message may be delayed. */
const LATE_MS = 60 * 60_000;

const CLAIM = 'attempt ';
const claimText = (claim: number): string => `${CLAIM}${claim}`;

/** A real work item that is as the row says at the instant `NOW`. */
function itemOf({ claim, epoch, asks, isAhead, awaitsMessage }: ItemRow): WorkItem {
  const isSoon = claim !== 0 || awaitsMessage;
  const notBefore = isAhead ? NOW + (isSoon ? SOON_MS : LATE_MS) : NOW - 1;
  return {
    ...KEY,
    ...(claim === 0 ? {} : { claim: claimText(claim) }),
    epoch,
    asks,
    attempts: 1,
    failures: {},
    notBefore,
    checkAt: awaitsMessage ? notBefore + LOST_MESSAGE_MS : notBefore,
    createdAt: NOW - LATE_MS,
  };
}

const rowOf = ({ claim, epoch, asks, notBefore, checkAt }: WorkItem): ItemRow => ({
  claim: claim === undefined ? 0 : Number(claim.slice(CLAIM.length)),
  epoch,
  asks,
  isAhead: notBefore > NOW,
  awaitsMessage: checkAt > notBefore,
});

/** The real moves, from row to row. */
export interface Moves {
  readonly created: () => ItemRow;
  readonly isClaimable: (row: ItemRow) => boolean;
  readonly claimed: (row: ItemRow, claim: number) => ItemRow;
  readonly renewed: (own: ItemRow) => ItemRow;
  /** Given back by an attempt that failed and is tried again soon. */
  readonly failed: (own: ItemRow) => ItemRow;
  /** Given back by an attempt that waits for longer than a message may be delayed. */
  readonly waiting: (own: ItemRow) => ItemRow;
  /** Taken from whoever holds it, for what is left to be done at that epoch. */
  readonly takenOver: (row: ItemRow, epoch: number) => ItemRow;
  readonly resent: (row: ItemRow) => ItemRow;
  readonly asked: (row: ItemRow) => ItemRow;
  /** Whether a message is under way unless it was lost: whoever gave the item back, or asked for it, sends one. */
  readonly hasMessageUnderWay: (row: ItemRow) => boolean;
  readonly fate: (row: ItemRow | undefined, holding: { claim: number; asks: number }) => ReturnType<Kernel['fateOf']>;
  readonly merged: (own: ItemRow, there: ItemRow) => ItemRow;
}

/**
 * The real functions know nothing but what they are handed, and there are a few hundred rows: each move is made once, and
 * looked up in all other states.
 */
function lookedUp<Answer>(move: (row: ItemRow) => Answer): (row: ItemRow) => Answer {
  const known = new Map<number, Answer>();
  return (row) => {
    const code = codeOf(row);
    const there = known.get(code);
    if (there !== undefined) return there;
    const answer = move(row);
    known.set(code, answer);
    return answer;
  };
}

/** The same for a move that takes a small number beside the row. */
function lookedUpBy<Answer>(move: (row: ItemRow, by: number) => Answer): (row: ItemRow, by: number) => Answer {
  const moves: ((row: ItemRow) => Answer)[] = [];
  return (row, by) => (moves[by] ??= lookedUp((own) => move(own, by)))(row);
}

/** @param kernel the functions behind the moves */
export function movesOf(kernel: Kernel): Moves {
  const gone = { failures: {}, failure: 'failed', failureClass: 'fault' } as const;
  const fates = lookedUpBy((row, holding) => {
    const { claim, asks } = rowOfCode(holding);
    return kernel.fateOf(itemOf(row), { claim: claimText(claim), asks });
  });
  const merged = lookedUpBy((own, there) => rowOf(kernel.merged(itemOf(own), itemOf(rowOfCode(there)))));
  return {
    created: () => rowOf(kernel.newItem(KEY, NOW)),
    isClaimable: lookedUp((row) => kernel.isClaimable(itemOf(row), NOW)),
    claimed: lookedUpBy((row, claim) => {
      // A clock that says nothing: epochs grow by one, and a state stays as small as it is.
      return rowOf(kernel.claimed(itemOf(row), { claim: claimText(claim), leaseEnd: NOW + SOON_MS, now: 0 }));
    }),
    renewed: lookedUp((own) => rowOf(kernel.renewed(itemOf(own), NOW + SOON_MS))),
    failed: lookedUp((own) => rowOf(kernel.failed(itemOf(own), { ...gone, until: NOW + SOON_MS }, NOW))),
    waiting: lookedUp((own) => rowOf(kernel.waiting(itemOf(own), { until: NOW + LATE_MS }, NOW))),
    takenOver: lookedUpBy((row, epoch) => rowOf(kernel.takenOver(itemOf(row), { epoch }, NOW))),
    resent: lookedUp((row) => rowOf(kernel.resent(itemOf(row), NOW))),
    asked: lookedUp((row) => rowOf(kernel.asked(itemOf(row), NOW))),
    hasMessageUnderWay: lookedUp((row) => kernel.messageDueAt(itemOf(row)) !== undefined),
    fate: (row, holding) => {
      if (row !== undefined) return fates(row, codeOf({ ...NO_ROW, ...holding }));
      return kernel.fateOf(undefined, { ...holding, claim: claimText(holding.claim) });
    },
    merged: (own, there) => merged(own, codeOf(there)),
  };
}

/** The row of a claim that its worker no longer knows. */
export const disowned = (row: ItemRow, worker: number): ItemRow =>
  row.claim === claimOf(worker) ? { ...row, claim: GONE } : row;

/** The row with the claims of the two workers exchanged. */
export const withWorkersExchanged = (row: ItemRow): ItemRow =>
  row.claim === 1 || row.claim === 2 ? { ...row, claim: 3 - row.claim } : row;

const NO_ROW: ItemRow = { claim: 0, epoch: 0, asks: 0, isAhead: false, awaitsMessage: false };

/** Bits of a row; one more says that it is there. */
const ROW_BITS = 12;
const IS_THERE = 1 << ROW_BITS;
/** An epoch and a count of asks have four bits. */
const MOST = 15;

/** The row as a number. @throws Error when a count has grown beyond what a model lets it */
function codeOf({ claim, epoch, asks, isAhead, awaitsMessage }: ItemRow): number {
  if (claim > GONE || epoch > MOST || asks > MOST) throw new Error('A row has grown beyond its bits.');
  return (claim << 10) | (epoch << 6) | (asks << 2) | (isAhead ? 2 : 0) | (awaitsMessage ? 1 : 0);
}

/** All rows by their codes, made when they are first met: a state holds them, and nothing changes them. */
const rows: ItemRow[] = [];

const rowOfCode = (code: number): ItemRow =>
  (rows[code] ??= {
    claim: code >> 10,
    epoch: (code >> 6) & MOST,
    asks: (code >> 2) & MOST,
    isAhead: (code & 2) !== 0,
    awaitsMessage: (code & 1) !== 0,
  });

export function putRow(out: BitWriter, row: ItemRow | undefined): void {
  out.put(row === undefined ? 0 : IS_THERE | codeOf(row), ROW_BITS + 1);
}

export function takeRow(bits: BitReader): ItemRow | undefined {
  const code = bits.take(ROW_BITS + 1);
  return code === 0 ? undefined : rowOfCode(code & ~IS_THERE);
}
