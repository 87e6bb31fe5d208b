import type { Clock } from '../clock.js';
import type { Config } from '../config.js';
import { findEnrollmentEnd, tellOfEnrollment, type TellOfEnrollment } from '../enrollments/enrollmentNotices.js';
import { EnrollmentStore } from '../enrollments/enrollmentStore.js';
import { findBackfillEnd, tellOfBackfill, type TellOfBackfill } from '../imagery/discovery/backfillNotices.js';
import { findImages } from '../imagery/records/imageryNoticeReader.js';
import { tellOfImages, type TellOfImages } from '../imagery/records/imageryNotices.js';
import { tellOfJob, type TellOfJob } from '../jobs/jobNotices.js';
import { ListenerStore } from '../notices/listenerStore.js';
import type { NoticeOwner } from '../owner.js';
import { noticeKind } from '../notices/noticeKind.js';
import { NoticeLogStore } from '../notices/noticeLogStore.js';
import { areNoticesOn } from '../notices/noticeSwitches.js';
import { outboxOf } from '../notices/outbox.js';
import { randomId } from '../ids.js';
import { DeliveryStore } from '../webhooks/deliveryStore.js';
import { SecretBox } from '../webhooks/secretBox.js';
import { webhookClient } from '../webhooks/webhookClient.js';
import { wakeWebhooks } from '../webhooks/wakeWebhooks.js';
import { webhookKind } from '../webhooks/webhookKind.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import { WebhookStore } from '../webhooks/webhookStore.js';
import type { Log } from '../telemetry/telemetry.js';
import type { WorkKind } from '../work/workKind.js';
import type { DataStorage } from './storageClients.js';
import type { WorkPorts } from './workServices.js';

/** How whatever happens is told of. Where nobody listens, each of these writes nothing. */
export interface Tellers {
  readonly tellOfJob: TellOfJob;
  readonly tellOfEnrollment: TellOfEnrollment;
  readonly tellOfImages: TellOfImages;
  readonly tellOfBackfill: TellOfBackfill;
}

/** What the operations on events and webhooks need; undefined where notices are off. */
export type NoticeServices = WebhookPorts;

export interface NoticeSurroundings {
  readonly storage: DataStorage;
  readonly work: Pick<WorkPorts, 'work' | 'store'>;
  readonly clock: Clock;
  readonly log: Log;
}

type Listens = (owner: NoticeOwner) => Promise<boolean>;

const listensWhereOn = (config: Config, listens: Listens): Listens =>
  areNoticesOn(config) ? listens : () => Promise.resolve(false);

/** How events are told of, over the storage and the queues of the process that they happen in. */
export function tellersOf(config: Config, { storage, work: { work }, clock }: NoticeSurroundings): Tellers {
  const listeners = new ListenerStore(storage.rows('webhooks'), clock);
  const listens = listensWhereOn(config, (owner) => listeners.has(owner));
  const ports = { listens, work, clock };
  return {
    tellOfJob: tellOfJob(outboxOf(ports)),
    tellOfEnrollment: tellOfEnrollment(ports),
    tellOfImages: tellOfImages(ports),
    tellOfBackfill: tellOfBackfill(ports),
  };
}

function webhookPortsOf(
  config: Config,
  { storage, work: { work }, clock, log: logLine }: NoticeSurroundings,
): WebhookPorts {
  const { PUBLIC_URL: origin = '', WEBHOOK_KEYS: keys = new Map(), WEBHOOK_LOCAL_HOSTS: localHosts = [] } = config;
  const rule = { ownHost: origin === '' ? '' : new URL(origin).hostname, localHosts };
  return {
    webhooks: new WebhookStore(storage.rows('webhooks')),
    deliveries: new DeliveryStore(storage.rows('notices'), () => clock.now().getTime()),
    log: new NoticeLogStore({ rows: storage.rows('notices'), clock, source: origin }),
    listeners: new ListenerStore(storage.rows('webhooks'), clock),
    work,
    box: new SecretBox(keys),
    rule,
    call: webhookClient({ rule }),
    origin,
    clock,
    newId: randomId,
    random: Math.random,
    logLine,
  };
}

/** What requests need of notices. */
export const noticeServices = (config: Config, surroundings: NoticeSurroundings): NoticeServices | undefined =>
  areNoticesOn(config) ? webhookPortsOf(config, surroundings) : undefined;

/** The work on notices. */
export function noticeKinds(config: Config, surroundings: NoticeSurroundings): readonly WorkKind[] {
  const { storage, work, clock, log: logLine } = surroundings;
  const webhooks = webhookPortsOf(config, surroundings);
  const { log, listeners } = webhooks;
  const enrollments = new EnrollmentStore(storage.rows('enrollments'));
  const ports = {
    log,
    origins: {
      enrollment: findEnrollmentEnd({ enrollments, clock }),
      images: findImages({ rows: storage.rows('fieldDates'), log, clock }),
      backfill: findBackfillEnd({ enrollments, store: work.store, clock }),
    },
    // What a teller has written is kept, though this process read who listens before that.
    listens: listensWhereOn(config, (owner) => listeners.hasNow(owner)),
    wake: wakeWebhooks(webhooks),
    clock,
    logLine,
  };
  const leaseMs = config.JOB_LEASE_SECONDS * 1000;
  return [noticeKind(ports, leaseMs), webhookKind(webhooks, leaseMs)];
}
