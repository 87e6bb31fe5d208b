import { takesType } from '../log/notice.js';
import { limiter } from '../../kit/limiter.js';
import type { Attempt } from '../../work/item/attempt.js';
import { SLOW_LANE } from '../../work/lanes/lane.js';
import { done, type Outcome } from '../../work/item/workKind.js';
import { disableWebhook } from './disableWebhook.js';
import { HOPELESS_EVENTS, HOPELESS_MS, HOPELESS_TRIES, inFlightAfter, verdictOn } from '../webhooks/deliveryRules.js';
import type { Delivery, DueRetry, StoredState, VisitResult, WebhookState } from '../webhooks/deliveryStore.js';
import { sendEvent, signingSecrets } from './sendEvent.js';
import { judged, type Planned, type Sent } from './visit.js';
import type { Webhook } from '../webhooks/webhook.js';
import type { DisabledReason } from '../webhooks/webhookStates.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import type { StoredWebhook } from '../webhooks/webhookStore.js';

/** A visit begins nothing more after that: other webhooks have their turn. */
const VISIT_MS = 2_000;
/** Events and retries of one transaction. */
const MOST_EVENTS = 30;
const MOST_RETRIES = 10;
const MINUTE_MS = 60_000;

/**
 * Sends a webhook what stands in the log behind its cursor, and what is due once more. Results and cursor are written in
 * one transaction after each batch: whoever dies before it leaves a batch that is sent again, the same bytes under the
 * same ids.
 */
export async function pump(ports: WebhookPorts, stored: StoredWebhook, attempt: Attempt): Promise<Outcome> {
  const { webhook } = stored;
  const found = await stateOf(ports, webhook);
  // The next attempt sees whether the webhook is there, and how far another has come with it.
  if (found === undefined) return again(ports);
  let held = found;
  const aside = asideOf(held.state, attempt, now(ports));
  if (aside !== undefined) return aside;
  const endsAt = now(ports) + VISIT_MS;
  const secrets = signingSecrets(ports, webhook);
  if (secrets === undefined) return disable(ports, stored, { state: held.state, reason: 'secret_lost' });
  let inFlight = webhook.maxInFlight;
  while (now(ports) < endsAt) {
    const restsUntil = restOf(held.state, now(ports));
    if (restsUntil !== undefined) return rest(held.state, restsUntil);
    const batch = await batchOf(ports, webhook, held.state);
    if (batch.planned.length === 0 && batch.stale.length === 0) return allSent(ports, webhook, { held, batch });
    const sent = await sendAll(ports, { webhook, secrets, attempt, endsAt, inFlight }, batch.planned);
    inFlight = inFlightAfter(inFlight, sent);
    const isProbe = held.state.breaker !== undefined;
    const result = judged(held.state, sent, { now: now(ports), random: ports.random, isProbe });
    const written = await ports.deliveries.write(webhook, held, withStale(result, batch.stale));
    // Another attempt has been here: what it has sent is not judged twice.
    if (written === undefined) return again(ports);
    held = written;
    tell(ports, webhook, sent);
    const end = await endAfter(ports, stored, { state: held.state, isGone: result.isGone, endsAt });
    if (end !== undefined) return end;
  }
  return rest(held.state, now(ports));
}

/**
 * How far the webhook has come. It is written before anything is sent: whoever deletes the webhook deletes it too, and a
 * visit that is under way finds that and leaves no row. Undefined where the webhook was deleted, or its state written, meanwhile.
 */
async function stateOf({ webhooks, deliveries }: WebhookPorts, webhook: Webhook): Promise<StoredState | undefined> {
  const found = await deliveries.findState(webhook, webhook.startsAfter);
  if (found.etag !== undefined) return found;
  const first = await deliveries.write(webhook, found, { state: found.state, deliveries: [], done: [] });
  if ((await webhooks.find(webhook)) !== undefined) return first;
  await deliveries.removeAll(webhook);
  return undefined;
}

