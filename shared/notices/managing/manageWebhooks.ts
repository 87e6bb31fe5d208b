/** What owners do with their webhooks. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { changedByOthers } from '../../kit/errors/changedByOthers.js';
import { invalidInput } from '../../kit/errors/invalidInput.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { webhookFaults } from '../../kit/errors/webhookFaults.js';
import { deterministicId } from '../../kit/ids.js';
import type { NoticeOwner } from '../log/noticeOwner.js';
import { checkPreconditions, type Preconditions } from '../../kit/validation/preconditions.js';
import { receiverFault } from '../webhooks/receiverRule.js';
import { secretText } from '../secrets/signature.js';
import {
  enabledBy,
  pendingFrom,
  validSecrets,
  workOfWebhook,
  type Webhook,
  type WebhookKey,
} from '../webhooks/webhook.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import type { NewWebhook, Rotation, WebhookChange } from './webhookSchemas.js';
import { newConsent, openedConsent, openedSecret, sealedSecret } from '../webhooks/webhookSecrets.js';
import { webhookTag } from './webhookView.js';
import type { StoredWebhook } from '../webhooks/webhookStore.js';

const SECRET_BYTES = 32;
const USUAL_IN_FLIGHT = 4;
const MOST_WEBHOOKS = 10;
const HOUR_MS = 3_600_000;
const USUAL_OVERLAP_HOURS = 24;
/** An `Idempotency-Key` is free again after a day: longer than clients repeat a request by themselves. */
const KEY_MS = 24 * HOUR_MS;
/** Others may change a webhook at the same time; each of them can win only so often. */
const TRIES = 10;

/** A webhook, and a secret that is shown this once. */
export interface ShownOnce {
  readonly webhook: Webhook;
  readonly secret: string;
  /** Whether it was there before: the create is a repetition. */
  readonly isRepeated: boolean;
}

/** @throws ServiceError 404; another owner's webhook is none */
export async function requireWebhook(
  { webhooks }: Pick<WebhookPorts, 'webhooks'>,
  key: WebhookKey,
): Promise<StoredWebhook> {
  const stored = await webhooks.find(key);
  if (stored !== undefined) return stored;
  throw noSuchWebhook();
}

export const noSuchWebhook = (): ServiceError =>
  new ServiceError(commonFaults.notFound, 'You have no webhook of this id; GET /v1/webhooks lists yours.');

function checkUrl({ rule }: Pick<WebhookPorts, 'rule'>, url: string): void {
  const fault = receiverFault(url, rule);
  if (fault !== undefined) throw invalidInput([{ loc: ['url'], msg: `url ${fault}`, type: 'receiver_address' }]);
}

/** Creates a webhook and asks its receiver for consent. A repetition with the same key and content gets the same answer. */
export const createWebhook =
  (ports: WebhookPorts) =>
  async (owner: NoticeOwner, wanted: NewWebhook, idempotencyKey: string | undefined): Promise<ShownOnce> => {
    checkUrl(ports, wanted.url);
    const createDigest = createHash('sha256').update(JSON.stringify(wanted)).digest('hex');
    // Each try that is refused means that another create has won, and only so many can.
    for (let attempt = 0; attempt <= MOST_WEBHOOKS; attempt += 1) {
      const held = await ports.webhooks.held(owner);
      const { id, known } = idFor(ports, { owner, idempotencyKey, held: held.webhooks });
      if (known !== undefined) return repeated(ports, known, createDigest);
      requireRoom(held.webhooks);
      await ports.listeners.listen(owner);
      const secret = secretText(randomBytes(SECRET_BYTES));
      const webhook = await newWebhook(ports, { owner, id }, { wanted, secret, createDigest });
      if (!(await ports.webhooks.insert(webhook, held))) continue;
      await ports.work.ask(workOfWebhook(webhook));
      return { webhook, secret, isRepeated: false };
    }
    throw changedByOthers('your webhooks');
  };

interface Creating {
  readonly owner: NoticeOwner;
  readonly idempotencyKey: string | undefined;
  readonly held: readonly StoredWebhook[];
}

/**
 * The id of a new webhook: with a key, the first of those of the key that is free, so that of two creates at once one finds
 * the other. `known` is the webhook that was created with the key within a day.
 */
