/** One visit of a webhook: what is sent, and what the answers make of its state. */
import type { LoggedNotice } from '../log/noticeLogStore.js';
import {
  errorShown,
  FAILURES_TO_OPEN,
  pauseAfter,
  probePause,
  verdictOn,
  type Verdict,
} from '../webhooks/deliveryRules.js';
import type { Delivery, DueRetry, Try, WebhookState } from '../webhooks/deliveryStore.js';
import type { ReceiverAnswer } from '../webhooks/webhookClient.js';

/** An event to be sent now; `retry` is its row where it was tried before. */
export interface Planned {
  readonly event: LoggedNotice;
  readonly retry?: DueRetry;
}

export interface Sent extends Planned {
  readonly answer: ReceiverAnswer;
  /** When it was sent, milliseconds since 1970 UTC. */
  readonly at: number;
}

/** What a batch of answers makes of a webhook. */
export interface Judged {
  readonly state: WebhookState;
  readonly deliveries: readonly Delivery[];
  readonly done: readonly DueRetry[];
  readonly isGone: boolean;
}

const SHOWN_TRIES = 10;
/** Answers that take longer on the average hold up other webhooks. */
const SLOW_MS = 1_000;

interface Judging {
  readonly now: number;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  /** Whether the batch is the probe of a receiver that counts as away: its failure is no try of the event. */
  readonly isProbe: boolean;
}

/**
 * The state after a batch, with the deliveries to be stored. The cursor passes what needs no look at the log any more:
 * what was delivered, and what stands as a retry.
 */
export function judged(before: WebhookState, sent: readonly Sent[], judging: Judging): Judged {
  let state = before;
  const deliveries: Delivery[] = [];
  const done: DueRetry[] = [];
  let isGone = false;
  for (const one of sent) {
    const verdict = verdictOn(one.answer, judging.now);
    isGone ||= verdict.kind === 'gone';
    state = stateAfter(state, verdict, judging);
    // A probe that failed leaves everything as it is, and so does a pause that is asked for of an event that waits already.
    if (judging.isProbe && verdict.kind !== 'delivered') continue;
    if (verdict.kind === 'wait' && one.retry !== undefined) continue;
    const delivery = deliveryOf(one, verdict, judging);
    deliveries.push(delivery);
    if (one.retry !== undefined) done.push(one.retry);
    else state = { ...state, cursor: Math.max(state.cursor, one.event.sequence) };
    if (delivery.status === 'failed') state = { ...state, givenUp: state.givenUp + 1 };
  }
  const median = medianOf(sent.map(({ answer }) => answer.durationMs));
  const { isSlow: _slow, ...rest } = state;
  return { state: { ...rest, ...(median > SLOW_MS ? { isSlow: true } : {}) }, deliveries, done, isGone };
}

function stateAfter(state: WebhookState, verdict: Verdict, { now, random, isProbe }: Judging): WebhookState {
  if (verdict.kind === 'delivered') {
    const { breaker: _breaker, failingSince: _since, waitUntil: _wait, ...rest } = state;
    return { ...rest, failures: 0, givenUp: 0, lastSuccessAt: now };
  }
  const failing = { ...state, failingSince: state.failingSince ?? now };
  if (verdict.kind === 'wait') return { ...failing, waitUntil: now + verdict.waitMs };
  const failures = state.failures + 1;
  const probes = isProbe ? (state.breaker?.probes ?? 0) + 1 : 0;
  const isAway = isProbe || failures >= FAILURES_TO_OPEN;
  if (!isAway) return { ...failing, failures };
  return { ...failing, failures, breaker: { probes, probeAt: now + probePause(probes, random()) } };
}

function deliveryOf({ event, retry, answer, at }: Sent, verdict: Verdict, { now, random }: Judging): Delivery {
  const { status = null, durationMs } = answer;
  const tried: Try = { at, status, durationMs, error: errorShown(answer) };
  const before = retry?.delivery ?? { count: 0, tries: [] };
  const count = before.count + (verdict.kind === 'wait' ? 0 : 1);
  const tries = [...before.tries, tried].slice(-SHOWN_TRIES);
  const known = { eventId: event.id, type: event.type, sequence: event.sequence, tries, count };
  if (verdict.kind === 'delivered') return { ...known, status: 'delivered' };
  if (verdict.kind === 'wait') return { ...known, status: 'retrying', nextAt: now + verdict.waitMs };
  const pauseMs = pauseAfter(count, random());
  if (pauseMs === undefined) return { ...known, status: 'failed' };
  return { ...known, status: 'retrying', nextAt: now + pauseMs };
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
