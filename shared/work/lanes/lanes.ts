import type { Clock } from '../../kit/clock.js';
import { errorText, type Log } from '../../kit/telemetry/telemetry.js';
import { allowance } from './allowance.js';
import { advanced, jobsLaneOf, nameOf, namesOfLane, ownerOfLane, type Ticket } from './lane.js';
import type { LaneReading, LaneStore } from './laneStore.js';
import { paced } from './paced.js';
import { LOST_MESSAGE_MS, type WorkItem, type WorkKey } from '../item/workItem.js';
import type { WorkQueues } from '../item/workMessage.js';

/** Lanes of work (see lane.ts): the one obvious place for who may work now. */
export interface Lanes {
  /**
   * The lane that a new job stands in; undefined while its tenant creates few, by what this process has seen: such a job
   * costs nothing here and takes no slot.
   */
  laneOfNew(key: WorkKey): Promise<string | undefined>;
  /** Puts an item into a lane and sends its message when it is its turn. */
  wait(lane: string, ticket: Ticket): Promise<void>;
  /** Gives the slot of an item that goes on without it to the next in the lane. */
  leave(lane: string, key: WorkKey): Promise<void>;
  /** Takes an item out of every lane it stood in; its slots are given to the next very soon. Never throws. */
  leaveAll(item: WorkItem): void;
  /** Puts an item that has left its lane at the end of it, when it asks for a slot at once. Never throws. */
  comeAgain(item: WorkItem): Promise<void>;
  /** Gives free slots of a lane, after the items of `gone` have left it and the holders of `checks` were looked at. */
  fill(lane: string, change?: LaneFilling): Promise<void>;
}

interface LaneFilling {
  readonly gone?: ReadonlySet<string>;
  /** Tickets of those who are gone: one that stands behind those that a look reads is taken off too. */
  readonly leftTickets?: readonly Ticket[];
  readonly checks?: ReadonlyMap<string, number>;
}

export interface LanesPorts {
  readonly laneStore: LaneStore;
  /** Another item's message is sent while an attempt ends: it belongs to neither the trace nor the log of that. */
  readonly queues: WorkQueues;
  readonly clock: Clock;
  readonly log: Log;
  /** How many slots a lane has. */
  readonly slotsOf: (lane: string) => Promise<number>;
}

/** Between two looks of one process at one lane: all that come to it and leave it meanwhile share one. */
const PAUSE_MS = 200;
/** Others change a lane at the same time; whoever loses so often leaves the rest to them and to the sweep. */
const TRIES = 10;
/** Within this span half as many jobs as a tenant may have at work pass without standing in the lane. */
const FEW_MS = 10_000;
/** Tickets that a look reads where tenants take turns: one page of the table. */
const PAGE_OF_TICKETS = 999;
/** Slots given, and items that leave, by one look: each slot is a message, and the transaction takes a hundred rows. */
const MOST_AT_ONCE = 90;