function idFor(
  { newId, clock }: WebhookPorts,
  { owner, idempotencyKey, held }: Creating,
): { readonly id: string; readonly known?: Webhook } {
  if (idempotencyKey === undefined) return { id: `wh_${newId()}` };
  const keyHash = createHash('sha256').update(idempotencyKey).digest('hex');
  const byId = new Map(held.map(({ webhook }) => [webhook.id, webhook]));
  const ids = Array.from({ length: MOST_WEBHOOKS + 1 }, (_, use) => {
    return `wh_${deterministicId('webhook', owner, keyHash, ...(use === 0 ? [] : [use]))}`;
  });
  const freshFrom = clock.now().getTime() - KEY_MS;
  const known = ids.map((id) => byId.get(id)).find((webhook) => (webhook?.createdAt ?? 0) > freshFrom);
  const id = known?.id ?? ids.find((each) => !byId.has(each)) ?? '';
  return { id, ...(known === undefined ? {} : { known }) };
}

interface Made {
  readonly wanted: NewWebhook;
  readonly secret: string;
  readonly createDigest: string;
}

async function newWebhook(
  ports: WebhookPorts,
  key: WebhookKey,
  { wanted, secret, createDigest }: Made,
): Promise<Webhook> {
  const now = ports.clock.now().getTime();
  const { url, types, description, max_in_flight: maxInFlight = USUAL_IN_FLIGHT } = wanted;
  return {
    ...key,
    url,
    ...(types === undefined ? {} : { types }),
    ...(description === undefined ? {} : { description }),
    maxInFlight,
    status: 'pending',
    createdAt: now,
    secrets: [sealedSecret(ports, key, secret)],
    consent: newConsent(ports, key),
    askedAt: now,
    asks: 0,
    startsAfter: await ports.log.latest(key.owner),
    createDigest,
  };
}

function repeated(ports: WebhookPorts, webhook: Webhook, createDigest: string): ShownOnce {
  const [newest] = webhook.secrets;
  if (webhook.createDigest !== createDigest || newest === undefined) {
    const msg =
      'Idempotency-Key was used for another webhook in the last 24 hours; repeat that request as it was, or send a new key with this one';
    throw invalidInput([{ loc: ['header', 'Idempotency-Key'], msg, type: 'idempotency_key_reused' }]);
  }
  const secret = openedSecret(ports, webhook, newest);
  if (secret === undefined) throw secretLost();
  return { webhook, secret, isRepeated: true };
}

/** Nothing can be signed until the owner rotates. */
export const secretLost = (): ServiceError =>
  new ServiceError(webhookFaults.secretLost, 'The secret of the webhook is lost: rotate it (POST …/rotate).');

function requireRoom(held: readonly StoredWebhook[]): void {
  if (held.length < MOST_WEBHOOKS) return;
  const msg = `You have ${MOST_WEBHOOKS} webhooks, the most there can be; DELETE one, or PATCH its url`;
  throw invalidInput([{ loc: [], msg, type: 'too_many_webhooks' }]);
}

/** Writes what a change makes of a webhook as it is by then. */
export async function changedWebhook(
  ports: Pick<WebhookPorts, 'webhooks'>,
  key: WebhookKey,
  change: (webhook: Webhook) => Webhook,
): Promise<Webhook> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const stored = await requireWebhook(ports, key);
    const next = change(stored.webhook);
    if (await ports.webhooks.replace(stored, next)) return next;
  }
  throw changedByOthers('your webhooks');
}

/** Another address, and an address that was disabled, are asked for consent anew. */
export const changeWebhook =
  (ports: WebhookPorts) =>
  async (key: WebhookKey, wanted: WebhookChange, preconditions: Preconditions = {}): Promise<Webhook> => {
    if (wanted.url !== undefined) checkUrl(ports, wanted.url);
    const webhook = await changedWebhook(ports, key, (before) => {
      checkPreconditions(preconditions, { eTag: webhookTag(before) });
      return changedBy(ports, before, wanted);
    });
    if (wanted.resume_from === 'now' || webhook.status === 'pending') await renewState(ports, webhook, wanted);
    if (webhook.status !== 'paused') await ports.work.ask(workOfWebhook(webhook));
    return webhook;
  };

function changedBy(ports: WebhookPorts, before: Webhook, wanted: WebhookChange): Webhook {
  const { url = before.url, status } = wanted;
  const next = { ...describedBy(before, wanted), url };
  const asksAnew = url !== before.url || (status === 'enabled' && before.status === 'disabled');
  if (asksAnew) {
    return { ...pendingFrom(next, ports.clock.now().getTime()), consent: newConsent(ports, before) };
  }
  // A receiver that has not consented is not sent anything by a pause that ends.
  if (status === undefined || before.status === 'pending' || before.status === 'disabled') return next;
  return { ...next, status };
}

