import { BitReader, BitWriter, type Model, type Take } from './explore.js';
import {
  claimOf,
  disowned,
  GONE,
  movesOf,
  putRow,
  takeRow,
  withWorkersExchanged,
  type ItemRow,
  type Kernel,
} from './itemRow.js';

/**
 * Work that is asked for: two askers each store one fact and ask for the item. Two workers claim it, read the facts, do
 * them, and end the item only at the count of asks behind which they read. A sweep sends lost messages again. An asker is
 * work of the kernel itself, so one that dies begins again.
 */
export interface UnitFaults {
  readonly crash: number;
  /** Answers to writes, hidden behind a later write of somebody else. */
  readonly lost: number;
  /** Attempts that outlive their lease. */
  readonly slow: number;
  /** Messages that are lost or given up by the host. */
  readonly dropped: number;
  /** Attempts that fail or wait. */
  readonly fails: number;
}

/** Protections that lie in the order of reads and writes, not in a function. */
export const unitShell = {
  sweeps: true,
  /** The end deletes the row by its ETag. */
  endsByEtag: true,
  /** Before it deletes, the end compares the asks of its copy, which a renewal may have met, with those of the facts. */
  comparesAsks: true,
  readsFactsAfterClaim: true,
  storesFactBeforeAsk: true,
  asksByEtag: true,
  /** A renewal that meets more asks leaves the count alone behind which the facts were read. */
  keepsAsksOfFacts: true,
  diedAskerBeginsAgain: true,
  /** An ask whose row is gone makes a new one. */
  asksAnewWhenGone: true,
};
export type UnitShell = typeof unitShell;

interface Asker {
  /** Index into the parts of an ask; behind the last it is done. */
  part: number;
  isFresh: boolean;
  /** There was a row when it read. */
  hasRow: boolean;
  /** The row as read, kept where the ask is written over whatever is there; else a stale copy is refused anyway. */
  copy: ItemRow | undefined;
}

const AT = { idle: 0, message: 1, read: 2, claimed: 3, factsRead: 4, worked: 5, givenBack: 6 } as const;

interface Worker {
  at: number;
  /** Its copy of the row is the latest. */
  isFresh: boolean;
  /** The asks behind which the facts were read. */
  asks: number;
  /** The asks of its copy of the row. */
  copyAsks: number;
  /** The facts that it read, a bit each. */
  seen: number;
  /** It takes its lease for running. */
  isValid: boolean;
}

const SWEEP = { idle: 0, read: 1, moved: 2 } as const;

interface UnitState {
  row: ItemRow | undefined;
  facts: number;
  done: number;
  /** Messages under way; more than two are as two. */
  messages: number;
  askers: [Asker, Asker];
  workers: [Worker, Worker];
  sweep: { at: number; isFresh: boolean };
  faults: { -readonly [Fault in keyof UnitFaults]: number };
}

const FAULTS = ['crash', 'lost', 'slow', 'dropped', 'fails'] as const;
const BOTH = [0, 1] as const;
type Index = (typeof BOTH)[number];
const ALL_FACTS = 3;
const MOST_MESSAGES = 2;

const idleWorker = (): Worker => ({ at: AT.idle, isFresh: false, asks: 0, copyAsks: 0, seen: 0, isValid: false });
const askerAt = (part: number): Asker => ({ part, isFresh: false, hasRow: false, copy: undefined });

/** @param kernel the functions behind the moves */
export function unitModel(kernel: Kernel, shell: UnitShell, faults: UnitFaults): Model<UnitState> {
  const moves = movesOf(kernel);
  const parts = shell.storesFactBeforeAsk ? (['fact', 'read', 'write', 'send'] as const) : LATE_FACT;
  const steps = [
    askerSteps({ moves, shell, parts }),
    timeSteps,
    ...(shell.sweeps ? [sweepSteps(moves)] : []),
    workerSteps({ moves, shell }),
  ];
  const isQuiet = (state: UnitState): boolean =>
    state.row === undefined &&
    state.askers.every(({ part }) => part >= parts.length) &&
    state.workers.every(({ at }) => at === AT.idle) &&
    state.sweep.at === SWEEP.idle;
  return {
    initial: {
      row: undefined,
      facts: 0,
      done: 0,
      messages: 0,
      askers: [askerAt(0), askerAt(0)],
      workers: [idleWorker(), idleWorker()],
      sweep: { at: SWEEP.idle, isFresh: false },
      faults: { ...faults },
    },
    encode: encoded,
    decode: decoded,
    broken: (state) => {
      if (state.workers.every(({ isValid }) => isValid)) return 'two valid holders at once';
      return isQuiet(state) && state.done !== state.facts ? 'an ask was lost' : undefined;
    },
    isGood: (state) => isQuiet(state) && state.done === ALL_FACTS,
    steps: (state, take) => {
      for (const some of steps) some(state, take);
    },
  };
}

