import { ended, leavesInsight, type Job } from '../../../shared/jobs/job.js';
import { BitReader, BitWriter, RuleBroken, type Model, type Take } from './explore.js';
import {
  claimOf,
  disowned,
  GONE,
  movesOf,
  putRow,
  realKernel,
  takeRow,
  withWorkersExchanged,
  type ItemRow,
  type Moves,
} from './itemRow.js';

/**
 * A job: its row and its work item lie in one partition, so create, claim, end and cancel are transactions; its effect
 * (the insight) lies elsewhere. Two workers, a sweep, one caller who creates and one who cancels.
 *
 * The moves of the item and the ends of the job are the real ones. The fence of the effect and its tombstone lie with
 * storage and are steps of the model: `fenceRefuses` and `writeEffect` are the places for theirs.
 */
export interface JobFaults {
  readonly crash: number;
  /** Answers to writes that are lost. */
  readonly lost: number;
  /** Attempts that outlive their lease. */
  readonly slow: number;
  /** Messages that are lost or given up by the host. */
  readonly dropped: number;
  /** Attempts that fail. */
  readonly fails: number;
}

/** Protections that lie in the order of reads and writes, not in a function. */
export const jobShell = {
  sweeps: true,
  /** Storage refuses an effect of a lower epoch than the one that is there. */
  fencesEffect: true,
  /** The attempt makes sure that it holds the item before it writes the effect. */
  holdsBeforeEffect: true,
  endsByEtag: true,
  claimsByEtag: true,
  /** A refused insert is read back, so that the create knows its own. */
  readsBack: true,
  endsInOneTransaction: true,
  createsInOneTransaction: true,
  /** An effect that was taken back leaves its epoch behind. */
  leavesTombstone: true,
  /** Somebody cancels: no protection, but without a cancel a missing fence shows by itself. */
  cancels: true,
};
export type JobShell = typeof jobShell;

/** The functions behind the moves of item and job. A test replaces one of them to see that its loss is found. */
export const realJob = { ...realKernel, ended, leavesInsight };
export type JobKernel = typeof realJob;

const JOB = { none: 0, waiting: 1, running: 2, succeeded: 3, cancelled: 4 } as const;
const CREATE = { insert: 0, insertItem: 1, message: 2, accepted: 3, conflict: 4, died: 5 } as const;
const CANCEL = { read: 0, write: 1, acknowledged: 2, refused: 3 } as const;
/** The status of the row that is there, by number. */
const STATUS_OF = [undefined, 'WAITING', 'RUNNING', 'SUCCEEDED', 'CANCELLED'] as const;
const SWEEP = { idle: 0, read: 1, moved: 2 } as const;
const AT = {
  idle: 0,
  message: 1,
  itemRead: 2,
  read: 3,
  claimed: 4,
  held: 5,
  worked: 6,
  givenBack: 7,
  itemDeleted: 8,
} as const;
/** What the effect is of, beside the claims of attempts: of nobody, or taken back. */
const EFFECT = { none: 0, takenBack: 4 } as const;

interface Worker {
  at: number;
  epoch: number;
  /** Its copies of the item and of the job are the latest. */
  hasFreshItem: boolean;
  hasFreshJob: boolean;
  /** It found the job CANCELLED: its step is to take the effect back. */
  isUndo: boolean;
  /** It takes its lease for running. */
  isValid: boolean;
}

interface JobState {
  job: number;
  item: ItemRow | undefined;
  /** Whose effect is there, by claim, and the epoch behind which storage refuses. */
  effect: { of: number; epoch: number };
  /** Messages under way; more than two are as two. */
  messages: number;
  workers: [Worker, Worker];
  sweep: { at: number; isFresh: boolean };
  create: number;
  cancel: { at: number; hasFreshItem: boolean; hasFreshJob: boolean };
  faults: { -readonly [Fault in keyof JobFaults]: number };
}

