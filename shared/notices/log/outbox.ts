import type { JsonObject } from '../../kit/json/json.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { newItem, type WorkOrder } from '../../work/item/workItem.js';
import type { Outcome } from '../../work/item/workKind.js';
import { workActions, workIdIn } from '../../work/item/workStore.js';
import type { Clock } from '../../kit/clock.js';
import type { Notice } from './notice.js';
import type { NoticeOwner } from './noticeOwner.js';

/** The kind of work that brings notices into the log of their owner. */
export const NOTICE = 'notice';

/** What such work goes by: `event` is the notice itself, the others are read where they come about. */
export type NoticeOrigin = 'event' | 'enrollment' | 'images' | 'backfill';

/** Work that looks for notices of one origin. @param subject what it is about, within the owner */
export const noticeWork = (owner: NoticeOwner, origin: NoticeOrigin, subject: string): WorkOrder => ({
  kind: NOTICE,
  id: `${owner}|${origin}|${subject}`,
});

/** What a transaction writes so that its event is told for certain, and what is to be done once it is written. */
export interface Telling {
  readonly actions: NonNullable<Outcome['beside']>;
  /** Makes it quick; the sweep does the same two minutes later. */
  readonly send: () => Promise<void>;
}

const nothing: Telling = { actions: [], send: () => Promise.resolve() };

export interface OutboxPorts {
  /** Whether the owner has a webhook or looks into the log. */
  readonly listens: (owner: NoticeOwner) => Promise<boolean>;
  readonly work: Pick<Enqueuer, 'send'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Tells of an event in the transaction that makes it happen: a work item in the same partition holds the notice. For
 * owners who don't listen nothing is written.
 */
export type Outbox = (owner: NoticeOwner, notice: Notice, partition: string) => Promise<Telling>;

export const outboxOf =
  ({ listens, work, clock }: OutboxPorts): Outbox =>
  async (owner, notice, partition) => {
    if (!(await listens(owner))) return nothing;
    const id = workIdIn(partition, noticeWork(owner, 'event', notice.id).id);
    const order = { kind: NOTICE, id, facts: { notice: notice as unknown as JsonObject } };
    const item = newItem(order, clock.now().getTime());
    return { actions: [workActions.put(item)], send: () => work.send(order) };
  };

/** Where notices are off. */
export const noOutbox: Outbox = () => Promise.resolve(nothing);