const LATE_FACT = ['read', 'write', 'send', 'fact'] as const;
type Part = (typeof LATE_FACT)[number];
type Steps = (state: UnitState, take: Take<UnitState>) => void;
interface Wiring {
  readonly moves: ReturnType<typeof movesOf>;
  readonly shell: UnitShell;
}

/** Writes the row: whoever has read it before has a stale copy. */
function write(state: UnitState, row: ItemRow | undefined): void {
  // Nothing that a unit writes elsewhere is fenced, so epochs would only make more states.
  state.row = row && { ...row, epoch: 0 };
  for (const reader of [...state.askers, ...state.workers, state.sweep]) reader.isFresh = false;
}

function send(state: UnitState): void {
  state.messages = Math.min(MOST_MESSAGES, state.messages + 1);
}

interface AskerContext extends Wiring {
  readonly parts: readonly Part[];
  readonly state: UnitState;
  readonly index: Index;
  readonly take: Take<UnitState>;
}

function askerSteps(wiring: Wiring & { readonly parts: readonly Part[] }): Steps {
  const { shell, parts } = wiring;
  return (state, take) => {
    for (const index of BOTH) {
      const part = parts[state.askers[index].part];
      if (part === undefined) continue;
      const named: Take<UnitState> = (label, change) => {
        take(`asker ${index + 1} ${label}`, change);
      };
      stepsOfAsker[part]({ ...wiring, state, index, take: named });
      if (state.faults.crash === 0 || state.askers[index].part === 0) continue;
      named('dies', (next) => {
        next.faults.crash -= 1;
        next.askers[index] = askerAt(shell.diedAskerBeginsAgain ? 0 : parts.length);
      });
    }
  };
}

const stepsOfAsker: Record<Part, (context: AskerContext) => void> = {
  fact: ({ index, take }) => {
    take('stores its fact', (next) => {
      next.facts |= 1 << index;
      next.askers[index].part += 1;
    });
  },
  read: ({ shell, parts, index, take }) => {
    take('reads the item', (next) => {
      const { row } = next;
      const copy = shell.asksByEtag ? undefined : row;
      const part = parts.indexOf('write');
      next.askers[index] = { part, isFresh: true, hasRow: row !== undefined, copy };
    });
  },
  write: writeAsk,
  send: ({ state, index, take }) => {
    take('sends the message', (next) => {
      send(next);
      next.askers[index].part += 1;
    });
    if (state.faults.dropped === 0) return;
    take('sends the message, which is lost', (next) => {
      next.faults.dropped -= 1;
      next.askers[index].part += 1;
    });
  },
};

function writeAsk(context: AskerContext): void {
  const { shell, parts, state, index, take } = context;
  const { row } = state;
  const { isFresh, hasRow } = state.askers[index];
  const reading = parts.indexOf('read');
  if (hasRow ? row === undefined || (!isFresh && shell.asksByEtag) : row !== undefined) {
    const isTakenForMade = !shell.asksAnewWhenGone && row === undefined;
    take('is refused the ask', (next) => {
      next.askers[index] = askerAt(isTakenForMade ? parts.indexOf('send') + 1 : reading);
    });
    return;
  }
  take('asks', (next) => {
    ask(next, context);
  });
  if (state.faults.lost === 0) return;
  take('asks, the answer is lost, and begins anew', (next) => {
    next.faults.lost -= 1;
    ask(next, context);
    next.askers[index] = askerAt(reading);
  });
}