/** How a visit ends after a batch; undefined when it goes on. */
async function endAfter(
  ports: WebhookPorts,
  stored: StoredWebhook,
  { state, isGone, endsAt }: { readonly state: WebhookState; readonly isGone: boolean; readonly endsAt: number },
): Promise<Outcome | undefined> {
  const reason = isGone ? 'gone_410' : hopelessReason(state, now(ports));
  if (reason !== undefined) return disable(ports, stored, { state, reason });
  const paceMs = paceOf(stored.webhook);
  return paceMs !== undefined && now(ports) + paceMs >= endsAt ? rest(state, now(ports) + paceMs) : undefined;
}

/** Nothing is left but what is due later. */
async function allSent(
  ports: WebhookPorts,
  webhook: Webhook,
  { held, batch }: { readonly held: StoredState; readonly batch: Batch },
): Promise<Outcome> {
  const passed = await write(ports, webhook, held, { state: { ...held.state, cursor: batch.passes } });
  if (passed === undefined) return again(ports);
  return batch.nextAt === undefined ? done : rest(held.state, batch.nextAt);
}

/** The result with retries given up whose events are not in the log any more. */
const withStale = (result: VisitResult, stale: readonly DueRetry[]): VisitResult => ({
  state: result.state,
  deliveries: [...result.deliveries, ...stale.map(({ delivery }) => failedForGood(delivery))],
  done: [...result.done, ...stale],
});

const now = ({ clock }: Pick<WebhookPorts, 'clock'>): number => clock.now().getTime();
const again = (ports: WebhookPorts): Outcome => ({ kind: 'wait', until: now(ports), hasProgress: true });

/** Until when nothing is sent; undefined when something may be. */
function restOf({ waitUntil = 0, breaker }: WebhookState, at: number): number | undefined {
  const until = Math.max(waitUntil, breaker?.probeAt ?? 0);
  return until > at ? until : undefined;
}

/**
 * Whoever is away or slow waits in a lane of its own, so that it holds up nobody else; whoever is so no more leaves that
 * lane to those who are.
 */
const rest = (state: WebhookState, until: number): Outcome => ({
  kind: 'wait',
  until,
  hasProgress: true,
  leaving: isHeldUp(state) ? { askAgainIn: SLOW_LANE } : {},
});

const isHeldUp = ({ breaker, isSlow }: WebhookState): boolean => breaker !== undefined || isSlow === true;

/** How a visit ends before it has begun: whoever was away or slow is sent nothing outside of that lane. */
function asideOf(state: WebhookState, { item }: Attempt, at: number): Outcome | undefined {
  const isInLane = item.lanes?.includes(SLOW_LANE) ?? false;
  return isHeldUp(state) && !isInLane ? rest(state, restOf(state, at) ?? at) : undefined;
}

interface Batch {
  /** Retries whose events are not in the log any more. */
  readonly stale: readonly DueRetry[];
  readonly planned: readonly Planned[];
  /** Place up to which the log holds nothing for the webhook, when nothing is planned. */
  readonly passes: number;
  /** When the next retry is due. */
  readonly nextAt: number | undefined;
}

/** What is sent next: what is due once more, then the log. Of a receiver that counts as away, one event. */
async function batchOf(ports: WebhookPorts, webhook: Webhook, state: WebhookState): Promise<Batch> {
  const retries = await ports.deliveries.retries(webhook, MOST_RETRIES);
  // A receiver that counts as away is tried with whatever there is.
  const isDue = ({ dueAt }: { readonly dueAt: number }): boolean => state.breaker !== undefined || dueAt <= now(ports);
  const due = retries.filter(isDue);
  const nextAt = retries.find((retry) => !isDue(retry))?.dueAt;
  const [tried, stale]: [Planned[], DueRetry[]] = [[], []];
  for (const retry of due) {
    const event = await ports.log.find(webhook.owner, retry.delivery.sequence);
    if (event === undefined) stale.push(retry);
    else tried.push({ event, retry });
  }
  const { fresh, passes } = await freshOf(ports, webhook, state.cursor);
  const planned = [...tried, ...fresh.map((event): Planned => ({ event }))];
  return { planned: state.breaker === undefined ? planned : planned.slice(0, 1), stale, passes, nextAt };
}

