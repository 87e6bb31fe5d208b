/**
 * Table `notices`: the log of each owner. PartitionKey is the owner; RowKeys:
 *
 * - `HEAD`: the next place
 * - `E_<place>`: an event as it is sent
 * - `I_<day>_<mark>`: what was told, so that nothing is told twice
 *
 * Webhooks keep their state and deliveries beside the log (see deliveryStore.ts).
 */
import type { Clock } from '../../kit/clock.js';
import type { Action, Row, Rows } from '../../storage/rows.js';
import { cloudEventOf, sequenceText, type Placed } from './cloudEvent.js';
import type { Notice } from './notice.js';
import type { NoticeOwner } from './noticeOwner.js';

/** A notice, and what it tells of where that is more than itself. */
export interface Entry {
  readonly notice: Notice;
  /** Each is told once, and begins with a day, by which it is forgotten; day and id of the notice when absent. */
  readonly marks?: readonly string[];
}

/** One event of a log. */
export interface LoggedNotice {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  /** The bytes that are sent. */
  readonly body: string;
}

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  /** When it was told, milliseconds since 1970 UTC. */
  readonly at: number;
}

interface HeadRow {
  readonly next: number;
}

const HEAD = 'HEAD';
const EVENTS = 'E_';
const eventKey = (sequence: number): string => `${EVENTS}${sequenceText(sequence)}`;
const marksOf = ({ notice: { id, time }, marks = [`${time.slice(0, 10)}_${id}`] }: Entry): readonly string[] => marks;
const markKey = (mark: string): string => `I_${mark}`;
const sequenceOf = (rowKey: string): number => Number(rowKey.slice(EVENTS.length));

/** Others may write to the log at the same time: each of them can win only so often. */
const TRIES = 20;
/** Events of one write, and rows: below the limits of a transaction on the platform, 100 writes and 4 MiB. */
const MOST_EVENTS = 30;
const MOST_ROWS = 98;