function describedBy(before: Webhook, wanted: WebhookChange): Webhook {
  const { types: oldTypes, description: oldDescription, ...rest } = before;
  const { types = oldTypes, description = oldDescription, max_in_flight: maxInFlight = before.maxInFlight } = wanted;
  return {
    ...rest,
    maxInFlight,
    // Null takes a member away, as merge patches do.
    ...(types === undefined || types === null ? {} : { types }),
    ...(description === undefined || description === null ? {} : { description }),
  };
}

/** Passes over what was not sent, where that is wanted; a receiver that is asked anew has no failures behind it. */
export async function renewState(
  { deliveries, log }: Pick<WebhookPorts, 'deliveries' | 'log'>,
  webhook: Webhook,
  wanted: WebhookChange,
): Promise<void> {
  const latest = wanted.resume_from === 'now' ? await log.latest(webhook.owner) : 0;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const stored = await deliveries.findState(webhook, webhook.startsAfter);
    const cursor = Math.max(latest, stored.state.cursor);
    const state = webhook.status === 'pending' ? { cursor, failures: 0, givenUp: 0 } : { ...stored.state, cursor };
    if ((await deliveries.write(webhook, stored, { state, deliveries: [], done: [] })) !== undefined) return;
  }
  throw changedByOthers('your webhooks');
}

export const removeWebhook =
  ({ webhooks, deliveries }: WebhookPorts) =>
  async (key: WebhookKey): Promise<void> => {
    await webhooks.remove(key);
    await deliveries.removeAll(key);
  };

const BETWEEN_ASKS_MS = 10_000;

/** Asks the receiver for its consent once more. */
export const askAgain =
  (ports: WebhookPorts) =>
  async (key: WebhookKey): Promise<Webhook> => {
    const { webhook: before } = await requireWebhook(ports, key);
    const now = ports.clock.now().getTime();
    if (now - before.askedAt < BETWEEN_ASKS_MS) {
      throw new ServiceError(webhookFaults.askedJustNow, 'The receiver was asked within the last 10 seconds; wait.');
    }
    const webhook = await changedWebhook(ports, key, (held) =>
      held.status === 'enabled' || held.status === 'paused' ? held : pendingFrom(held, now),
    );
    if (webhook.status === 'pending') await renewState(ports, webhook, {});
    await ports.work.ask(workOfWebhook(webhook));
    return webhook;
  };

/** A new secret; the former signs too for a while. */
export const rotateSecret =
  (ports: WebhookPorts) =>
  async (key: WebhookKey, { expires_in_hours: hours = USUAL_OVERLAP_HOURS }: Rotation): Promise<ShownOnce> => {
    const secret = secretText(randomBytes(SECRET_BYTES));
    const webhook = await changedWebhook(ports, key, (before) => {
      const now = ports.clock.now().getTime();
      // One that no key opens signs nothing any more.
      const valid = validSecrets(before, now).filter((held) => openedSecret(ports, before, held) !== undefined);
      const consent = openedConsent(ports, before) === undefined ? newConsent(ports, before) : before.consent;
      if (valid.length > 1 && hours > 0) {
        throw new ServiceError(
          webhookFaults.rotationOpen,
          'Two secrets sign already; rotate again when the former has expired (see expires_date_time).',
        );
      }
      const former = hours === 0 ? [] : valid.map((held) => ({ ...held, expiresAt: now + hours * HOUR_MS }));
      return { ...before, secrets: [sealedSecret(ports, before, secret), ...former], consent };
    });
    return { webhook, secret, isRepeated: false };
  };

/** The consent of a receiver's administrator, by the address that the receiver was told. @throws ServiceError 404 for a wrong key */
export const consentByKey =
  (ports: WebhookPorts) =>
  async (key: WebhookKey, shown: string): Promise<void> => {
    if ((await ports.webhooks.find(key)) === undefined) throw nothingWaits();
    // Of the webhook as it is written: the consent of one address is none of another that takes its place meanwhile.
    await changedWebhook(ports, key, (before) => {
      // What the service has disabled goes on only when its owner says so.
      if (!isConsentOf(ports, before, shown) || before.status === 'disabled') throw nothingWaits();
      return before.status === 'pending' ? enabledBy(before, before.allowedRate) : before;
    });
    await ports.work.ask(workOfWebhook(key));
  };

const nothingWaits = (): ServiceError =>
  new ServiceError(commonFaults.notFound, 'Nothing waits for consent at this address; it may have been given.');

function isConsentOf(ports: WebhookPorts, webhook: Webhook, shown: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const consent = openedConsent(ports, webhook);
  return consent !== undefined && timingSafeEqual(digest(shown), digest(consent));
}
