/**
 * A model checker. A model is a small copy of a protocol: the rows it stores, the messages under way, and the processes
 * that work on them, each at one of a few places of its program. The checker walks every state that the model can reach,
 * in the order of their distance from the first, and checks three things:
 *
 * - no state breaks a rule of the model (`broken`), for example "two valid holders at once";
 * - no step does (`RuleBroken`), for example "an ended job was ended again";
 * - from every state a good end can still be reached (`isGood`). So nothing is lost and nothing hangs, as long as what is
 *   always possible happens some time.
 *
 * What can go wrong has a budget in each model: a process dies before or after any request, the answer to a write is
 * lost, an attempt outlives its lease, a message is lost, work fails. Every order in which the processes take their steps
 * and in which the faults of the budget happen is walked. The ETag of a row is one bit of whoever read it: a write of
 * another process makes the copy stale, and a guarded write of a stale copy is refused.
 *
 * The moves of work items and lanes are the real functions of the service (see itemRow.ts and laneModel.ts). The order in
 * which the shell around them reads and writes is the model's own. Each model is also walked with one protection taken
 * out: a rule that no missing protection breaks would be worth nothing.
 */
export interface Model<State> {
  readonly initial: State;
  /** The state as a short text; states that differ only in the order of like processes have one text. */
  encode(state: State): string;
  /** A fresh copy of the state that has the text. */
  decode(text: string): State;
  /** The rule that a state breaks. */
  broken(state: State): string | undefined;
  isGood(state: State): boolean;
  /** Takes each step that is possible from `state`, which stays as it is. */
  steps(state: State, take: Take<State>): void;
}

/** One step: its name in a trace, and what it changes in a copy of the state. The change may throw `RuleBroken`. */
export type Take<State> = (label: string, change: (next: State) => void) => void;

/** A step has broken the rule that the message names. */
export class RuleBroken extends Error {
  override readonly name = 'RuleBroken';
}

export interface Walk {
  /** What was found; undefined when the model is as it should be. */
  readonly found: string | undefined;
  /** The steps that lead there from the first state. */
  readonly trace: readonly string[];
  readonly states: number;
  readonly steps: number;
  readonly goodEnds: number;
}

/** More states than that are a mistake in the model: one of its counts grows without end. */
const MOST_STATES = 2_000_000;

/** Walks all states of a model, or those before the first that breaks a rule. */
export function explore<State>(model: Model<State>): Walk {
  const walked = new WalkedStates();
  walked.enter(model.encode(model.initial), -1);
  for (let id = 0; id < walked.size; id += 1) {
    const rule = ruleBrokenAt(model, walked, id);
    if (rule !== undefined) return { ...walked.counts(), found: rule, trace: traceTo(model, walked.path(id)) };
  }
  const goodEnds = walked.idsOf((text) => model.isGood(model.decode(text)));
  const stuck = walked.firstWithout(goodEnds);
  const counts = { ...walked.counts(), goodEnds: goodEnds.length };
  return stuck === undefined
    ? { ...counts, found: undefined, trace: [] }
    : { ...counts, found: 'no good end can be reached', trace: traceTo(model, walked.path(stuck)) };
}

/** Takes all steps from one state. @returns the rule that is broken by the state or by a step */
function ruleBrokenAt<State>(model: Model<State>, walked: WalkedStates, id: number): string | undefined {
  const text = walked.text(id);
  const state = model.decode(text);
  const rule = model.broken(state);
  if (rule !== undefined) return rule;
  try {
    model.steps(state, (_label, change) => {
      const next = model.decode(text);
      change(next);
      walked.enter(model.encode(next), id);
    });
  } catch (error) {
    if (error instanceof RuleBroken) return error.message;
    throw error;
  }
  return undefined;
}

/**
 * The steps along a path of states, and behind its end the step that breaks a rule. The path is walked anew from the
 * first state: in a text like processes may have changed places, in a trace each keeps its name.
 */
function traceTo<State>(model: Model<State>, path: readonly string[]): string[] {
  const labels: string[] = [];
  let state = model.initial;
  for (const text of [...path.slice(1), undefined]) {
    const step = stepTo(model, state, text);
    if (step === undefined) break;
    labels.push(step.label);
    state = step.next;
  }
  return labels;
}

/** The step that leads to the state of that text; without a text the one that breaks a rule. */
function stepTo<State>(model: Model<State>, state: State, text: string | undefined) {
  const steps: { readonly label: string; readonly next: State }[] = [];
  model.steps(state, (label, change) => {
    const next = structuredClone(state);
    if (isLeadingTo(model, { next, change, text })) steps.push({ label, next });
  });
  return steps[0];
}

