/** Rows that one request reads at most: five operations of 1,000. A page of a rare filter may be short, even empty. */
const READS = 5;
const ROWS_A_READ = 1_000;

/** Something of a list, and the position behind it. */
export interface Listed<Item, Position> {
  readonly item: Item;
  readonly at: Position;
  /** False where it lies elsewhere than the area that is searched. */
  readonly isMeeting?: boolean;
}

export interface ScanPage<Item, Position> {
  readonly items: readonly Item[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: Position;
}

export interface Scan<Item, Position> {
  /** At most `most` items behind a position; fewer are the last. */
  readonly read: (after: Position | undefined, most: number) => Promise<readonly Listed<Item, Position>[]>;
  readonly isWanted: (item: Item) => boolean;
  /** Whether `isWanted` may refuse much: then a read is as large as it may be. */
  readonly isFiltered: boolean;
  readonly after: Position | undefined;
  /** Most items of the page. */
  readonly size: number;
}

/** A page of a list of which storage gives more than is wanted; reads a bounded number of rows. */
export async function boundedScan<Item, Position>(scan: Scan<Item, Position>): Promise<ScanPage<Item, Position>> {
  const { read, isWanted, isFiltered, size } = scan;
  // One more than the page shows whether another follows.
  const most = isFiltered ? ROWS_A_READ : Math.min(size + 1, ROWS_A_READ);
  const found: Listed<Item, Position>[] = [];
  let at = scan.after;
  for (let reads = 0; reads < READS; reads += 1) {
    const rows = await read(at, most);
    found.push(...rows.filter(({ item, isMeeting }) => isMeeting !== false && isWanted(item)));
    if (found.length > size) return pageOf(found.slice(0, size), found[size - 1]?.at);
    if (rows.length < most) return pageOf(found, undefined);
    at = rows.at(-1)?.at;
  }
  return pageOf(found, at);
}

const pageOf = <Item, Position>(
  found: readonly Listed<Item, Position>[],
  next: Position | undefined,
): ScanPage<Item, Position> => ({
  items: found.map(({ item }) => item),
  ...(next === undefined ? {} : { next }),
});
