import {
  advanced,
  emptyLane,
  nameOf,
  type LaneState as RealLaneState,
  type Ticket,
} from '../../../shared/work/lanes/lane.js';
import { BitReader, BitWriter, type Model, type Take } from './explore.js';

/**
 * A lane with one slot: three jobs of two tenants. A job that is created is parked: its row is written, then its ticket, and
 * it has no message until it gets the slot. Who has the slot stands in the state of the lane; ticket and slot change in one
 * transaction. The looks behind tickets are shared. A sweep looks after the slot, and once an hour somebody looks at parked
 * jobs.
 *
 * Who gets the slot is the real function; reads, writes and messages are as in lanes.ts and sweepLanes.ts.
 */
export interface LaneFaults {
  readonly crash: number;
  /** Messages that are lost, and changes given up because others were quicker. */
  readonly dropped: number;
}

export const realLane = { advanced };
export type LaneKernel = typeof realLane;

/** Protections that lie in the order of reads and writes, not in a function. */
export const laneShell = {
  sweeps: true,
  /** The sweep sends the message of a job that has the slot and no message. */
  sweepSends: true,
  looksAtParked: true,
  changesByEtag: true,
  /** The slot is given back when the job has ended, not before. */
  endsBeforeLeaving: true,
};
export type LaneShell = typeof laneShell;

const AT = {
  /** Its row is written, and its ticket is to be left. */
  created: 0,
  waits: 1,
  /** Its lease is over: its message was sent again. */
  resumes: 2,
  works: 3,
  leaves: 4,
  leavesRead: 5,
  worksOn: 6,
  /** It has ended, and its process died before it gave the slot back. */
  abandoned: 7,
  done: 8,
} as const;
const LOOK = { idle: 0, looked: 1, read: 2 } as const;

interface Lane {
  readonly holders: readonly number[];
  /** Only the order of `turn` and `turns` matters: 0 to 2. */
  readonly turn: number;
  /** By tenant; undefined for one that does not wait. */
  readonly turns: readonly (number | undefined)[];
}

/** The lane as somebody read it. */
interface Reading {
  readonly seen: readonly number[];
  readonly wasEmpty: boolean;
  isFresh: boolean;
  /** Kept where it is written over whatever is there; else a stale reading is refused anyway. */
  readonly copy: Lane | undefined;
}

interface Item {
  at: number;
  hasMessage: boolean;
  reading: Reading;
}

/** Somebody who changes the lane and is no job. */
interface Look {
  at: number;
  reading: Reading;
  /** Somebody has asked since the lane was read: another look follows. */
  isWanted: boolean;
}

interface LaneState {
  lane: Lane;
  /** The jobs that have a ticket, in the order of asking. */
  tickets: number[];
  items: Item[];
  /** The look behind tickets. */
  look: Look;
  sweep: Look;
  faults: { -readonly [Fault in keyof LaneFaults]: number };
}

const SLOTS = 1;
const ITEMS = [0, 1, 2] as const;
const TENANTS = ['a', 'b'] as const;
/** By job. */
const TENANT_OF = ['a', 'a', 'b'] as const;
const EMPTY: Lane = { holders: [], turn: 0, turns: [undefined, undefined] };
const UNREAD: Reading = { seen: [], wasEmpty: false, isFresh: false, copy: undefined };
const IDLE: Look = { at: LOOK.idle, reading: UNREAD, isWanted: false };

/** @param kernel the function behind the change of a lane */
export function laneModel(kernel: LaneKernel, shell: LaneShell, faults: LaneFaults): Model<LaneState> {
  const isWorking = ({ at }: Item): boolean =>
    at === AT.works || at === AT.worksOn || (!shell.endsBeforeLeaving && (at === AT.leaves || at === AT.leavesRead));
  return {
    initial: {
      lane: EMPTY,
      tickets: [],
      items: ITEMS.map(() => ({ at: AT.created, hasMessage: false, reading: UNREAD })),
      look: { ...IDLE },
      sweep: { ...IDLE },
      faults: { ...faults },
    },
    encode: encoded,
    decode: decoded,
    broken: ({ lane, items }) => {
      if (lane.holders.length > SLOTS) return 'more hold than there are slots';
      return items.filter(isWorking).length > SLOTS ? 'two work in one slot' : undefined;
    },
    isGood: ({ lane, tickets, items, look, sweep }) =>
      items.every(({ at }) => at === AT.done) &&
      lane.holders.length + tickets.length === 0 &&
      look.at + sweep.at === LOOK.idle,
    steps: (state, take) => {
      for (const index of ITEMS) itemSteps({ kernel, shell, state, take: namedFor(index, take), index });
      lookSteps({ kernel, shell, state, take, index: NOBODY });
      if (shell.sweeps) sweepSteps({ kernel, shell, state, take, index: NOBODY });
    },
  };
}