function ask(next: UnitState, { moves, parts, index }: AskerContext): void {
  const row = next.row === undefined ? moves.created() : moves.asked(next.askers[index].copy ?? next.row);
  write(next, row);
  // Whoever holds the item goes on with it; a message would only be dropped.
  const sends = row.claim === 0 && moves.hasMessageUnderWay(row);
  next.askers[index] = askerAt(parts.indexOf('send') + (sends ? 0 : 1));
}

/** A lease ends by itself once its process has gone; under a living one only when it is slow. */
const timeSteps: Steps = ({ row, faults }, take) => {
  if (row?.isAhead !== true) return;
  const isAlive = row.claim !== 0 && row.claim !== GONE;
  if (isAlive && faults.slow === 0) return;
  take(row.claim === 0 ? 'the wait is over' : 'the lease is over', (next) => {
    next.row = { ...row, isAhead: false };
    if (!isAlive) return;
    next.faults.slow -= 1;
    next.workers[row.claim === 1 ? 0 : 1].isValid = false;
  });
};

function sweepSteps(moves: Wiring['moves']): Steps {
  return ({ row, sweep, messages, faults }, take) => {
    if (sweep.at === SWEEP.idle && row !== undefined && !row.isAhead) {
      const isLate = moves.hasMessageUnderWay(row) && messages > 0;
      if (isLate) return;
      take('the sweep reads the item', (next) => {
        next.sweep = { at: SWEEP.read, isFresh: true };
      });
    }
    if (sweep.at === SWEEP.read) {
      take('the sweep moves its next look', (next) => {
        const isWritten = next.sweep.isFresh && next.row !== undefined;
        if (isWritten) write(next, moves.resent(next.row!));
        next.sweep = { at: isWritten ? SWEEP.moved : SWEEP.idle, isFresh: false };
      });
    }
    if (sweep.at === SWEEP.moved) {
      take('the sweep sends the message', (next) => {
        send(next);
        next.sweep.at = SWEEP.idle;
      });
      if (faults.crash === 0) return;
      take('the sweep dies', (next) => {
        next.faults.crash -= 1;
        next.sweep.at = SWEEP.idle;
      });
    }
  };
}

/** The process of a worker no longer knows the item. */
function leave(state: UnitState, index: Index): void {
  state.workers[index] = idleWorker();
  state.row &&= disowned(state.row, index);
  for (const asker of state.askers) asker.copy &&= disowned(asker.copy, index);
}

function workerSteps(wiring: Wiring): Steps {
  return (state, take) => {
    for (const index of BOTH) {
      const { at } = state.workers[index];
      const named: Take<UnitState> = (label, change) => {
        take(`worker ${index + 1} ${label}`, change);
      };
      const context = { ...wiring, state, index, take: named };
      if (at === AT.idle) takeMessage(context);
      else if (at === AT.message) readItem(context);
      else if (at === AT.read) claim(context);
      else if (at === AT.givenBack) sendOwn(context);
      else holderSteps(context);
      if (at !== AT.idle) deaths(context);
    }
  };
}

interface Context extends Wiring {
  readonly state: UnitState;
  readonly index: Index;
  readonly take: Take<UnitState>;
}

function takeMessage({ state, index, take }: Context): void {
  if (state.messages === 0) return;
  take('takes a message', (next) => {
    next.messages -= 1;
    next.workers[index].at = AT.message;
  });
}

function deaths({ state, index, take }: Context): void {
  if (state.faults.crash > 0) {
    take('dies, its message comes back', (next) => {
      next.faults.crash -= 1;
      leave(next, index);
      send(next);
    });
  }
  if (state.faults.dropped > 0) {
    take('dies, its message is given up', (next) => {
      next.faults.dropped -= 1;
      leave(next, index);
    });
  }
}

function readItem({ moves, shell, index, take }: Context): void {
  take('reads the item', (next) => {
    if (next.row === undefined || !moves.isClaimable(next.row)) {
      leave(next, index);
      return;
    }
    const seen = shell.readsFactsAfterClaim ? 0 : next.facts;
    next.workers[index] = { ...idleWorker(), at: AT.read, isFresh: true, seen };
  });
}

