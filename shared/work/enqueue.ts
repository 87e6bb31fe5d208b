import type { Clock } from '../kit/clock.js';
import { changedByOthers } from '../kit/errors/changedByOthers.js';
import type { JsonObject } from '../kit/json/json.js';
import type { Lanes } from './lanes/lanes.js';
import {
  asked,
  dueFrom,
  hasTicket,
  inLane,
  isAskedAlready,
  messageDueAt,
  newItem,
  type WorkItem,
  type WorkKey,
  type WorkOrder,
} from './item/workItem.js';
import type { WorkQueues } from './item/workMessage.js';
import type { StoredWork, WorkStore } from './item/workStore.js';

export interface EnqueuePorts {
  readonly store: WorkStore;
  readonly queues: WorkQueues;
  readonly clock: Pick<Clock, 'now'>;
}

/** So often others may change an item that is asked for before the ask gives up. */
const TRIES = 10;

/** How work is asked for. */
export interface Ask {
  /** What is asked together with what was asked before; the latter stays when absent. */
  readonly both?: (before: JsonObject) => JsonObject;
  /** Where new work stands until it has a slot. */
  readonly lane?: string;
  /** Where new work stands in its lane: the lowest comes first; the instant of asking when absent. */
  readonly rank?: number;
  /** When new work is due; at once when absent. Work that is there and waits keeps its own time then. */
  readonly dueAt?: number;
}

/** How work comes up. */
export interface Enqueuer {
  /**
   * Makes the item and sends no message: for an item that is written before what it is about. A sweep sends the message
   * two minutes later when nobody else did.
   *
   * @returns false when the item is there already
   */
  open(key: WorkKey): Promise<boolean>;
  /** Makes the item and has it done at a time, milliseconds since 1970 UTC. One that is there already stays as it is. */
  plan(order: WorkOrder, dueAt: number): Promise<void>;
  /** Sends the message of an item whose row is there. A message that can't be sent is sent by the sweep. */
  send(key: WorkKey): Promise<void>;
  /**
   * Makes the item and has it done, or asks once more for the one that is there: its attempt reads its facts anew before
   * it ends. What the ask is about must be stored before.
   */
  ask(order: WorkOrder, ask?: Ask): Promise<void>;
}

export function enqueuer({
  store,
  queues,
  clock,
  lanes,
}: EnqueuePorts & { readonly lanes: Pick<Lanes, 'wait'> }): Enqueuer {
  const now = (): number => clock.now().getTime();
  const send = async (order: WorkOrder, delayMs = 0): Promise<void> => {
    const { kind, id } = order;
    await queues(order)
      .send({ kind, id }, delayMs)
      .catch(() => undefined);
  };
  /** Has an item done that was written just now: a ticket that can't be left is left by the sweep. */
  const begin = async (item: WorkItem): Promise<void> => {
    const { kind, id, parked } = item;
    if (parked !== undefined) {
      if (parked.askedAt > now()) return;
      await lanes.wait(parked.lane, { kind, id, askedAt: parked.askedAt }).catch(() => undefined);
      return;
    }
    const dueAt = messageDueAt(item);
    if (dueAt !== undefined) await send(item, Math.max(0, dueAt - now()));
  };
  const newWork = (order: WorkOrder, { lane, rank, dueAt = 0 }: Ask): WorkItem => {
    const at = Math.max(now(), dueAt);
    const item = dueFrom(newItem(order, now()), at, now());
    return lane === undefined ? item : inLane(item, { lane, askedAt: dueAt > now() ? dueAt : (rank ?? at) });
  };
  /** @returns false when somebody else has written since */
  const askAgain = async (stored: StoredWork, { both = (before) => before, dueAt = 0 }: Ask): Promise<boolean> => {
    const { facts, claim } = stored.item;
    if (dueAt > now() && claim === undefined) return true;
    if (isAskedAlready(stored.item, now())) return true;
    const again = asked(stored.item, now(), facts && both(facts));
    if ((await store.update(stored, again)) === undefined) return false;
    // Whoever holds the item goes on with it, and one that asks for a slot has its ticket: a message would only be dropped.
    if (claim === undefined && !hasTicket(stored.item, now())) await begin(again);
    return true;
  };
  return {
    open: (key) => store.insert(newItem(key, now())),
    plan: async (order, dueAt) => {
      const item = newWork(order, { dueAt });
      if (await store.insert(item)) await begin(item);
    },
    send,
    ask: async (order, ask = {}) => {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        // Most work is new.
        const item = newWork(order, ask);
        if (await store.insert(item)) return begin(item);
        const stored = await store.find(order);
        if (stored !== undefined && (await askAgain(stored, ask))) return;
      }
      throw changedByOthers(`the work of the kind ${order.kind}`);
    },
  };
}
