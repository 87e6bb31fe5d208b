/**
 * How customers are told of images. Whoever records images writes what is to be told in the same transaction: a row
 * `OUT_<end of the window>_<hash>` beside the records. Some minutes' rows of a customer become one event, or a few.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../kit/clock.js';
import { deterministicId } from '../../kit/ids.js';
import type { Notice } from '../../notices/log/notice.js';
import { ownerOfCustomer, type NoticeOwner } from '../../notices/log/noticeOwner.js';
import type { Entry } from '../../notices/log/noticeLogStore.js';
import { noticeWork } from '../../notices/log/outbox.js';
import { daysBetween } from '../../kit/validation/calendar.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { Outcome } from '../../work/item/workKind.js';
import type { FieldDate } from '../../enrollments/fields/fieldDate.js';

/** One record as it was, and as it is written. */
export interface ImageChange {
  readonly before: FieldDate | undefined;
  readonly after: FieldDate;
}

/** What is written beside records so that their customer is told; at most one row. */
export type TellOfImages = (
  customer: string,
  changes: readonly ImageChange[],
) => Promise<NonNullable<Outcome['beside']>>;

const MINUTE_MS = 60_000;
/** Images of so long are told together. */
const WINDOW_MS = 5 * MINUTE_MS;
/** So long after its end a window is looked at: records of its last moment are written by then. */
const CLOSING_MS = 30_000;
/** Looks again so much later: a write that hung is over by then. */
export const SECOND_LOOK_MS = 10 * MINUTE_MS;
/** Images of an older day are not new: they were looked for. */
const NEW_DAYS = 10;
/** Most bytes of what is told in one event; receivers' libraries take 20 kB in all. */
const MOST_BYTES = 15_000;
/** Most pieces in one event: each has a mark in the log. */
const MOST_PIECES = 60;

type ImageNotice = 'partner.imagery.available' | 'partner.imagery.replaced';

/** Fields that have the same layers of a day. */
interface Piece {
  readonly type: ImageNotice;
  readonly origin: 'new' | 'backfill';
  readonly date: string;
  readonly layers: readonly string[];
  readonly fieldIds: readonly string[];
}

/** What is written beside records. */
export interface OutRow {
  readonly json: string;
}

/** What the keys of such rows begin with. */
export const OUT = 'OUT_';

export interface TellImagesPorts {
  readonly listens: (owner: NoticeOwner) => Promise<boolean>;
  readonly work: Pick<Enqueuer, 'plan'>;
  readonly clock: Pick<Clock, 'now'>;
}

