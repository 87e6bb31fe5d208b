/** Commands on the webhooks and the log of events of one owner. */
import type { NoticeOwner } from '../../notices/log/noticeOwner.js';
import { redeliver } from '../../notices/managing/listDeliveries.js';
import {
  disableByOperator,
  enableByOperator,
  pumpNow,
  webhookOf,
  webhooksOf,
} from '../../notices/managing/operateWebhooks.js';
import type { WebhookKey } from '../../notices/webhooks/webhook.js';
import type { CommandTarget } from './commandBody.js';
import { commandRefused, unknownTarget } from './commandRefusal.js';
import type { LongCommand } from './longCommands.js';
import type { OperatedNotices, OperatePorts } from './operatePorts.js';
import type { QuickCommand } from './quickCommands.js';

export type NoticeCommandPorts = Pick<OperatePorts, 'notices'>;
type Quick = QuickCommand<NoticeCommandPorts>;

/** Its pattern was checked with the body. */
const ownerOf = ({ owner }: Pick<CommandTarget, 'owner'>): NoticeOwner => owner as NoticeOwner;
const keyOf = (target: CommandTarget): WebhookKey => ({ owner: ownerOf(target), id: target.webhook });

function requireNotices({ notices }: NoticeCommandPorts): OperatedNotices {
  if (notices !== undefined) return notices;
  throw commandRefused('This service tells of no events: WEBHOOK_KEYS is not set.');
}

async function lookAtOwner(ports: NoticeCommandPorts, target: CommandTarget) {
  const found = await webhooksOf(requireNotices(ports), ownerOf(target));
  if (found !== undefined) return found;
  throw unknownTarget(
    `${target.owner} has no webhook, and no log is kept for it. Write c_<customer>, or t_<id of the tenant>.`,
  );
}

async function lookAtWebhook(ports: NoticeCommandPorts, target: CommandTarget) {
  const found = await webhookOf(requireNotices(ports), keyOf(target));
  if (found !== undefined) return found;
  throw unknownTarget(`${target.owner} has no webhook ${target.webhook}; notices.list shows those there are.`);
}

const noticesList: Quick = { look: lookAtOwner };
const noticesShow: Quick = { look: lookAtWebhook };

const noticesDisable: Quick = {
  look: lookAtWebhook,
  run: async (ports, target) => {
    await disableByOperator(requireNotices(ports), keyOf(target));
    return { disabled: target.webhook, next: 'A visit that is under way ends within 20 s; its owner is told.' };
  },
};

const noticesEnable: Quick = {
  look: lookAtWebhook,
  run: async (ports, target) => {
    await enableByOperator(requireNotices(ports), keyOf(target));
    return { pending: target.webhook, next: 'Its receiver is asked for its consent; then what it missed is sent.' };
  },
};

const noticesRedeliver: Quick = {
  look: async (ports, target) => {
    const { webhookId, status } = await lookAtWebhook(ports, target);
    const event = await requireNotices(ports).log.find(ownerOf(target), Number(target.sequence));
    if (event === undefined) throw unknownTarget(`The log of ${target.owner} has no event at ${target.sequence}.`);
    return { webhookId, status, eventId: event.id, type: event.type };
  },
  run: async (ports, target) => {
    await redeliver(requireNotices(ports))(keyOf(target), target.sequence);
    return { redelivered: target.sequence, webhook: target.webhook };
  },
};

const noticesPump: Quick = {
  look: lookAtOwner,
  run: async (ports, target) => ({
    woken: await pumpNow(requireNotices(ports), ownerOf(target)),
    next: 'A receiver that counts as away is tried within three minutes.',
  }),
};

/** Deletes webhooks, deliveries and log of an owner; nothing brings them back. */
const noticesDrop: LongCommand<NoticeCommandPorts> = {
  look: lookAtOwner,
  step: async (ports, target) => {
    const { webhooks, erase } = requireNotices(ports);
    const count = (await webhooks.list(ownerOf(target))).length;
    await erase(ownerOf(target));
    return { isDone: true, result: { dropped: target.owner, webhooks: count } };
  },
};

export const noticeCommands = {
  'notices.list': noticesList,
  'notices.show': noticesShow,
  'notices.disable': noticesDisable,
  'notices.enable': noticesEnable,
  'notices.redeliver': noticesRedeliver,
  'notices.pump': noticesPump,
  'notices.drop': noticesDrop,
} as const;