/** The lanes as kept in `laneStore`. What is not awaited fails silently but for a line in the log: the sweep makes good. */
export function lanesOf(ports: LanesPorts): Lanes {
  const { laneStore, clock, log, slotsOf } = ports;
  /** Names of items that leave at the next look, each with the ticket that it may still have. */
  const leaving = new Map<string, Map<string, Ticket | undefined>>();
  const isFew = allowance(clock, FEW_MS);
  const fill = (lane: string, change: LaneFilling = {}) => fillLane(ports, lane, change);
  const notFilled = (lane: string) => (error: unknown) => {
    log('Lane:NotFilled', { ...namesOfLane(lane), cause: errorText(error) });
  };
  const look = async (lane: string): Promise<void> => {
    const all = [...(leaving.get(lane) ?? [])];
    const leavers = new Map(all.slice(0, MOST_AT_ONCE));
    leaving.delete(lane);
    if (all.length > leavers.size) {
      leaving.set(lane, new Map(all.slice(MOST_AT_ONCE)));
      lookSoon(lane);
    }
    const leftTickets = [...leavers.values()].filter((ticket) => ticket !== undefined);
    await fill(lane, { gone: new Set(leavers.keys()), leftTickets }).catch((error: unknown) => {
      // They leave at the next look, or when the sweep finds that they are done.
      leaving.set(lane, new Map([...leavers, ...(leaving.get(lane) ?? [])]));
      notFilled(lane)(error);
    });
  };
  /** An item that comes back before the look at its leaving has succeeded has not left. */
  const comes = (lane: string, key: WorkKey): void => void leaving.get(lane)?.delete(nameOf(key));
  const lookSoon = paced(clock, PAUSE_MS, look);
  const leaveOne = (lane: string, { kind, id, parked }: WorkItem): void => {
    const ticket = parked?.lane === lane ? { kind, id, askedAt: parked.askedAt } : undefined;
    leaving.set(lane, (leaving.get(lane) ?? new Map<string, Ticket | undefined>()).set(nameOf({ kind, id }), ticket));
    lookSoon(lane);
  };
  const wait = async (lane: string, ticket: Ticket): Promise<void> => {
    comes(lane, ticket);
    await laneStore.ask(lane, ticket);
    lookSoon(lane);
  };
  return {
    laneOfNew: async (key) => {
      const lane = jobsLaneOf(key);
      return isFew(lane, Math.floor((await slotsOf(lane)) / 2)) ? undefined : lane;
    },
    fill,
    leave: async (lane, key) => {
      await fill(lane, { gone: new Set([nameOf(key)]) }).catch(notFilled(lane));
    },
    wait,
    comeAgain: async ({ kind, id, parked }) => {
      if (parked === undefined || parked.askedAt > clock.now().getTime()) return;
      const { lane, askedAt } = parked;
      // A ticket of somebody who still has a slot would be taken for a second one.
      const comesBack = fill(lane, { gone: new Set([nameOf({ kind, id })]) });
      await comesBack.then(() => wait(lane, { kind, id, askedAt })).catch(notFilled(lane));
    },
    leaveAll: (item) => {
      for (const lane of item.lanes ?? []) leaveOne(lane, item);
    },
  };
}

const sendTo = ({ queues }: LanesPorts, { kind, id }: WorkKey): Promise<void> =>
  queues({ kind, id }).send({ kind, id });

/** A lane of one owner is served from its front; some of its tickets may be of items that have a slot already. */
const mostTicketsOf = (lane: string, slots: number): number =>
  ownerOfLane(lane) === undefined ? PAGE_OF_TICKETS : 2 * slots + 10;

/** Reads a lane from which tickets are taken off that stand behind those that are read. */
async function readWithout(
  laneStore: LaneStore,
  leftTickets: readonly Ticket[],
  lane: string,
  most: number,
): Promise<LaneReading> {
  const reading = await laneStore.read(lane, most);
  if (reading.tickets.length < most) return reading;
  // Whoever has a slot has no ticket any more.
  const known = new Set([...reading.state.holders, ...reading.tickets].map(nameOf));
  const behind = leftTickets.filter((ticket) => !known.has(nameOf(ticket)));
  if (behind.length === 0) return reading;
  await laneStore.withdraw(lane, behind);
  // Only a reading after the withdrawal can tell whether a ticket was given a slot before.
  return laneStore.read(lane, most);
}

async function fillLane(ports: LanesPorts, lane: string, change: LaneFilling): Promise<void> {
  const { laneStore, clock, slotsOf } = ports;
  const { gone = new Set<string>(), leftTickets = [], checks } = change;
  const slots = await slotsOf(lane);
  const mostTickets = mostTicketsOf(lane, slots);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const reading = await readWithout(laneStore, leftTickets, lane, mostTickets);
    const most = Math.min(slots, reading.state.holders.length + MOST_AT_ONCE);
    const checkAt = clock.now().getTime() + LOST_MESSAGE_MS;
    const next = advanced(reading.state, reading.tickets, {
      slots: most,
      checkAt,
      gone,
      ...(checks === undefined ? {} : { checks }),
    });
    const isSame =
      next.spent.length === 0 && JSON.stringify(next.state.holders) === JSON.stringify(reading.state.holders);
    if (!isSame && !(await laneStore.advance(lane, reading, next))) continue;
    for (const ticket of next.promoted) await sendTo(ports, ticket);
    return;
  }
}