const FAULTS = ['crash', 'lost', 'slow', 'dropped', 'fails'] as const;
const BOTH = [0, 1] as const;
type Index = (typeof BOTH)[number];
const MOST_MESSAGES = 2;

const idleWorker = (): Worker => ({
  at: AT.idle,
  epoch: 0,
  hasFreshItem: false,
  hasFreshJob: false,
  isUndo: false,
  isValid: false,
});
const cancelAt = (at: number): JobState['cancel'] => ({ at, hasFreshItem: false, hasFreshJob: false });

/** @param kernel the functions behind the moves */
export function jobModel(kernel: JobKernel, shell: JobShell, faults: JobFaults): Model<JobState> {
  const moves = movesOf(kernel);
  const some = [createSteps, cancelSteps, timeSteps, ...(shell.sweeps ? [sweepSteps] : []), workerSteps];
  return {
    initial: {
      job: JOB.none,
      item: undefined,
      effect: { of: EFFECT.none, epoch: 0 },
      messages: 0,
      workers: [idleWorker(), idleWorker()],
      sweep: { at: SWEEP.idle, isFresh: false },
      create: CREATE.insert,
      cancel: cancelAt(shell.cancels ? CANCEL.read : CANCEL.refused),
      faults: { ...faults },
    },
    encode: encoded,
    decode: decoded,
    broken,
    isGood,
    steps: (state, take) => {
      for (const steps of some) steps({ kernel, moves, shell, state, take });
    },
  };
}

interface Context {
  readonly kernel: JobKernel;
  readonly moves: Moves;
  readonly shell: JobShell;
  readonly state: JobState;
  readonly take: Take<JobState>;
}

const hasEnded = (job: number): boolean => job === JOB.succeeded || job === JOB.cancelled;
const areIdle = (workers: readonly Worker[]): boolean => workers.every(({ at }) => at === AT.idle);

function broken({ job, item, effect, workers, create, cancel }: JobState): string | undefined {
  if (workers.every(({ isValid }) => isValid)) return 'two valid holders at once';
  if (create === CREATE.conflict) return 'the only create was answered 409';
  if (cancel.at === CANCEL.acknowledged && job !== JOB.cancelled) return 'an acknowledged cancel did not stay';
  const isLeft = effect.of !== EFFECT.none && effect.of !== EFFECT.takenBack;
  if (job === JOB.cancelled && item === undefined && isLeft && areIdle(workers))
    return 'a cancelled job left its insight behind';
  return undefined;
}

function isGood({ job, item, workers, sweep, create }: JobState): boolean {
  if (!areIdle(workers) || sweep.at !== SWEEP.idle) return false;
  const isAnswered = create === CREATE.accepted || create === CREATE.died;
  return isAnswered && (job === JOB.none || (hasEnded(job) && item === undefined));
}

/** Writes the item: whoever has read it before has a stale copy. */
function writeItem(state: JobState, item: ItemRow | undefined): void {
  state.item = item;
  for (const reader of [...state.workers, state.cancel]) reader.hasFreshItem = false;
  state.sweep.isFresh = false;
}

function writeJob(state: JobState, job: number): void {
  state.job = job;
  for (const reader of [...state.workers, state.cancel]) reader.hasFreshJob = false;
}

function endJob(state: JobState, job: number): void {
  if (hasEnded(state.job)) throw new RuleBroken('an ended job was ended again');
  writeJob(state, job);
}

function send(state: JobState): void {
  state.messages = Math.min(MOST_MESSAGES, state.messages + 1);
}

/** Takes a step that uses up a fault, when one is left. */
function takeFault(
  { state, take }: Pick<Context, 'state' | 'take'>,
  fault: keyof JobFaults,
  [label, change]: Parameters<Take<JobState>>,
): void {
  if (state.faults[fault] === 0) return;
  take(label, (next) => {
    next.faults[fault] -= 1;
    change(next);
  });
}

