import type { Clock } from '../../kit/clock.js';
import type { FindNotices } from '../../notices/log/noticeKind.js';
import type { Entry, NoticeLogStore } from '../../notices/log/noticeLogStore.js';
import { customerOfOwner } from '../../notices/log/noticeOwner.js';
import type { Rows } from '../../storage/rows.js';
import { noticesIn, OUT, piecesIn, SECOND_LOOK_MS, type FoundRow, type OutRow } from './imageryNotices.js';

export interface FindImagesPorts {
  /** Table `fieldDates`. */
  readonly rows: Rows;
  readonly log: Pick<NoticeLogStore, 'marked'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Finds the images of a customer that nobody was told of yet, of this window and of those before. */
export const findImages =
  ({ rows, log, clock }: FindImagesPorts): FindNotices =>
  async (owner, window) => {
    const customer = customerOfOwner(owner);
    if (customer === undefined) return { entries: [] };
    const now = clock.now().getTime();
    const through = `${OUT}${new Date(now).toISOString()}`;
    const found = await rows.range<OutRow>(customer, { from: OUT, below: through });
    const until = { until: now + SECOND_LOOK_MS };
    if (found.length === 0 && now > Number(window) + SECOND_LOOK_MS) return { entries: [] };
    if (found.length === 0) return { entries: [], ...until };
    const entries = noticesIn(customer, piecesIn(found));
    const untold: Entry[] = [];
    // A repetition after a death may find some told already: those that are left become events of their own.
    for (const entry of entries) {
      const told = await log.marked(owner, entry);
      if (told.size === 0) untold.push(entry);
      else untold.push(...without(customer, found, { entry, told }));
    }
    const after = (): Promise<void> =>
      rows.deleteMany(
        customer,
        found.map(({ rowKey }) => rowKey),
      );
    return { entries: untold, after, ...until };
  };

function without(
  customer: string,
  rows: readonly FoundRow[],
  { entry, told }: { readonly entry: Entry; readonly told: ReadonlySet<string> },
): readonly Entry[] {
  const left = new Set(entry.marks?.filter((mark) => !told.has(mark)));
  return noticesIn(
    customer,
    piecesIn(rows).filter(({ mark }) => left.has(mark)),
  );
}
