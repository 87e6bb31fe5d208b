import type { Clock } from '../../kit/clock.js';
import type { LoggedNotice, NoticeLogStore } from '../log/noticeLogStore.js';
import type { NoticeOwner } from '../log/noticeOwner.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Attempt } from '../../work/item/attempt.js';
import { GRID_LANE } from '../../work/lanes/lane.js';
import { done, type Outcome } from '../../work/item/workKind.js';
import type { GridAnswer, SendToGrid } from './gridClient.js';
import type { GridCursorStore, GridState } from './gridCursorStore.js';
import { failedState, firstThatFit, MOST_EVENTS, gridVerdict } from './gridRules.js';

/** What the log of an owner is sent with. */
export interface GridPorts {
  readonly cursors: GridCursorStore;
  readonly log: Pick<NoticeLogStore, 'read'>;
  readonly send: SendToGrid;
  readonly clock: Pick<Clock, 'now'>;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  readonly logLine: Log;
  /** What this process saw last, whoever's events it sent. */
  readonly seen: { isAway: boolean };
}

/** A visit ends after that: the logs of others have their turn. */
const VISIT_MS = 2_000;

/**
 * Sends what stands in the log of an owner behind the cursor. The cursor is written after each send: whoever dies between
 * the two leaves a batch that is sent again, the same bytes under the same ids.
 */
export async function gridPump(ports: GridPorts, owner: NoticeOwner, attempt: Attempt): Promise<Outcome> {
  if (standsAside(ports, attempt)) return rest(now(ports));
  let held = await ports.cursors.open(owner);
  const endsAt = now(ports) + VISIT_MS;
  let most = MOST_EVENTS;
  // Without a state another attempt has been here: the next one sees what is left.
  while (held !== undefined && now(ports) < endsAt) {
    const { state } = held;
    if ((state.restUntil ?? 0) > now(ports)) return rest(state.restUntil ?? 0);
    const batch = firstThatFit(await ports.log.read(owner, state.cursor, most));
    if (batch.length === 0) return done;
    await attempt.hold();
    const sent = await sendOnce(ports, { owner, state, batch }, attempt.signal);
    if (sent === 'halve') most = Math.ceil(batch.length / 2);
    else {
      held = await ports.cursors.write(owner, held, sent);
      most = Math.min(MOST_EVENTS, most * 2);
    }
  }
  return { kind: 'wait', until: now(ports), hasProgress: true, leaving: {} };
}

const now = ({ clock }: Pick<GridPorts, 'clock'>): number => clock.now().getTime();

/** All owners have the same receiver: while it is away, one of them learns that for the others. */
const standsAside = ({ seen }: GridPorts, { item }: Attempt): boolean =>
  seen.isAway && item.lanes?.includes(GRID_LANE) !== true;

/** Whoever waits for Event Grid does so in a lane of its own, so that it holds up nobody else. */
const rest = (until: number): Outcome => ({
  kind: 'wait',
  until,
  hasProgress: true,
  leaving: { askAgainIn: GRID_LANE },
});

interface Sending {
  readonly owner: NoticeOwner;
  readonly state: GridState;
  readonly batch: readonly LoggedNotice[];
}

/** Sends a batch once. @returns the state behind it; `halve` when fewer events are to be sent at once */
async function sendOnce(ports: GridPorts, sending: Sending, signal: AbortSignal): Promise<GridState | 'halve'> {
  const { state, batch } = sending;
  const answer = await ports.send(
    batch.map(({ body }) => body),
    signal,
  );
  const verdict = gridVerdict(answer, now(ports));
  ports.seen.isAway = verdict.kind === 'away';
  if (verdict.kind === 'tooLarge' && batch.length > 1) return 'halve';
  if (verdict.kind === 'taken' || verdict.kind === 'tooLarge') {
    tell(ports, sending, { event: verdict.kind === 'taken' ? 'Notice:GridSent' : 'Notice:GridPassedOver', answer });
    return { cursor: batch.at(-1)?.sequence ?? state.cursor, failures: 0 };
  }
  tell(ports, sending, { event: verdict.kind === 'away' ? 'Notice:GridAway' : 'Notice:GridRefused', answer });
  return failedState(state, verdict, { now: now(ports), random: ports.random() });
}

interface Told {
  readonly event: 'Notice:GridSent' | 'Notice:GridPassedOver' | 'Notice:GridAway' | 'Notice:GridRefused';
  readonly answer: GridAnswer;
}

/** `lagMs` is the age of the oldest event that was sent: so far is the cursor behind where the send failed. */
function tell(ports: GridPorts, { owner, batch }: Sending, { event, answer }: Told): void {
  const [first] = batch;
  const { time = '' } = JSON.parse(first?.body ?? '{}') as { readonly time?: string };
  const { status, error, durationMs } = answer;
  const facts = { owner, events: batch.length, status, error, durationMs, lagMs: now(ports) - Date.parse(time) };
  ports.logLine(event, event === 'Notice:GridPassedOver' ? { ...facts, eventId: first?.id } : facts);
}
