import type { GridAnswer } from '../../../shared/notices/eventGrid/gridClient.js';
import { GridCursorStore } from '../../../shared/notices/eventGrid/gridCursorStore.js';
import { GRID, gridKind, wakeGrid, workOfGrid } from '../../../shared/notices/eventGrid/gridKind.js';
import type { GridPorts } from '../../../shared/notices/eventGrid/gridPump.js';
import { NoticeLogStore } from '../../../shared/notices/log/noticeLogStore.js';
import type { NoticeOwner } from '../../../shared/notices/log/noticeOwner.js';
import { GRID_LANE } from '../../../shared/work/lanes/lane.js';
import { Seats } from '../../../shared/work/lanes/seats.js';
import type { WorkKey } from '../../../shared/work/item/workItem.js';
import { CountedRows } from '../log/countedRows.js';
import { aNotice } from '../log/noticesUnderTest.js';
import { ManualClock } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

export const owner: NoticeOwner = 't_contoso';

/** Event Grid over logs in memory, in a time that tests move. */
export class GridWorld {
  readonly clock = new ManualClock('2026-05-04T06:00:00Z');
  readonly kernel = new WorkInMemory(() => this.clock);
  readonly noticeRows = new CountedRows();
  readonly log: NoticeLogStore;
  readonly ports: GridPorts;
  /** The batches that came, each event as its JSON. */
  readonly sends: (readonly string[])[] = [];
  /** What Event Grid answers. */
  answer: (bodies: readonly string[], count: number) => Partial<GridAnswer> = () => ({ status: 200 });
  /** What is taken by Event Grid: of requests with a good answer alone. */
  readonly taken: string[] = [];

  constructor() {
    const { clock, kernel, noticeRows } = this;
    this.log = new NoticeLogStore({ rows: noticeRows, clock, source: 'https://api.partner.example' });
    this.ports = {
      cursors: new GridCursorStore(noticeRows),
      log: this.log,
      send: (bodies) => Promise.resolve(this.#take(bodies)),
      clock,
      random: () => 0.5,
      logLine: kernel.log,
      seen: { isAway: false },
    };
    kernel.slotsOf = (lane) => (lane === GRID_LANE ? 4 : 1_000);
  }

  #take(bodies: readonly string[]): GridAnswer {
    this.sends.push(bodies);
    const answer = { durationMs: 1, ...this.answer(bodies, this.sends.length) };
    if (answer.status === 200) this.taken.push(...idsIn(bodies));
    return answer;
  }

  /** Events stand in the log of an owner, and its work is woken. */
  async tell(ids: readonly string[], of: NoticeOwner = owner, data: Record<string, string> = {}): Promise<void> {
    const time = this.clock.now().toISOString();
    await this.log.append(
      of,
      ids.map((id) => ({ notice: aNotice(id, { time, data }) })),
    );
    await wakeGrid({ work: this.kernel.enqueuer, clock: this.clock })(of);
  }

  /** So many seconds pass, with a sweep, and whatever is due is done. */
  async pass(seconds: number): Promise<void> {
    await this.clock.advance(seconds * 1_000);
    await this.kernel.sweep();
    // Slots of lanes are given a moment later.
    await this.clock.advance(1_500);
    for (let text = this.kernel.messages.take(); text !== undefined; text = this.kernel.messages.take()) {
      await this.attempt(JSON.parse(text) as WorkKey);
    }
  }

  attempt(key: WorkKey = workOfGrid(owner)): Promise<void> {
    return this.kernel.handle(key, gridKind(this.ports, 60_000, new Seats()));
  }

  /** Owners whose work is open. */
  open(): Promise<readonly string[]> {
    return this.kernel.store.idsOf(GRID, '');
  }

  /** Facts of the lines of one name. */
  lines(event: string): readonly Readonly<Record<string, unknown>>[] {
    return this.kernel.logged.filter((line) => line.event === event).map(({ facts }) => facts);
  }
}

export const idsIn = (bodies: readonly string[]): readonly string[] =>
  bodies.map((body) => (JSON.parse(body) as { readonly id: string }).id);
export const numbers = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, number) => `n-${number + from}`);