interface Waiting {
  readonly entries: readonly Entry[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface NoticeLogPorts {
  readonly rows: Rows;
  readonly clock: Pick<Clock, 'now'>;
  /** Address of the service, the `source` of its events. */
  readonly source: string;
}

export class NoticeLogStore {
  readonly #ports: NoticeLogPorts;
  /** Of each owner that is being written for: who waits for the next write. */
  readonly #waiting = new Map<NoticeOwner, Waiting[]>();

  constructor(ports: NoticeLogPorts) {
    this.#ports = ports;
  }

  /**
   * Gives each entry its place, in order; what was told before is left out. Of one owner this process writes once at a
   * time: whoever comes meanwhile is in the next write.
   */
  append(owner: NoticeOwner, entries: readonly Entry[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const mine = { entries, resolve, reject };
      const others = this.#waiting.get(owner);
      if (others === undefined) void this.#serve(owner, mine);
      else others.push(mine);
    });
  }

  /** Events behind a place, in order. */
  async read(owner: NoticeOwner, after: number, most: number): Promise<readonly LoggedNotice[]> {
    const span = { prefix: EVENTS, above: eventKey(after) };
    return (await this.#ports.rows.range<EventRow>(owner, span, { most })).map(loggedOf);
  }

  /** Types of the events behind a place, in order, without the events themselves. */
  async typesBehind(owner: NoticeOwner, after: number, most: number): Promise<readonly string[]> {
    const span = { prefix: EVENTS, above: eventKey(after) };
    const rows = await this.#ports.rows.range<Pick<EventRow, 'type'>>(owner, span, { select: ['type'], most });
    return rows.map(({ type }) => type);
  }

  async find(owner: NoticeOwner, sequence: number): Promise<LoggedNotice | undefined> {
    const row = await this.#ports.rows.find<EventRow>(owner, eventKey(sequence));
    return row && loggedOf(row);
  }

  /** The place before the first event that was told at an instant or later; that of the latest when there is none. */
  async placeBefore(owner: NoticeOwner, instant: number): Promise<number> {
    const where = { column: 'at', atLeast: instant };
    const [first] = await this.#ports.rows.range<EventRow>(owner, { prefix: EVENTS }, { where, most: 1 });
    return first === undefined ? this.latest(owner) : sequenceOf(first.rowKey) - 1;
  }

  /** The latest place that was given; a log that is not there begins behind the present instant. */
  async latest(owner: NoticeOwner): Promise<number> {
    const head = await this.#ports.rows.find<HeadRow>(owner, HEAD);
    return (head?.next ?? this.#now()) - 1;
  }

  /** Which of these marks stand in the log. */
  async marked(owner: NoticeOwner, entry: Entry): Promise<ReadonlySet<string>> {
    const keys = new Map(marksOf(entry).map((mark) => [markKey(mark), mark]));
    const found = await this.#ports.rows.findMany(owner, [...keys.keys()]);
    return new Set(found.map(({ rowKey }) => keys.get(rowKey) ?? ''));
  }

  /** Deletes events and marks older than an instant. @returns how many events */
  async expire(owner: NoticeOwner, before: number): Promise<number> {
    const { rows } = this.#ports;
    const where = { column: 'at', atMost: before };
    const events = await rows.range(owner, { prefix: EVENTS }, { where, select: [] });
    const marks = await rows.range(
      owner,
      { from: 'I_', below: `I_${new Date(before).toISOString().slice(0, 10)}` },
      { select: [] },
    );
    await rows.deleteMany(
      owner,
      [...events, ...marks].map(({ rowKey }) => rowKey),
    );
    return events.length;
  }

  /** Deletes the log of an owner with all that lies beside it; can be repeated. @returns how many events */
  async removeAll(owner: NoticeOwner): Promise<number> {
    const { rows } = this.#ports;
    const keys = (await rows.range(owner, {}, { select: [] })).map(({ rowKey }) => rowKey);
    await rows.deleteMany(owner, keys);
    return keys.filter((rowKey) => rowKey.startsWith(EVENTS)).length;
  }

  async #serve(owner: NoticeOwner, first: Waiting): Promise<void> {
    let batch: readonly Waiting[] = [first];
    while (batch.length > 0) {
      this.#waiting.set(owner, []);
      try {
        await this.#appendAll(
          owner,
          batch.flatMap(({ entries }) => entries),
        );
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      batch = this.#waiting.get(owner) ?? [];
    }
    this.#waiting.delete(owner);
  }

  async #appendAll(owner: NoticeOwner, entries: readonly Entry[]): Promise<void> {
    let left = distinct(entries);
    for (let attempt = 0; left.length > 0; attempt += 1) {
      if (attempt >= TRIES + left.length) throw new Error('The log of notices changes faster than it can be written.');
      const some = firstOf(left);
      if (await this.#write(owner, some)) left = left.slice(some.length);
      // Somebody else has written to the log, or some of these were told before.
      else left = [...(await this.#untold(owner, some)), ...left.slice(some.length)];
    }
  }

  async #untold(owner: NoticeOwner, entries: readonly Entry[]): Promise<readonly Entry[]> {
    const untold: Entry[] = [];
    for (const entry of entries) if ((await this.marked(owner, entry)).size === 0) untold.push(entry);
    return untold;
  }

  /** @returns false when nothing was written */
  async #write(owner: NoticeOwner, entries: readonly Entry[]): Promise<boolean> {
    const { rows, source } = this.#ports;
    const head = await rows.find<HeadRow>(owner, HEAD);
    const first = head?.next ?? this.#now();
    const value: HeadRow = { next: first + entries.length };
    const actions = entries.flatMap((entry, index): Action[] => [
      { insert: eventKey(first + index), value: this.#rowOf({ ...entry, sequence: first + index }, source) },
      ...marksOf(entry).map((mark): Action => ({ insert: markKey(mark), value: {} })),
    ]);
    const headWrite: Action = head === undefined ? { insert: HEAD, value } : { update: HEAD, value, etag: head.etag };
    return (await rows.transact(owner, [headWrite, ...actions])) !== undefined;
  }

  #rowOf(placed: Placed, source: string): EventRow {
    const { id, type } = placed.notice;
    return { id, type, body: cloudEventOf(placed, source), at: this.#now() };
  }

  #now(): number {
    return this.#ports.clock.now().getTime();
  }
}

const loggedOf = ({ rowKey, id, type, body }: Row<EventRow>): LoggedNotice => ({
  sequence: sequenceOf(rowKey),
  id,
  type,
  body,
});

/** Each event once: several who wait may tell the same. */
function distinct(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const marks = marksOf(entry);
    const isNew = marks.every((mark) => !seen.has(mark));
    for (const mark of marks) seen.add(mark);
    return isNew;
  });
}

/** As many as one write takes. */
function firstOf(entries: readonly Entry[]): readonly Entry[] {
  let rows = 1;
  const end = entries.findIndex((entry, index) => {
    rows += 1 + marksOf(entry).length;
    return index > 0 && (index >= MOST_EVENTS || rows > MOST_ROWS);
  });
  return end < 0 ? entries : entries.slice(0, end);
}