function claim({ moves, shell, state, index, take }: Context): void {
  const { row } = state;
  const { isFresh, seen } = state.workers[index];
  // Facts that were read first tempt to claim the row as it is by now.
  const mayClaim = isFresh || (!shell.readsFactsAfterClaim && row !== undefined && moves.isClaimable(row));
  if (row === undefined || !mayClaim) {
    take('is refused the claim', (next) => {
      leave(next, index);
    });
    return;
  }
  take('claims', (next) => {
    const held = moves.claimed(row, claimOf(index));
    write(next, held);
    const { asks } = held;
    next.workers[index] = { at: AT.claimed, isFresh: true, asks, copyAsks: asks, seen, isValid: true };
  });
  if (state.faults.lost === 0) return;
  take('claims, the answer is lost, and takes the claim for refused', (next) => {
    next.faults.lost -= 1;
    write(next, moves.claimed(row, claimOf(index)));
    leave(next, index);
  });
}

function sendOwn({ index, take }: Context): void {
  take('sends the message', (next) => {
    send(next);
    leave(next, index);
  });
}

/** The item as its holder has it. */
const ownOf = ({ copyAsks }: Worker, index: Index): ItemRow => ({
  claim: claimOf(index),
  epoch: 0,
  asks: copyAsks,
  isAhead: true,
  awaitsMessage: false,
});

function holderSteps(context: Context): void {
  const { shell, state, index, take } = context;
  const { at } = state.workers[index];
  renewals(context);
  if (at === AT.claimed) {
    take('reads the facts', (next) => {
      const worker = next.workers[index];
      if (shell.readsFactsAfterClaim) worker.seen = next.facts;
      worker.at = AT.factsRead;
    });
  }
  if (at === AT.factsRead) {
    take('does the work', (next) => {
      const worker = next.workers[index];
      next.done |= worker.seen;
      worker.seen = 0;
      worker.at = AT.worked;
    });
    if (state.faults.fails > 0) givesBack(context);
  }
  if (at === AT.worked) end(context);
}

/** Renewals come at any time, by the timer and before what others would see. */
function renewals(context: Context): void {
  const { moves, shell, state, index, take } = context;
  const worker = state.workers[index];
  if (worker.isFresh) {
    take('renews its lease', (next) => {
      write(next, moves.renewed(ownOf(worker, index)));
      Object.assign(next.workers[index], { isFresh: true, isValid: true });
    });
    return;
  }
  take('is refused the renewal, reads again', (next) => {
    readAgain(next, context);
    const after = next.workers[index];
    if (!shell.keepsAsksOfFacts) after.asks = after.copyAsks;
  });
}

/** After a refused write: takes over what others wrote, or leaves the item. */
function readAgain(next: UnitState, { moves, index }: Context): void {
  const worker = next.workers[index];
  const fate = moves.fate(next.row, { claim: claimOf(index), asks: worker.asks });
  if (next.row === undefined || fate === 'gone' || fate === 'lost') {
    leave(next, index);
    return;
  }
  worker.copyAsks = moves.merged(ownOf(worker, index), next.row).asks;
  worker.isFresh = true;
}

function givesBack({ moves, state, index, take }: Context): void {
  const worker = state.workers[index];
  // A stale copy is refused, and the reading after that is one of `renewals`.
  if (!worker.isFresh) return;
  const ways = { 'fails, gives the item back': moves.failed, 'gives the item back for long': moves.waiting };
  for (const [label, way] of Object.entries(ways)) {
    take(label, (next) => {
      next.faults.fails -= 1;
      const row = way(ownOf(worker, index));
      write(next, row);
      next.workers[index] = { ...idleWorker(), at: moves.hasMessageUnderWay(row) ? AT.givenBack : AT.idle };
    });
  }
}