function createSteps(context: Context): void {
  const { moves, shell, state, take } = context;
  const insert = (next: JobState): void => {
    next.job = JOB.waiting;
    if (shell.createsInOneTransaction) next.item = moves.created();
    next.create = shell.createsInOneTransaction ? CREATE.message : CREATE.insertItem;
  };
  const died = (next: JobState): void => {
    next.create = CREATE.died;
  };
  if (state.create === CREATE.insert) {
    take('create inserts', insert);
    const lost = (next: JobState): void => {
      insert(next);
      if (!shell.readsBack) next.create = CREATE.conflict;
    };
    takeFault(context, 'lost', ['create inserts, the answer is lost, the repeat refused', lost]);
  }
  if (state.create === CREATE.insertItem) {
    take('create inserts the item', (next) => {
      next.item = moves.created();
      next.create = CREATE.message;
    });
  }
  if (state.create === CREATE.message) {
    take('create sends the message', (next) => {
      send(next);
      next.create = CREATE.accepted;
    });
    const dropped = (next: JobState): void => {
      next.create = CREATE.accepted;
    };
    takeFault(context, 'dropped', ['create sends the message, which is lost', dropped]);
  }
  if (state.create <= CREATE.message) takeFault(context, 'crash', ['create dies', died]);
}

function cancelSteps({ kernel, moves, state, take }: Context): void {
  const { cancel, job, item } = state;
  if (cancel.at === CANCEL.read && job !== JOB.none && state.create !== CREATE.insertItem) {
    take('cancel reads job and item', (next) => {
      next.cancel = hasEnded(job)
        ? cancelAt(CANCEL.refused)
        : { at: CANCEL.write, hasFreshItem: true, hasFreshJob: true };
    });
  }
  if (cancel.at !== CANCEL.write) return;
  if (cancel.hasFreshItem && cancel.hasFreshJob && item !== undefined) {
    take('cancel writes job and item', (next) => {
      // Whoever holds the item knows nothing of it yet.
      writeItem(next, cancelledItem({ kernel, moves }, job, item));
      endJob(next, JOB.cancelled);
      next.cancel = cancelAt(CANCEL.acknowledged);
    });
  } else {
    take('cancel is refused, begins anew', (next) => {
      next.cancel = cancelAt(CANCEL.read);
    });
  }
}

/** What a cancel leaves of the item, as cancelJob.ts does: of a job that may have an effect, its undo. */
function cancelledItem({ kernel, moves }: Pick<Context, 'kernel' | 'moves'>, job: number, item: ItemRow) {
  const cancelled = kernel.ended(jobOf(job, item), { status: 'CANCELLED' }, 0);
  return kernel.leavesInsight(cancelled) ? moves.takenOver(item, cancelled.epoch) : undefined;
}

/** A real job of that status; each claim writes the epoch of the item to it. */
const jobOf = (job: number, { epoch }: ItemRow): Job => ({
  ...{ tenant: 'model', solution: 'partnerAgPowered.gdd', jobId: 'item', e2eId: 'model', parameters: {} },
  ...{ createdAt: 0, lastActionAt: 0, status: STATUS_OF[job] ?? 'WAITING', epoch },
});

/**
 * A lease ends by itself once its process has gone; under a living one only when it is slow, whether or not the item was
 * taken over meanwhile.
 */
function timeSteps({ state: { item, workers, faults }, take }: Context): void {
  if (item?.isAhead !== true) return;
  const isAlive = workers.some(({ isValid }) => isValid);
  if (isAlive && faults.slow === 0) return;
  take(isAlive || item.claim !== 0 ? 'the lease is over' : 'the wait is over', (next) => {
    next.item = { ...item, isAhead: false };
    if (!isAlive) return;
    next.faults.slow -= 1;
    for (const worker of next.workers) worker.isValid = false;
  });
}

