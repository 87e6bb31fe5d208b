import type { ManagedIdentityCredential } from '@azure/identity';
import type { Clock } from '../../kit/clock.js';
import type { Config } from '../settings/config.js';
import {
  findEnrollmentEnd,
  tellOfEnrollment,
  type TellOfEnrollment,
} from '../../enrollments/ingest/enrollmentNotices.js';
import { EnrollmentStore } from '../../enrollments/record/enrollmentStore.js';
import { GRID_SCOPE, gridClient } from '../../notices/eventGrid/gridClient.js';
import { GridCursorStore } from '../../notices/eventGrid/gridCursorStore.js';
import { gridKind } from '../../notices/eventGrid/gridKind.js';
import { wakeReaders } from '../clients/wakeReaders.js';
import type { GridPorts } from '../../notices/eventGrid/gridPump.js';
import { findBackfillEnd, tellOfBackfill, type TellOfBackfill } from '../../imagery/discovery/backfillNotices.js';
import { findImages } from '../../imagery/records/imageryNoticeReader.js';
import { tellOfImages, type TellOfImages } from '../../imagery/records/imageryNotices.js';
import { tellOfJob, type TellOfJob } from '../../jobs/steps/jobNotices.js';
import { ListenerStore } from '../../notices/log/listenerStore.js';
import type { NoticeOwner } from '../../notices/log/noticeOwner.js';
import { noticeKind } from '../../notices/log/noticeKind.js';
import { NoticeLogStore } from '../../notices/log/noticeLogStore.js';
import { areNoticesOn } from '../../notices/log/noticeSwitches.js';
import { outboxOf } from '../../notices/log/outbox.js';
import { randomId } from '../../kit/ids.js';
import { DeliveryStore } from '../../notices/webhooks/deliveryStore.js';
import { SecretBox } from '../../notices/secrets/secretBox.js';
import { webhookClient } from '../../notices/webhooks/webhookClient.js';
import { webhookKind } from '../../notices/sending/webhookKind.js';
import type { WebhookPorts } from '../../notices/webhooks/webhookPorts.js';
import { WebhookStore } from '../../notices/webhooks/webhookStore.js';
import { measuredFetch } from '../../kit/telemetry/measuredFetch.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { Seats } from '../../work/lanes/seats.js';
import type { WorkKind } from '../../work/item/workKind.js';
import type { DataStorage } from '../clients/storageClients.js';
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

/** What the work on notices needs besides. */
export interface NoticeWorkSurroundings extends NoticeSurroundings {
  /** The identity of the service. */
  readonly credential: Pick<ManagedIdentityCredential, 'getToken'>;
}

type Listens = (owner: NoticeOwner) => Promise<boolean>;

/** Who is told of events: whoever listens, and everybody where they are sent to Event Grid. */
function listensWhereOn(config: Config, listens: Listens): Listens {
  if (!areNoticesOn(config)) return () => Promise.resolve(false);
  return config.NOTICES_TOPIC_URL === undefined ? listens : () => Promise.resolve(true);
}

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
  const ports = {
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
  return { ...ports, wake: wakeReaders(ports, config.NOTICES_TOPIC_URL !== undefined) };
}

/** What sends events to Event Grid; undefined without a topic. */
function gridPortsOf(
  { NOTICES_TOPIC_URL: topicUrl }: Config,
  { storage, credential }: NoticeWorkSurroundings,
  { log, clock, random, logLine }: WebhookPorts,
): GridPorts | undefined {
  if (topicUrl === undefined) return undefined;
  const getToken = async (): Promise<string> => (await credential.getToken(GRID_SCOPE)).token;
  return {
    cursors: new GridCursorStore(storage.rows('notices')),
    send: gridClient({ topicUrl, getToken, fetch: measuredFetch }),
    ...{ log, clock, random, logLine },
    seen: { isAway: false },
  };
}

/** What requests need of notices. */
export const noticeServices = (config: Config, surroundings: NoticeSurroundings): NoticeServices | undefined =>
  areNoticesOn(config) ? webhookPortsOf(config, surroundings) : undefined;

/**
 * Whether what is told is written down. Where it is sent to Event Grid, each owner of an event listens from then on: its
 * log is found by the nightly deletion.
 */
function keepsLogOf(config: Config, listeners: ListenerStore): Listens {
  // What a teller has written is kept, though this process read who listens before that.
  const listens = listensWhereOn(config, (owner) => listeners.hasNow(owner));
  return async (owner) => {
    if (!(await listens(owner))) return false;
    if (config.NOTICES_TOPIC_URL !== undefined) await listeners.listen(owner);
    return true;
  };
}

/** The work on notices. */
export function noticeKinds(config: Config, surroundings: NoticeWorkSurroundings): readonly WorkKind[] {
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
    listens: keepsLogOf(config, listeners),
    wake: webhooks.wake,
    clock,
    logLine,
  };
  const leaseMs = config.JOB_LEASE_SECONDS * 1000;
  const grid = gridPortsOf(config, surroundings, webhooks);
  const seats = new Seats();
  return [noticeKind(ports, leaseMs), webhookKind(webhooks, leaseMs, seats), gridKind(grid, leaseMs, seats)];
}
