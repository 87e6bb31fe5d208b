import { rowBelongings, type Belongings } from '../../storage/belongings.js';
import { workBelongings } from '../../work/item/workBelongings.js';
import { GRID } from '../eventGrid/gridKind.js';
import { ownerOfCustomer, type NoticeOwner } from '../log/noticeOwner.js';
import { LISTENERS } from '../log/listenerStore.js';
import { NOTICE } from '../log/outbox.js';
import type { Rows } from '../../storage/rows.js';
import { workPartitions, workPrefix } from '../../work/item/workStore.js';
import { WEBHOOK } from '../webhooks/webhook.js';

export interface NoticeTables {
  readonly work: Rows;
  readonly webhooks: Rows;
  readonly notices: Rows;
}

/** Work, webhooks and log of a customer, for a purge: the webhooks first, so that nothing is sent any more. */
export function noticeBelongings({ work, webhooks, notices }: NoticeTables): readonly Belongings[] {
  const listening = async (customer: string): Promise<number> =>
    (await webhooks.find(LISTENERS, ownerOfCustomer(customer))) === undefined ? 0 : 1;
  return [
    rowBelongings('webhooks', webhooks, ownerOfCustomer),
    {
      name: 'listening',
      count: listening,
      removeAll: async (customer) => {
        const count = await listening(customer);
        await webhooks.delete(LISTENERS, ownerOfCustomer(customer));
        return count;
      },
    },
    ofOwner(workBelongings('work on notices', work, NOTICE)),
    ofOwner(workBelongings('work on webhooks', work, WEBHOOK)),
    ofOwner(workBelongings('work for Event Grid', work, GRID)),
    rowBelongings('rows of notices', notices, ownerOfCustomer),
  ];
}

const ofOwner = ({ name, count, removeAll }: Belongings): Belongings => ({
  name,
  count: (customer) => count(ownerOfCustomer(customer)),
  removeAll: (customer) => removeAll(ownerOfCustomer(customer)),
});

/** Deletes work, webhooks and log of an owner; can be repeated. */
export async function eraseNotices({ work, webhooks, notices }: NoticeTables, owner: NoticeOwner): Promise<void> {
  await removeRows(webhooks, owner);
  await webhooks.delete(LISTENERS, owner);
  for (const kind of [NOTICE, WEBHOOK, GRID]) {
    for (const partition of workPartitions) await removeRows(work, partition, workPrefix(kind, `${owner}|`));
  }
  await removeRows(notices, owner);
}

async function removeRows(rows: Rows, partition: string, prefix?: string): Promise<void> {
  const found = await rows.range(partition, prefix === undefined ? {} : { prefix }, { select: [] });
  await rows.deleteMany(
    partition,
    found.map(({ rowKey }) => rowKey),
  );
}