const namedFor =
  (index: number, take: Take<LaneState>): Take<LaneState> =>
  (label, change) => {
    take(`job ${index + 1} ${label}`, change);
  };

/** The index of who is no job: a look, the sweep. */
const NOBODY = -1;

interface Context {
  readonly kernel: LaneKernel;
  readonly shell: LaneShell;
  readonly state: LaneState;
  readonly take: Take<LaneState>;
  readonly index: number;
}

const ticketOf = (index: number, askedAt: number): Ticket => ({
  kind: 'gdd',
  id: `${TENANT_OF[index] ?? ''}|${index}`,
  askedAt,
});
const nameOfItem = (index: number): string => nameOf(ticketOf(index, 0));
const indexOf = ({ id }: Pick<Ticket, 'id'>): number => Number(id.slice(id.indexOf('|') + 1));

/** The real state of a lane that is as the model's says. */
const realOf = ({ holders, turn, turns }: Lane): RealLaneState => ({
  holders: holders.map((index) => ({ ...ticketOf(index, 0), checkAt: 0 })),
  turn,
  turns: Object.fromEntries(TENANTS.flatMap((tenant, at) => (turns[at] === undefined ? [] : [[tenant, turns[at]]]))),
});

/** Turns are counted without end; only their order is kept. A lane without holders is no row. */
function laneOf({ holders, turn, turns }: RealLaneState): Lane {
  if (holders.length === 0) return EMPTY;
  const waiting = TENANTS.map((tenant) => turns[tenant]);
  const ranks = [...new Set([turn, ...waiting.filter((own) => own !== undefined)])].sort((a, b) => a - b);
  return {
    holders: holders.map(indexOf).sort((a, b) => a - b),
    turn: ranks.indexOf(turn),
    turns: waiting.map((own) => (own === undefined ? undefined : ranks.indexOf(own))),
  };
}

interface Change {
  readonly lane: Lane;
  readonly promoted: readonly number[];
  readonly spent: readonly number[];
  /** Nothing changes: nothing is written. */
  readonly isSame: boolean;
}

/** The change that follows from a reading, for those who leave. */
function changeOf(kernel: LaneKernel, before: Lane, seen: readonly number[], gone: readonly number[]): Change {
  const next = kernel.advanced(before.holders.length === 0 ? emptyLane : realOf(before), seen.map(ticketOf), {
    slots: SLOTS,
    checkAt: 0,
    gone: new Set(gone.map(nameOfItem)),
  });
  const lane = laneOf(next.state);
  const spent = next.spent.map(indexOf);
  const isSame = spent.length === 0 && lane.holders.join() === before.holders.join();
  return { lane, promoted: next.promoted.map(indexOf), spent, isSame };
}

function read({ shell, state }: Pick<Context, 'shell' | 'state'>): Reading {
  const { lane, tickets } = state;
  const wasEmpty = lane.holders.length === 0;
  return { seen: [...tickets], wasEmpty, isFresh: true, copy: shell.changesByEtag ? undefined : lane };
}

/**
 * Whether storage takes the change. Two readings of a lane without a row can't be told apart, but a ticket that somebody
 * else has spent is missed.
 */
function isTaken({ shell, state }: Context, { isFresh, wasEmpty }: Reading, { spent }: Change): boolean {
  if (isFresh || !shell.changesByEtag) return true;
  const isEmpty = state.lane.holders.length === 0;
  return wasEmpty && isEmpty && spent.every((index) => state.tickets.includes(index));
}

/** Writes the lane: whoever has read it before has a stale reading. */
function write(next: LaneState, { lane, spent }: Change): void {
  next.lane = lane;
  next.tickets = next.tickets.filter((index) => !spent.includes(index));
  for (const { reading } of [...next.items, next.look, next.sweep]) reading.isFresh = false;
}