function failedForGood({ nextAt: _next, ...delivery }: Delivery): Delivery {
  return { ...delivery, status: 'failed' };
}

async function freshOf({ log }: WebhookPorts, { owner, types }: Webhook, cursor: number) {
  for (let passes = cursor; ;) {
    const read = await log.read(owner, passes, MOST_EVENTS);
    const fresh = read.filter(({ type }) => takesType(types, type));
    const last = read.at(-1)?.sequence ?? passes;
    if (fresh.length > 0 || read.length < MOST_EVENTS) return { fresh, passes: last };
    passes = last;
  }
}

interface Sending {
  readonly webhook: Webhook;
  readonly secrets: readonly string[];
  readonly attempt: Attempt;
  readonly endsAt: number;
  /** Requests at the same time. */
  readonly inFlight: number;
}

/** Between two requests to a receiver that has named a rate. */
const paceOf = ({ allowedRate }: Webhook): number | undefined =>
  allowedRate === undefined ? undefined : MINUTE_MS / allowedRate;

/**
 * Sends a few at a time, in order. Nothing more is begun after the first failure, and none that a rate moves behind the end
 * of the visit: a receiver that wants one event a minute holds no visit open.
 */
async function sendAll(
  ports: WebhookPorts,
  { webhook, secrets, attempt, endsAt, inFlight }: Sending,
  planned: readonly Planned[],
): Promise<readonly Sent[]> {
  const paceMs = paceOf(webhook);
  if (planned.length > 0) await attempt.hold();
  const atOnce = limiter(paceMs === undefined ? inFlight : 1);
  const sent: (Sent | undefined)[] = [];
  let hasFailed = false;
  const isOver = (): boolean => hasFailed || (sent.length > 0 && now(ports) + (paceMs ?? 0) >= endsAt);
  await Promise.all(
    planned.map((one, index) =>
      atOnce(async () => {
        if (isOver()) return;
        const at = now(ports);
        const { id, body } = one.event;
        const answer = await sendEvent(ports, webhook, { id, body, secrets, signal: attempt.signal });
        hasFailed ||= answer.status === undefined || answer.status >= 300;
        sent[index] = { ...one, answer, at };
        if (paceMs !== undefined && !isOver()) await ports.clock.sleep(paceMs, attempt.signal);
      }),
    ),
  );
  return sent.filter((one) => one !== undefined);
}

function hopelessReason(state: WebhookState, at: number): DisabledReason | undefined {
  const { failingSince = at, failures, givenUp } = state;
  if (at - failingSince >= HOPELESS_MS && failures >= HOPELESS_TRIES) return 'no_success_for_5_days';
  return givenUp >= HOPELESS_EVENTS ? 'too_many_failed_events' : undefined;
}

const disable = (
  ports: WebhookPorts,
  stored: StoredWebhook,
  { state, reason }: { readonly state: WebhookState; readonly reason: DisabledReason },
): Promise<Outcome> => disableWebhook(ports, stored, { reason, since: state.failingSince ?? now(ports) });

async function write(
  { deliveries }: WebhookPorts,
  webhook: Webhook,
  held: StoredState,
  { state }: { readonly state: WebhookState },
): Promise<StoredState | undefined> {
  if (state.cursor === held.state.cursor) return held;
  return deliveries.write(webhook, held, { state, deliveries: [], done: [] });
}

/** Never the address, its path or query, nor anything that signs: they may hold what gives access. */
function tell({ logLine, clock }: WebhookPorts, { owner, id }: Webhook, sent: readonly Sent[]): void {
  for (const { event, retry, answer } of sent) {
    const time = (JSON.parse(event.body) as { readonly time: string }).time;
    const at = clock.now().getTime();
    logLine('Notice:Delivered', {
      ...{ owner, webhook: id, eventId: event.id, type: event.type, attempt: (retry?.delivery.count ?? 0) + 1 },
      ...{ status: answer.status, error: answer.error, durationMs: answer.durationMs },
      ...{ outcome: verdictOn(answer, at).kind, lagMs: at - Date.parse(time) },
    });
  }
}
