import { ownerOf, type WorkKey } from '../item/workItem.js';

/**
 * Who may work now. A lane has a number of slots: as many as a tenant may have jobs of one kind at work, or a customer
 * backfills, or as many as there are calls at a time to receivers that are away or slow.
 *
 * An item that asks leaves a ticket and waits without a message; whoever gets a slot gets its message. Free slots go to
 * the tenants in turn, and within a tenant in the order of asking. A slot is given back when its item is done, at the
 * latest when the sweep finds that: the row of the item is the truth.
 */

/** An item's wish for a slot. */
export interface Ticket extends WorkKey {
  /** Milliseconds since 1970 UTC. */
  readonly askedAt: number;
}

/** An item that has a slot. */
export interface Holder extends WorkKey {
  /** When the sweep should look whether the item lives: at first when its message would be overdue. */
  readonly checkAt: number;
}

export interface LaneState {
  readonly holders: readonly Holder[];
  /** Slots given so far. */
  readonly turn: number;
  /** By waiting tenant the turn at which it was served last, or at which it came. */
  readonly turns: Readonly<Record<string, number>>;
}

export const emptyLane: LaneState = { holders: [], turn: 0, turns: {} };

/** The lane of the jobs of one kind that a tenant may have at work. */
export const jobsLaneOf = (key: WorkKey): string => `jobs|${key.kind}|${ownerOf(key)}`;

/** The lane of the backfills of a customer. */
export const backfillsLaneOf = (customer: string): string => `backfills|${customer}`;

/** The lane of the imports of a tenant, one after the other. */
export const importsLaneOf = (tenant: string): string => `farm|${tenant}`;

/** The lane of the cascade deletes of a tenant: they wait for no import, which may be held. */
export const deletionsLaneOf = (tenant: string): string => `farm|deletions|${tenant}`;

/** The lane of webhooks whose receivers are away or slow, whoever their owners are. */
export const SLOW_LANE = 'slow|webhooks';

/** The lane of what waits for an Event Grid that is away or refuses: it keeps no webhook waiting. */
export const GRID_LANE = 'slow|eventGrid';

/** The lane of what waits for the release of a tenant that operators hold: no slots until then. */
export const heldLaneOf = (tenant: string): string => `held|${tenant}`;

/** What a lane is of. */
export type LaneKind = 'jobs' | 'backfills' | 'farm' | 'slow' | 'held';
export const laneKindOf = (lane: string): LaneKind => lane.slice(0, lane.indexOf('|')) as LaneKind;

/** The tenant or customer whose work stands in a lane; undefined for a lane that several share. */
export const ownerOfLane = (lane: string): string | undefined =>
  laneKindOf(lane) === 'slow' ? undefined : lane.slice(lane.lastIndexOf('|') + 1);

/** What names a lane in a log, where its owner appears as a fingerprint. */
export function namesOfLane(lane: string): object {
  const owner = ownerOfLane(lane);
  return owner === undefined ? { lane } : { lane: lane.slice(0, lane.lastIndexOf('|')), owner };
}

/** Names an item within a lane. */
export const nameOf = ({ kind, id }: WorkKey): string => `${kind}|${id}`;

export interface LaneChange {
  readonly slots: number;
  /** When the sweep should look at who gets a slot now. */
  readonly checkAt: number;
  /** Names of items that want a slot no more. */
  readonly gone: ReadonlySet<string>;
  /** New instants to look at holders, by name. */
  readonly checks?: ReadonlyMap<string, number>;
}

export interface AdvancedLane {
  readonly state: LaneState;
  /** Whoever has got a slot by this change. */
  readonly promoted: readonly Ticket[];
  /** Tickets that are of no more use: of those promoted, of those gone, second ones of one item. */
  readonly spent: readonly Ticket[];
}

/** The lane after those who are gone have left and free slots were given. */
export function advanced(before: LaneState, tickets: readonly Ticket[], change: LaneChange): AdvancedLane {
  const { slots, checkAt, gone, checks } = change;
  const holders: Holder[] = before.holders
    .filter((holder) => !gone.has(nameOf(holder)))
    .map((holder) => ({ ...holder, checkAt: checks?.get(nameOf(holder)) ?? holder.checkAt }));
  const { waiting, spent } = sorted(tickets, new Set([...gone, ...holders.map(nameOf)]));
  const turns = new Map([...waiting.keys()].map((tenant) => [tenant, before.turns[tenant] ?? before.turn]));
  const promoted: Ticket[] = [];
  let { turn } = before;
  while (holders.length < slots) {
    const tenant = nextTenant(waiting, turns, holders);
    const ticket = tenant === undefined ? undefined : waiting.get(tenant)?.shift();
    if (tenant === undefined || ticket === undefined) break;
    turn += 1;
    turns.set(tenant, turn);
    holders.push({ ...keyOf(ticket), checkAt });
    promoted.push(ticket);
  }
  for (const [tenant, left] of waiting) if (left.length === 0) turns.delete(tenant);
  return { state: { holders, turn, turns: Object.fromEntries(turns) }, promoted, spent: [...spent, ...promoted] };
}

/** The tickets by tenant in the order of asking, one an item, without those of the items named by `done`. */
function sorted(tickets: readonly Ticket[], done: ReadonlySet<string>) {
  const seen = new Set(done);
  const waiting = new Map<string, Ticket[]>();
  const spent: Ticket[] = [];
  for (const ticket of [...tickets].sort((a, b) => a.askedAt - b.askedAt)) {
    if (seen.has(nameOf(ticket))) {
      spent.push(ticket);
      continue;
    }
    seen.add(nameOf(ticket));
    const own = waiting.get(ownerOf(ticket));
    if (own === undefined) waiting.set(ownerOf(ticket), [ticket]);
    else own.push(ticket);
  }
  return { waiting, spent };
}

/** The tenant that has waited longest for its turn; of several the one with fewer slots, then the one that asked first. */
function nextTenant(
  waiting: ReadonlyMap<string, readonly Ticket[]>,
  turns: ReadonlyMap<string, number>,
  holders: readonly Holder[],
): string | undefined {
  const held = (tenant: string): number => holders.filter((holder) => ownerOf(holder) === tenant).length;
  const rank = (tenant: string) => [turns.get(tenant) ?? 0, held(tenant), waiting.get(tenant)?.[0]?.askedAt ?? 0];
  const tenants = [...waiting].filter(([, left]) => left.length > 0).map(([tenant]) => tenant);
  const ranked = tenants.map((tenant) => ({ tenant, rank: rank(tenant) }));
  return ranked.sort((a, b) => compared(a.rank, b.rank))[0]?.tenant;
}

function compared(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

const keyOf = ({ kind, id }: WorkKey): WorkKey => ({ kind, id });