/** A ticket is left, and the lane is to be looked at. */
function leaveTicket(next: LaneState, index: number): void {
  if (!next.tickets.includes(index)) next.tickets.push(index);
  if (next.look.at === LOOK.idle) next.look.at = LOOK.looked;
  else if (next.look.at === LOOK.read) next.look.isWanted = true;
}

function sendTo(next: LaneState, index: number): void {
  item(next, index).hasMessage = true;
}

function item({ items }: LaneState, index: number): Item {
  const found = items[index];
  if (found === undefined) throw new Error(`There is no job ${index}.`);
  return found;
}

/** How one process changes the lane: reads it, writes what follows, and goes on. */
interface Filling {
  readonly gone: readonly number[];
  readonly reading: (state: LaneState) => Reading;
  readonly setReading: (next: LaneState, reading: Reading) => void;
  /** Back to before the reading. */
  readonly again: (next: LaneState) => void;
  readonly goOn: (next: LaneState) => void;
}

function readLane(context: Context, filling: Filling, toWrite: (next: LaneState) => void): void {
  const { kernel, shell, take } = context;
  take('reads the lane', (next) => {
    const reading = read({ shell, state: next });
    const change = changeOf(kernel, next.lane, reading.seen, filling.gone);
    if (change.isSame) {
      filling.goOn(next);
      return;
    }
    filling.setReading(next, reading);
    toWrite(next);
  });
}

function writeLane(context: Context, filling: Filling): void {
  const { kernel, state, take } = context;
  const reading = filling.reading(state);
  const change = changeOf(kernel, reading.copy ?? state.lane, reading.seen, filling.gone);
  if (!isTaken(context, reading, change)) {
    take('was too late, reads again', (next) => {
      filling.setReading(next, UNREAD);
      filling.again(next);
    });
    takeFault(context, 'dropped', 'was too late too often, gives up', (next) => {
      filling.setReading(next, UNREAD);
      filling.goOn(next);
    });
    return;
  }
  const advance = (next: LaneState): readonly number[] => {
    write(next, change);
    filling.setReading(next, UNREAD);
    filling.goOn(next);
    return change.promoted;
  };
  take('changes the lane', (next) => {
    for (const promoted of advance(next)) sendTo(next, promoted);
  });
  if (change.promoted.length > 0)
    takeFault(context, 'dropped', 'changes the lane, its message to another is lost', advance);
}

function takeFault(
  { state, take }: Pick<Context, 'state' | 'take'>,
  fault: keyof LaneFaults,
  label: string,
  change: (next: LaneState) => unknown,
): void {
  if (state.faults[fault] === 0) return;
  take(label, (next) => {
    next.faults[fault] -= 1;
    change(next);
  });
}

const isAtWork = (at: number): boolean => at >= AT.works && at < AT.abandoned;
const hasEnded = (at: number, shell: LaneShell): boolean =>
  at >= AT.abandoned || (shell.endsBeforeLeaving && (at === AT.leaves || at === AT.leavesRead));

function itemSteps(context: Context): void {
  const { shell, state, take, index } = context;
  const { at, hasMessage } = item(state, index);
  stepsAt[at]?.(context);
  if (isAtWork(at) && hasMessage) {
    take('has an attempt at work: its message is dropped', (next) => {
      item(next, index).hasMessage = false;
    });
  }
  if (isAtWork(at) || at === AT.created) {
    takeFault(context, 'crash', 'dies', (next) => {
      setItem(next, index, deathOf(at, shell));
    });
  }
}

function setItem(next: LaneState, index: number, to: Partial<Item>): void {
  Object.assign(item(next, index), to);
}

/** What is left of a job whose process has died: its lease ends, and the sweep of jobs sends its message again. */
function deathOf(at: number, shell: LaneShell): Partial<Item> {
  if (hasEnded(at, shell)) return { at: AT.abandoned, hasMessage: false, reading: UNREAD };
  if (at === AT.created) return { at: AT.waits };
  return { at: AT.resumes, hasMessage: true, reading: UNREAD };
}