function sweepSteps(context: Context): void {
  const { moves, state, take } = context;
  const { item, sweep, messages } = state;
  if (sweep.at === SWEEP.idle && item !== undefined && !item.isAhead) {
    const isLate = moves.hasMessageUnderWay(item) && messages > 0;
    if (isLate) return;
    take('the sweep reads the item', (next) => {
      next.sweep = { at: SWEEP.read, isFresh: true };
    });
  }
  if (sweep.at === SWEEP.read) {
    take('the sweep moves its next look', (next) => {
      const isWritten = sweep.isFresh && item !== undefined;
      if (isWritten) writeItem(next, moves.resent(item));
      next.sweep = { at: isWritten ? SWEEP.moved : SWEEP.idle, isFresh: false };
    });
  }
  if (sweep.at === SWEEP.moved) {
    take('the sweep sends the message', (next) => {
      send(next);
      next.sweep.at = SWEEP.idle;
    });
    const died = (next: JobState): void => {
      next.sweep.at = SWEEP.idle;
    };
    takeFault(context, 'crash', ['the sweep dies', died]);
  }
}

interface WorkerContext extends Context {
  readonly index: Index;
  readonly worker: Worker;
}

/** The process of a worker no longer knows the job. */
function leave(state: JobState, index: Index): void {
  state.workers[index] = idleWorker();
  state.item &&= disowned(state.item, index);
  if (state.effect.of === claimOf(index)) state.effect.of = GONE;
}

function workerSteps(context: Context): void {
  for (const index of BOTH) {
    const worker = context.state.workers[index];
    const take: Take<JobState> = (label, change) => {
      context.take(`worker ${index + 1} ${label}`, change);
    };
    const own = { ...context, take, index, worker };
    stepsAt[worker.at]?.(own);
    if (worker.at !== AT.idle) deaths(own);
    if (worker.at >= AT.claimed && worker.at <= AT.worked) renewals(own);
  }
}

const stepsAt: Record<number, (context: WorkerContext) => void> = {
  [AT.idle]: ({ state, take, index }) => {
    if (state.messages === 0) return;
    take('takes a message', (next) => {
      next.messages -= 1;
      next.workers[index].at = AT.message;
    });
  },
  [AT.message]: ({ moves, take, index }) => {
    take('reads the item', (next) => {
      if (next.item === undefined || !moves.isClaimable(next.item)) {
        leave(next, index);
        return;
      }
      next.workers[index] = { ...idleWorker(), at: AT.itemRead, hasFreshItem: true };
    });
  },
  [AT.itemRead]: ({ take, index }) => {
    take('reads the job', (next) => {
      if (next.job === JOB.none || next.job === JOB.succeeded) leave(next, index);
      else Object.assign(next.workers[index], { at: AT.read, hasFreshJob: true, isUndo: next.job === JOB.cancelled });
    });
  },
  [AT.read]: claimSteps,
  [AT.claimed]: workSteps,
  [AT.held]: ({ shell, take, index, worker }) => {
    take(worker.isUndo ? 'takes the effect back' : 'writes the effect', (next) => {
      if (fenceRefuses(next, worker, shell)) leave(next, index);
      else writeEffect(next, index, shell);
    });
  },
  [AT.worked]: endSteps,
  [AT.givenBack]: ({ take, index }) => {
    take('sends the message', (next) => {
      send(next);
      leave(next, index);
    });
  },
  [AT.itemDeleted]: ({ take, index, worker }) => {
    take('ends the job', (next) => {
      if (worker.hasFreshJob) succeed(next, index);
      leave(next, index);
    });
  },
};

function deaths(context: WorkerContext): void {
  const { index } = context;
  const died = (next: JobState): void => {
    leave(next, index);
  };
  const cameBack = (next: JobState): void => {
    leave(next, index);
    send(next);
  };
  takeFault(context, 'crash', ['dies, its message comes back', cameBack]);
  takeFault(context, 'dropped', ['dies, its message is given up', died]);
}

