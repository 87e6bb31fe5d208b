import type { ImageryQueue, ImageryWorkStore } from '../imageryPorts.js';
import { attempt, type AttemptPorts, type WorkHold } from './attempt.js';
import type { ActiveWork, WorkKey, WorkKind } from './imageryWork.js';

export interface RunWorkPorts extends AttemptPorts {
  readonly work: ImageryWorkStore;
  readonly queue: ImageryQueue;
  /** Pieces of each kind that a customer has active at a time. */
  readonly activeLimits: Readonly<Record<WorkKind, number>>;
}

/** What is done for each kind of work. */
export interface WorkHandler {
  /** @throws when it has to be done again */
  run(customer: string, document: unknown, hold: WorkHold): Promise<void>;
  /** Ends work that failed too often. */
  giveUp(customer: string, document: unknown, end: { readonly reason: string; readonly hold: WorkHold }): Promise<void>;
}

/** Makes the next pieces of a customer's work active and sends their messages. */
export const activateNext =
  ({ work, queue, activeLimits }: Pick<RunWorkPorts, 'work' | 'queue' | 'activeLimits'>) =>
  async (customer: string, kind: WorkKind): Promise<number> => {
    const promoted = await work.promote(customer, kind, activeLimits[kind]);
    for (const key of promoted) await queue.enqueue(key, 0);
    return promoted.length;
  };

/**
 * Does one attempt at a piece of work for a message that names it. A message for work that is done, that another
 * attempt holds or that isn't due yet is dropped: the row is the truth, not the message.
 */
export const runWork =
  (ports: RunWorkPorts, handler: WorkHandler) =>
  async (key: WorkKey): Promise<void> => {
    const stored = await ports.work.find(key);
    if (stored === undefined) return;
    const { customer, kind } = key;
    const { document } = stored;
    await attempt<ActiveWork>(ports, stored, {
      countsRefusals: kind === 'render',
      replace: (work, etag) => ports.work.replace(work, etag),
      enqueue: (work, delayMs) => ports.queue.enqueue(work, delayMs),
      facts: ({ id }) => ({ customer, kind, work: id }),
      run: (hold) => handler.run(customer, document, hold),
      giveUp: (reason, hold) => handler.giveUp(customer, document, { reason, hold }),
      finish: async ({ work, etag }) => {
        await ports.work.remove(work, etag);
        await activateNext(ports)(customer, kind);
      },
      // Refused work has left its place to the next.
      afterwards: async ({ refusals }) => {
        if (refusals > 0) await activateNext(ports)(customer, kind);
      },
    });
  };
