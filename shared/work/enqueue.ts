import type { Clock } from '../clock.js';
import type { JsonObject } from '../json.js';
import { asked, newItem, type WorkItem, type WorkKey, type WorkOrder } from './workItem.js';
import type { WorkQueues } from './workMessage.js';
import type { WorkStore } from './workStore.js';

export interface EnqueuePorts {
  readonly store: WorkStore;
  readonly queues: WorkQueues;
  readonly clock: Pick<Clock, 'now'>;
}

/** So often others may change an item that is asked for before the ask gives up. */
const TRIES = 10;

/** How work comes up. */
export interface Enqueuer {
  /**
   * Makes the item and sends no message: for an item that is written before what it is about. A sweep sends the message
   * two minutes later when nobody else did.
   *
   * @returns false when the item is there already
   */
  open(key: WorkKey): Promise<boolean>;
  /** Sends the message of an item whose row is there. A message that can't be sent is sent by the sweep. */
  send(key: WorkKey): Promise<void>;
  /**
   * Makes the item and sends its message, or asks once more for the one that is there: its attempt reads its facts anew
   * before it ends. What the ask is about must be stored before.
   *
   * @param both what is asked together with what was asked before; the latter stays when absent
   */
  ask(order: WorkOrder, both?: (before: JsonObject) => JsonObject): Promise<void>;
}

export function enqueuer({ store, queues, clock }: EnqueuePorts): Enqueuer {
  const now = (): number => clock.now().getTime();
  const send = async (order: WorkOrder): Promise<void> => {
    const { kind, id } = order;
    await queues(order)
      .send({ kind, id })
      .catch(() => undefined);
  };
  const tryToAsk: (...parameters: Parameters<Enqueuer['ask']>) => Promise<WorkItem | undefined> = async (
    order,
    both = (before) => before,
  ) => {
    // Most work is new.
    const item = newItem(order, now());
    if (await store.insert(item)) return item;
    const stored = await store.find(order);
    if (stored === undefined) return undefined;
    const { facts } = stored.item;
    const again = asked(stored.item, now(), facts && both(facts));
    return (await store.update(stored, again))?.item;
  };
  return {
    open: (key) => store.insert(newItem(key, now())),
    send,
    ask: async (order, both) => {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const item = await tryToAsk(order, both);
        if (item === undefined) continue;
        // Whoever holds the item goes on with it; a message would only be dropped.
        if (item.claim === undefined) await send(item);
        return;
      }
      throw new Error(`Work of the kind ${order.kind} kept changing while it was asked for.`);
    },
  };
}