function claimSteps(context: WorkerContext): void {
  const { moves, shell, state, take, index, worker } = context;
  const { item } = state;
  const isFresh = worker.hasFreshItem && worker.hasFreshJob;
  if (item === undefined || (shell.claimsByEtag && !isFresh)) {
    take('is refused the claim', (next) => {
      leave(next, index);
    });
    return;
  }
  const claim = (next: JobState): void => {
    const held = moves.claimed(item, claimOf(index));
    writeItem(next, held);
    writeJob(next, worker.isUndo ? next.job : JOB.running);
    next.workers[index] = {
      at: AT.claimed,
      epoch: held.epoch,
      hasFreshItem: true,
      hasFreshJob: true,
      isUndo: worker.isUndo,
      isValid: true,
    };
  };
  take('claims', claim);
  const hidden = (next: JobState): void => {
    claim(next);
    leave(next, index);
  };
  takeFault(context, 'lost', ['claims, the answer is lost, and takes the claim for refused', hidden]);
}

/** The item as its holder has it. */
const ownOf = ({ epoch }: Worker, index: Index): ItemRow => ({
  claim: claimOf(index),
  epoch,
  asks: 1,
  isAhead: true,
  awaitsMessage: false,
});

/** Renewals come at any time by the timer; a stale copy is refused first. */
function renewals({ moves, take, index, worker }: WorkerContext): void {
  if (worker.hasFreshItem) {
    take('renews its lease', (next) => {
      renew(next, { moves, index });
    });
    return;
  }
  take('is refused the renewal, reads again', (next) => {
    readAgain(next, { moves, index });
  });
}

type Holder = Pick<WorkerContext, 'moves' | 'index'>;

function renew(next: JobState, { moves, index }: Holder): void {
  writeItem(next, moves.renewed(ownOf(next.workers[index], index)));
  Object.assign(next.workers[index], { hasFreshItem: true, isValid: true });
}

/** After a refused write: goes on as the holder, or leaves the job. */
function readAgain(next: JobState, { moves, index }: Holder): void {
  const fate = moves.fate(next.item, { claim: claimOf(index), asks: 1 });
  if (fate === 'gone' || fate === 'lost') leave(next, index);
  else next.workers[index].hasFreshItem = true;
}

function workSteps(context: WorkerContext): void {
  const { moves, shell, take, index, worker } = context;
  const goOn = (next: JobState): void => {
    next.workers[index].at = AT.held;
  };
  if (!shell.holdsBeforeEffect) take('works', goOn);
  else if (worker.isValid) take('works, has written its item a moment ago', goOn);
  if (shell.holdsBeforeEffect && worker.hasFreshItem) {
    take('works, renews its lease', (next) => {
      renew(next, { moves, index });
      goOn(next);
    });
  }
  if (!worker.hasFreshItem) return;
  const giveBack = (next: JobState): void => {
    const item = moves.failed(ownOf(worker, index));
    writeItem(next, item);
    next.workers[index] = { ...idleWorker(), at: moves.hasMessageUnderWay(item) ? AT.givenBack : AT.idle };
  };
  takeFault(context, 'fails', ['fails, gives the item back', giveBack]);
}

/** Whether storage refuses to write an effect of that epoch over the one that is there. */
const fenceRefuses = ({ effect }: JobState, { epoch }: Worker, { fencesEffect }: JobShell): boolean =>
  fencesEffect && effect.epoch > epoch;

function writeEffect(next: JobState, index: Index, { leavesTombstone }: JobShell): void {
  const worker = next.workers[index];
  if (!worker.isUndo) {
    if (next.job === JOB.succeeded) throw new RuleBroken('the job SUCCEEDED and shows what another attempt made');
    next.effect = { of: claimOf(index), epoch: worker.epoch };
  } else if (leavesTombstone) next.effect = { of: EFFECT.takenBack, epoch: worker.epoch };
  else next.effect = { of: EFFECT.none, epoch: 0 };
  worker.at = AT.worked;
}

/** Ends the job row as SUCCEEDED with the effect of this attempt. */
function succeed(next: JobState, index: Index): void {
  endJob(next, JOB.succeeded);
  if (next.effect.of !== claimOf(index)) throw new RuleBroken('the job SUCCEEDED and shows what another attempt made');
}

