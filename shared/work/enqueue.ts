import type { Clock } from '../clock.js';
import { asked, newItem, type WorkItem, type WorkKey } from './workItem.js';
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
   */
  ask(key: WorkKey): Promise<void>;
}

export function enqueuer({ store, queues, clock }: EnqueuePorts): Enqueuer {
  const now = (): number => clock.now().getTime();
  const send = async ({ kind, id }: WorkKey): Promise<void> => {
    await queues(kind)
      .send({ kind, id })
      .catch(() => undefined);
  };
  const tryToAsk = async (key: WorkKey): Promise<WorkItem | undefined> => {
    const stored = await store.find(key);
    if (stored !== undefined) return (await store.update(stored, asked(stored.item, now())))?.item;
    const item = newItem(key, now());
    return (await store.insert(item)) ? item : undefined;
  };
  return {
    open: (key) => store.insert(newItem(key, now())),
    send,
    ask: async (key) => {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const item = await tryToAsk(key);
        if (item === undefined) continue;
        // Whoever holds the item goes on with it; a message would only be dropped.
        if (item.claim === undefined) await send(key);
        return;
      }
      throw new Error(`Work of the kind ${key.kind} kept changing while it was asked for.`);
    },
  };
}