/** A job that gives the slot back. */
const leaving = ({ shell, index }: Context): Filling => ({
  gone: [index],
  reading: (state) => item(state, index).reading,
  setReading: (next, reading) => {
    item(next, index).reading = reading;
  },
  again: (next) => {
    item(next, index).at = AT.leaves;
  },
  goOn: (next) => {
    // A job that could not give its slot back leaves that to the sweep.
    const isLeft = next.lane.holders.includes(index) ? AT.abandoned : AT.done;
    setItem(next, index, { at: shell.endsBeforeLeaving ? isLeft : AT.worksOn, hasMessage: false });
  },
});

const goTo =
  (at: number) =>
  (context: Context): ((next: LaneState) => void) =>
  (next) => {
    item(next, context.index).at = at;
  };

/** Whoever has a message has the slot, or had it when its attempt died: nobody looks at the lane for that. */
function takeMessage({ state, take, index }: Context): void {
  if (!item(state, index).hasMessage) return;
  take('is taken', (next) => {
    setItem(next, index, { at: AT.works, hasMessage: false });
  });
}

const stepsAt: Record<number, (context: Context) => void> = {
  [AT.created]: ({ take, index }) => {
    take('leaves its ticket', (next) => {
      leaveTicket(next, index);
      item(next, index).at = AT.waits;
    });
  },
  [AT.resumes]: takeMessage,
  [AT.waits]: (context) => {
    takeMessage(context);
    lookAtParked(context);
  },
  [AT.works]: (context) => {
    context.take(context.shell.endsBeforeLeaving ? 'ends' : 'is about to end', goTo(AT.leaves)(context));
  },
  [AT.leaves]: (context) => {
    readLane(context, leaving(context), goTo(AT.leavesRead)(context));
  },
  [AT.leavesRead]: (context) => {
    writeLane(context, leaving(context));
  },
  [AT.worksOn]: (context) => {
    context.take('ends', goTo(AT.done)(context));
  },
  [AT.abandoned]: (context) => {
    if (!context.state.lane.holders.includes(context.index)) context.take('has left', goTo(AT.done)(context));
  },
};

/** Once an hour the ticket of a parked job is left again, and the lane is looked at. */
function lookAtParked({ shell, state, take, index }: Context): void {
  const { tickets, lane, look } = state;
  if (!shell.looksAtParked || item(state, index).hasMessage || look.at !== LOOK.idle) return;
  if (lane.holders.length > 0 && (tickets.includes(index) || lane.holders.includes(index))) return;
  take('is parked: its ticket is left again', (next) => {
    leaveTicket(next, index);
  });
}

/** The look behind tickets: free slots are given. */
const lookSteps = (context: Context): void => {
  changeSteps(context, { who: 'look', gone: [] });
};

/** The sweep: who has ended leaves, and who has the slot and neither message nor attempt gets its message. */
function sweepSteps(context: Context): void {
  const { shell, state } = context;
  if (state.sweep.at === LOOK.idle) lookAtHolders(context);
  const gone = state.lane.holders.filter((index) => hasEnded(item(state, index).at, shell));
  changeSteps(context, { who: 'sweep', gone });
}

/** Somebody who is no job reads the lane and writes what follows. */
function changeSteps(
  { take, ...context }: Context,
  { who, gone }: { readonly who: 'look' | 'sweep'; readonly gone: readonly number[] },
): void {
  const { at, reading } = context.state[who];
  const filling: Filling = {
    gone,
    reading: () => reading,
    setReading: (next, fresh) => {
      next[who].reading = fresh;
    },
    again: (next) => {
      next[who].at = LOOK.looked;
    },
    goOn: (next) => {
      next[who] = next[who].isWanted ? { ...IDLE, at: LOOK.looked } : { ...IDLE };
    },
  };
  const named: Context = {
    ...context,
    take: (label, change) => {
      take(`the ${who} ${label}`, change);
    },
  };
  if (at === LOOK.looked) {
    readLane(named, filling, (next) => {
      next[who].at = LOOK.read;
    });
  }
  if (at === LOOK.read) writeLane(named, filling);
  if (at !== LOOK.idle) {
    takeFault(named, 'crash', 'dies', (next) => {
      next[who] = { ...IDLE };
    });
  }
}