function isLeadingTo<State>(
  model: Model<State>,
  { next, change, text }: { next: State; change: (next: State) => void; text: string | undefined },
): boolean {
  try {
    change(next);
    return text === model.encode(next);
  } catch (error) {
    if (error instanceof RuleBroken) return text === undefined;
    throw error;
  }
}

/** The states that were reached, numbered in the order of finding them, and the steps between them. */
class WalkedStates {
  readonly #ids = new Map<string, number>();
  readonly #texts: string[] = [];
  /** By state, the one from which it was found. */
  readonly #parents: number[] = [];
  /** By step, the states before and after it. */
  readonly #before: number[] = [];
  readonly #after: number[] = [];

  get size(): number {
    return this.#texts.length;
  }

  text(id: number): string {
    return this.#texts[id] ?? '';
  }

  counts() {
    return { states: this.size, steps: this.#before.length, goodEnds: 0 };
  }

  /** Notes a step, and the state it leads to when that is new. @param from below 0 for the first state */
  enter(text: string, from: number): void {
    const known = this.#ids.get(text);
    const id = known ?? this.size;
    if (known === undefined) {
      if (id >= MOST_STATES) throw new Error(`The model has more than ${MOST_STATES} states.`);
      this.#ids.set(text, id);
      this.#texts.push(text);
      this.#parents.push(from);
    }
    if (from < 0) return;
    this.#before.push(from);
    this.#after.push(id);
  }

  /** The texts of the states on the shortest way to this one, from the first. */
  path(id: number): string[] {
    const texts: string[] = [];
    for (let at = id; at >= 0; at = this.#parents[at] ?? -1) texts.push(this.text(at));
    return texts.reverse();
  }

  idsOf(matches: (text: string) => boolean): number[] {
    return this.#texts.flatMap((text, id) => (matches(text) ? [id] : []));
  }

  /** The first state from which none of `ends` can be reached. */
  firstWithout(ends: readonly number[]): number | undefined {
    const { starts, sources } = this.#stepsByEnd();
    const reaches = new Uint8Array(this.size);
    const open = [...ends];
    for (const id of ends) reaches[id] = 1;
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const before of sources.subarray(starts[id], starts[id + 1])) {
        if (reaches[before] === 1) continue;
        reaches[before] = 1;
        open.push(before);
      }
    }
    const stuck = reaches.indexOf(0);
    return stuck < 0 ? undefined : stuck;
  }

  /** The states before each state: those of state `id` lie in `sources` from `starts[id]` to below `starts[id + 1]`. */
  #stepsByEnd(): { readonly starts: Int32Array; readonly sources: Int32Array } {
    const starts = new Int32Array(this.size + 1);
    for (const id of this.#after) starts[id + 1] = (starts[id + 1] ?? 0) + 1;
    for (let id = 0; id < this.size; id += 1) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0);
    const free = starts.slice();
    const sources = new Int32Array(this.#before.length);
    this.#after.forEach((id, step) => {
      const place = free[id] ?? 0;
      free[id] = place + 1;
      sources[place] = this.#before[step] ?? 0;
    });
    return { starts, sources };
  }
}

/** Bits of a state, written one after the other and read in the same order. */
export class BitWriter {
  #word = 0;
  #free = 15;
  #text = '';

  /** @param bits 1 to 15 */
  put(value: number, bits: number): void {
    if (value < 0 || value >= 1 << bits) throw new Error(`${value} does not fit into ${bits} bits.`);
    if (bits > this.#free) this.#flush();
    this.#word = (this.#word << bits) | value;
    this.#free -= bits;
  }

  text(): string {
    this.#flush();
    return this.#text;
  }

  #flush(): void {
    // Filled up to whole words, so that the reader knows where each begins.
    this.#text += String.fromCharCode(this.#word << this.#free);
    this.#word = 0;
    this.#free = 15;
  }
}

/** Reads what a `BitWriter` wrote. */
export class BitReader {
  readonly #text: string;
  #at = 0;
  #left = 15;

  constructor(text: string) {
    this.#text = text;
  }

  take(bits: number): number {
    if (bits > this.#left) {
      this.#at += 1;
      this.#left = 15;
    }
    this.#left -= bits;
    return (this.#text.charCodeAt(this.#at) >> this.#left) & ((1 << bits) - 1);
  }

  isSet(): boolean {
    return this.take(1) === 1;
  }
}