function endSteps(context: WorkerContext): void {
  const { shell, take, index, worker } = context;
  if (worker.isUndo || !shell.endsInOneTransaction) {
    deleteItem(context);
    return;
  }
  const mayEnd = worker.hasFreshJob || !shell.endsByEtag;
  take(mayEnd ? 'ends job and item' : 'is refused the end', (next) => {
    if (mayEnd) {
      succeed(next, index);
      writeItem(next, undefined);
    }
    leave(next, index);
  });
}

/** Deletes the item by its ETag; a stale copy is refused, and read again by `renewals`. */
function deleteItem({ take, index, worker }: WorkerContext): void {
  if (!worker.hasFreshItem) return;
  take('deletes the item', (next) => {
    writeItem(next, undefined);
    if (worker.isUndo) leave(next, index);
    else next.workers[index].at = AT.itemDeleted;
  });
}

const codeOf = ({ at, epoch, hasFreshItem, hasFreshJob, isUndo, isValid }: Worker): number =>
  (at << 8) |
  (epoch << 4) |
  (Number(hasFreshItem) << 3) |
  (Number(hasFreshJob) << 2) |
  (Number(isUndo) << 1) |
  Number(isValid);

const workerOf = (code: number): Worker => ({
  at: code >> 8,
  epoch: (code >> 4) & 15,
  hasFreshItem: (code & 8) !== 0,
  hasFreshJob: (code & 4) !== 0,
  isUndo: (code & 2) !== 0,
  isValid: (code & 1) !== 0,
});

/** The two workers are alike: states that differ in their order have one text. */
function encoded(state: JobState): string {
  const [first, second] = [codeOf(state.workers[0]), codeOf(state.workers[1])];
  const isExchanged = first === second ? state.item?.claim === 2 || state.effect.of === 2 : first > second;
  return textOf(isExchanged ? withWorkersSwapped(state) : state);
}

const withWorkersSwapped = (state: JobState): JobState => ({
  ...state,
  workers: [state.workers[1], state.workers[0]],
  item: state.item && withWorkersExchanged(state.item),
  effect: {
    ...state.effect,
    of: state.effect.of === 1 || state.effect.of === 2 ? 3 - state.effect.of : state.effect.of,
  },
});

function textOf({ job, item, effect, messages, workers, sweep, create, cancel, faults }: JobState): string {
  const out = new BitWriter();
  for (const worker of workers) out.put(codeOf(worker), 12);
  putRow(out, item);
  out.put(effect.of, 3);
  out.put(effect.epoch, 4);
  out.put(job, 3);
  out.put(messages, 2);
  out.put((sweep.at << 1) | Number(sweep.isFresh), 3);
  out.put(create, 3);
  out.put((cancel.at << 2) | (Number(cancel.hasFreshItem) << 1) | Number(cancel.hasFreshJob), 4);
  for (const fault of FAULTS) out.put(faults[fault], 2);
  return out.text();
}

function decoded(text: string): JobState {
  const bits = new BitReader(text);
  const workers: JobState['workers'] = [workerOf(bits.take(12)), workerOf(bits.take(12))];
  const item = takeRow(bits);
  const effect = { of: bits.take(3), epoch: bits.take(4) };
  const job = bits.take(3);
  const messages = bits.take(2);
  const [sweep, create, cancel] = [bits.take(3), bits.take(3), bits.take(4)];
  const faults = { crash: 0, lost: 0, slow: 0, dropped: 0, fails: 0 };
  for (const fault of FAULTS) faults[fault] = bits.take(2);
  return {
    job,
    item,
    effect,
    messages,
    workers,
    sweep: { at: sweep >> 1, isFresh: (sweep & 1) !== 0 },
    create,
    cancel: { at: cancel >> 2, hasFreshItem: (cancel & 2) !== 0, hasFreshJob: (cancel & 1) !== 0 },
    faults,
  };
}