export function tellOfImages({ listens, work, clock }: TellImagesPorts): TellOfImages {
  /** The window of each customer for which the work is planned. */
  const planned = new Map<string, number>();
  return async (customer, changes) => {
    if (!(await listens(ownerOfCustomer(customer)))) return [];
    const now = clock.now().getTime();
    const pieces = piecesOf(changes, new Date(now).toISOString().slice(0, 10));
    if (pieces.length === 0) return [];
    const end = (Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS;
    if (planned.get(customer) !== end) {
      await work.plan(noticeWork(ownerOfCustomer(customer), 'images', String(end)), end + CLOSING_MS);
      planned.set(customer, end);
    }
    const json = JSON.stringify(pieces);
    const hash = createHash('sha256').update(json).digest('hex').slice(0, 16);
    return [{ put: `${OUT}${new Date(end).toISOString()}_${hash}`, value: { json } satisfies OutRow }];
  };
}

/** What has come with these records, in pieces that each fit into one event. */
function piecesOf(changes: readonly ImageChange[], today: string): readonly Piece[] {
  const groups = new Map<string, { readonly piece: Piece; readonly fieldIds: string[] }>();
  for (const change of changes) {
    for (const piece of changedLayers(change, today)) {
      const key = JSON.stringify(piece);
      const group = groups.get(key) ?? { piece, fieldIds: [] };
      group.fieldIds.push(change.after.fieldId);
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap(({ piece, fieldIds }) =>
    chunks(fieldIds.sort()).map((some) => ({ ...piece, fieldIds: some })),
  );
}

function changedLayers({ before, after }: ImageChange, today: string): readonly Piece[] {
  if (after.outcome !== 'done') return [];
  const { date, layers } = after;
  const origin = daysBetween(date, today) <= NEW_DAYS ? 'new' : 'backfill';
  const had = before?.layers ?? [];
  const come = layers.filter((layer) => !had.includes(layer));
  const replaced =
    before !== undefined && before.basis !== after.basis ? layers.filter((layer) => had.includes(layer)) : [];
  const piece = { origin, date, fieldIds: [] } as const;
  return [
    ...(come.length === 0 ? [] : [{ ...piece, type: 'partner.imagery.available' as const, layers: come }]),
    ...(replaced.length === 0 ? [] : [{ ...piece, type: 'partner.imagery.replaced' as const, layers: replaced }]),
  ];
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** Ids in runs that each fit into one event. */
function chunks(ids: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [];
  let left = 0;
  for (const id of ids) {
    left -= bytesOf(id);
    if (left < 0) {
      runs.push([]);
      left = MOST_BYTES - 500 - bytesOf(id);
    }
    runs.at(-1)?.push(id);
  }
  return runs;
}

/** Such a row as read. */
export type FoundRow = OutRow & { readonly rowKey: string };

export interface Marked {
  readonly mark: string;
  readonly piece: Piece;
}

/** Names a piece, whatever event it becomes part of. */
const markOf = (rowKey: string, index: number): string => `${rowKey.slice(OUT.length)}_${index}`;

/** What rows tell of. */
export function piecesIn(rows: readonly FoundRow[]): readonly Marked[] {
  return rows.flatMap(({ rowKey, json }) =>
    (JSON.parse(json) as Piece[]).map((piece, index) => ({ mark: markOf(rowKey, index), piece })),
  );
}

/** The events that pieces become. */
export function noticesIn(customer: string, pieces: readonly Marked[]): readonly Entry[] {
  const kinds = new Map<string, Marked[]>();
  for (const marked of pieces) {
    const kind = `${marked.piece.type} ${marked.piece.origin}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), marked]);
  }
  return [...kinds.values()].flatMap((same) => runsOf(same).map((run) => entryOf(customer, run)));
}

/** Pieces in runs that each fit into one event. */
function runsOf(pieces: readonly Marked[]): readonly (readonly Marked[])[] {
  const runs: Marked[][] = [];
  let bytes = 0;
  for (const marked of pieces) {
    bytes += bytesOf(groupOf(marked.piece));
    const run = runs.at(-1);
    if (run === undefined || bytes > MOST_BYTES || run.length >= MOST_PIECES) {
      runs.push([marked]);
      bytes = bytesOf(groupOf(marked.piece));
    } else run.push(marked);
  }
  return runs;
}

const groupOf = ({ date, layers, fieldIds }: Piece) => ({ date, layers, field_ids: fieldIds });

function entryOf(customer: string, run: readonly Marked[]): Entry {
  const groups = new Map<string, ReturnType<typeof groupOf>>();
  for (const { piece } of run) {
    const key = JSON.stringify([piece.date, piece.layers]);
    const fieldIds = [...(groups.get(key)?.field_ids ?? []), ...piece.fieldIds];
    groups.set(key, groupOf({ ...piece, fieldIds }));
  }
  const marks = run.map(({ mark }) => mark);
  const [first] = run;
  const notice: Notice = {
    id: deterministicId('notice', 'batch', customer, ...marks),
    type: first?.piece.type ?? 'partner.imagery.available',
    subject: '/v1/fields',
    // The end of the latest window.
    time:
      marks
        .map((mark) => mark.split('_')[0] ?? '')
        .sort()
        .at(-1) ?? '',
    data: {
      image_source: 'sentinel-2-l2a',
      origin: first?.piece.origin ?? 'new',
      field_date_count: run.reduce((sum, { piece }) => sum + piece.fieldIds.length, 0),
      groups: [...groups.values()],
    },
  };
  return { notice, marks };
}