function lookAtHolders({ shell, state, take }: Context): void {
  const isSilent = (index: number): boolean => !item(state, index).hasMessage && !isAtWork(item(state, index).at);
  const silent = state.lane.holders.filter(isSilent);
  if (silent.length === 0) return;
  take('the sweep looks at who has the slot', (next) => {
    for (const index of silent) if (shell.sweepSends && !hasEnded(item(next, index).at, shell)) sendTo(next, index);
    next.sweep.at = LOOK.looked;
  });
}

/** The jobs 1 and 2 are of one tenant and alike: states that differ in their order have one text. */
function encoded(state: LaneState): string {
  const [first, second] = [item(state, 0).at, item(state, 1).at];
  if (first < second) return textOf(state);
  const other = textOf(exchanged(state));
  if (first > second) return other;
  const own = textOf(state);
  return own < other ? own : other;
}

const exchangedIndex = (index: number): number => (index === 2 ? 2 : 1 - index);
const exchangedLane = (lane: Lane): Lane => ({
  ...lane,
  holders: lane.holders.map(exchangedIndex).sort((a, b) => a - b),
});
const exchangedReading = (reading: Reading): Reading => ({
  ...reading,
  seen: reading.seen.map(exchangedIndex),
  copy: reading.copy && exchangedLane(reading.copy),
});

const exchanged = (state: LaneState): LaneState => ({
  ...state,
  lane: exchangedLane(state.lane),
  tickets: state.tickets.map(exchangedIndex),
  items: [1, 0, 2].map((index) => {
    const { reading, ...rest } = item(state, index);
    return { ...rest, reading: exchangedReading(reading) };
  }),
  look: { ...state.look, reading: exchangedReading(state.look.reading) },
  sweep: { ...state.sweep, reading: exchangedReading(state.sweep.reading) },
});

function textOf({ lane, tickets, items: jobs, look, sweep, faults }: LaneState): string {
  const out = new BitWriter();
  putLane(out, lane);
  putList(out, tickets);
  for (const { at, hasMessage, reading } of jobs) {
    out.put(at, 4);
    out.put(Number(hasMessage), 1);
    putReading(out, reading);
  }
  for (const { at, isWanted, reading } of [look, sweep]) {
    out.put(at, 2);
    out.put(Number(isWanted), 1);
    putReading(out, reading);
  }
  out.put(faults.crash, 2);
  out.put(faults.dropped, 2);
  return out.text();
}

function decoded(text: string): LaneState {
  const bits = new BitReader(text);
  const lane = takeLane(bits);
  const tickets = takeList(bits);
  const jobs = ITEMS.map(() => ({ at: bits.take(4), hasMessage: bits.isSet(), reading: takeReading(bits) }));
  const takeLook = (): Look => ({ at: bits.take(2), isWanted: bits.isSet(), reading: takeReading(bits) });
  const [look, sweep] = [takeLook(), takeLook()];
  return { lane, tickets, items: jobs, look, sweep, faults: { crash: bits.take(2), dropped: bits.take(2) } };
}

/** Up to three jobs in their order, two bits each: 3 is none. */
function putList(out: BitWriter, list: readonly number[]): void {
  for (const place of ITEMS) out.put(list[place] ?? 3, 2);
}

const takeList = (bits: BitReader): number[] => ITEMS.map(() => bits.take(2)).filter((index) => index < 3);

function putLane(out: BitWriter, { holders, turn, turns }: Lane): void {
  putList(out, holders);
  out.put(turn, 2);
  for (const own of turns) out.put(own ?? 3, 2);
}

function takeLane(bits: BitReader): Lane {
  const holders = takeList(bits);
  const turn = bits.take(2);
  const turns = TENANTS.map(() => bits.take(2)).map((own) => (own === 3 ? undefined : own));
  return { holders, turn, turns };
}

function putReading(out: BitWriter, { seen, wasEmpty, isFresh, copy }: Reading): void {
  putList(out, seen);
  out.put(Number(wasEmpty), 1);
  out.put(Number(isFresh), 1);
  out.put(Number(copy !== undefined), 1);
  putLane(out, copy ?? EMPTY);
}

function takeReading(bits: BitReader): Reading {
  const seen = takeList(bits);
  const [wasEmpty, isFresh, hasCopy] = [bits.isSet(), bits.isSet(), bits.isSet()];
  const copy = takeLane(bits);
  return { seen, wasEmpty, isFresh, copy: hasCopy ? copy : undefined };
}