/** Deletes the item, or goes on with it where the copy at hand has more asks than the facts that were read. */
function end(context: Context): void {
  const { shell, state, index, take } = context;
  const worker = state.workers[index];
  if (shell.comparesAsks && hasMoreAsks(worker)) {
    take('knows of more asks, goes on', (next) => {
      readFactsAnew(next, index);
    });
  } else if (worker.isFresh || !shell.endsByEtag) {
    take('ends the item', (next) => {
      write(next, undefined);
      leave(next, index);
    });
  } else {
    take('is refused the end, reads again', (next) => {
      readAgain(next, context);
      if (hasMoreAsks(next.workers[index])) readFactsAnew(next, index);
    });
  }
}

const hasMoreAsks = ({ asks, copyAsks }: Worker): boolean => copyAsks !== asks;

function readFactsAnew(next: UnitState, index: Index): void {
  const worker = next.workers[index];
  worker.at = AT.claimed;
  worker.asks = worker.copyAsks;
}

/** The two workers are alike, and so are the askers with their facts: states that differ in their order have one text. */
function encoded(state: UnitState): string {
  const [first, second] = [placeOf(state.askers[0]), placeOf(state.askers[1])];
  if (first < second) return textOf(state);
  const other = textOf(withAskersExchanged(state));
  if (first > second) return other;
  const own = textOf(state);
  return own < other ? own : other;
}

const bitsExchanged = (bits: number): number => ((bits & 1) << 1) | (bits >> 1);

const withAskersExchanged = (state: UnitState): UnitState => ({
  ...state,
  facts: bitsExchanged(state.facts),
  done: bitsExchanged(state.done),
  askers: [state.askers[1], state.askers[0]],
  workers: [
    { ...state.workers[0], seen: bitsExchanged(state.workers[0].seen) },
    { ...state.workers[1], seen: bitsExchanged(state.workers[1].seen) },
  ],
});

function textOf({ row, facts, done, messages, askers, workers, sweep, faults }: UnitState): string {
  const [a, b] = [codeOf(workers[0]), codeOf(workers[1])];
  const isExchanged = a > b || (a === b && row?.claim === 2);
  const named = (some: ItemRow | undefined) => some && (isExchanged ? withWorkersExchanged(some) : some);
  const out = new BitWriter();
  out.put(isExchanged ? b : a, 15);
  out.put(isExchanged ? a : b, 15);
  putRow(out, named(row));
  for (const asker of askers) {
    out.put(placeOf(asker), 5);
    putRow(out, named(asker.copy));
  }
  out.put(facts, 2);
  out.put(done, 2);
  out.put(sweep.at, 2);
  out.put(Number(sweep.isFresh), 1);
  out.put(messages, 2);
  for (const fault of FAULTS) out.put(faults[fault], 2);
  return out.text();
}

const placeOf = ({ part, isFresh, hasRow }: Asker): number => (part << 2) | (Number(isFresh) << 1) | Number(hasRow);

const codeOf = ({ at, isFresh, asks, copyAsks, seen, isValid }: Worker): number =>
  (at << 12) | (asks << 8) | (copyAsks << 4) | (seen << 2) | (Number(isFresh) << 1) | Number(isValid);

const workerOf = (code: number): Worker => ({
  at: code >> 12,
  asks: (code >> 8) & 15,
  copyAsks: (code >> 4) & 15,
  seen: (code >> 2) & 3,
  isFresh: ((code >> 1) & 1) === 1,
  isValid: (code & 1) === 1,
});

function askerOf(bits: BitReader): Asker {
  const code = bits.take(5);
  return { part: code >> 2, isFresh: (code & 2) !== 0, hasRow: (code & 1) !== 0, copy: takeRow(bits) };
}

function decoded(text: string): UnitState {
  const bits = new BitReader(text);
  const workers: UnitState['workers'] = [workerOf(bits.take(15)), workerOf(bits.take(15))];
  const row = takeRow(bits);
  const askers: UnitState['askers'] = [askerOf(bits), askerOf(bits)];
  const [facts, done] = [bits.take(2), bits.take(2)];
  const sweep = { at: bits.take(2), isFresh: bits.isSet() };
  const messages = bits.take(2);
  const faults = { crash: 0, lost: 0, slow: 0, dropped: 0, fails: 0 };
  for (const fault of FAULTS) faults[fault] = bits.take(2);
  return { row, facts, done, messages, askers, workers, sweep, faults };
}
