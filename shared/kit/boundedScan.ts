/** Reads that one request makes at most. A page of a rare filter may be short, even empty. */
const READS = 30;
/** Characters of JSON that a page has at most, but for its last item: a longer text would hold up other requests. */
const MOST_CHARACTERS = 2_000_000;
/** Items of a first read, whose width is not known yet. */
const FIRST_ITEMS = 64;
/** Characters of JSON that a read should bring: its answer is parsed in one piece. */
const READ_CHARACTERS = 1_000_000;
/** Items that are judged together. */
const JUDGED_AT_ONCE = 4;

/** Something of a list, and the position behind it. */
export interface Listed<Item, Position> {
  readonly item: Item;
  readonly at: Position;
}

export interface ScanPage<Item, Position> {
  readonly items: readonly Item[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: Position;
}

export interface Scan<Item, Position> {
  /** At most `most` items behind a position; fewer are the last. */
  readonly read: (after: Position | undefined, most: number) => Promise<readonly Listed<Item, Position>[]>;
  /** Most items of one read; fewer where items are wide. */
  readonly most: number;
  readonly isWanted: (item: Item) => boolean;
  /**
   * Looks closer at items that are wanted. It judges one item of a request at least; fewer verdicts than items are those of
   * the first ones, and the request has done as much work as it may: its page ends there.
   */
  readonly judge?: ((items: readonly Item[]) => Promise<readonly boolean[]>) | undefined;
  /** Whether `isWanted` or `judge` may refuse much: then a read is as large as it may be. */
  readonly isFiltered: boolean;
  readonly after: Position | undefined;
  /** Most items of the page. */
  readonly size: number;
}

/** A page of a list of which storage gives more than is wanted; reads a bounded number of rows. */
export async function boundedScan<Item, Position>(scan: Scan<Item, Position>): Promise<ScanPage<Item, Position>> {
  const { read, isWanted, isFiltered, size } = scan;
  const page: Filling<Item, Position> = { items: [], at: scan.after, characters: 0 };
  let fitting = FIRST_ITEMS;
  for (let reads = 0; reads < READS; reads += 1) {
    // One more than the page shows whether another follows.
    const most = Math.min(scan.most, fitting, isFiltered ? Infinity : size - page.items.length + 1);
    const rows = (await read(page.at, most)).map(measured);
    const wanted = rows.filter(({ item }) => isWanted(item));
    if (!(await takesAll(page, wanted, scan))) return pageOf(page.items, page.at);
    if (rows.length < most) return pageOf(page.items);
    page.at = rows.at(-1)?.at;
    fitting = fittingBehind(rows);
  }
  return pageOf(page.items, page.at);
}

/** An item that was read, and its characters of JSON. */
interface Measured<Item, Position> extends Listed<Item, Position> {
  readonly characters: number;
}

const measured = <Item, Position>({ item, at }: Listed<Item, Position>): Measured<Item, Position> => ({
  ...{ item, at },
  characters: JSON.stringify(item).length,
});

/** How many items as wide as these a read should bring. */
function fittingBehind(rows: readonly Measured<unknown, unknown>[]): number {
  const characters = rows.reduce((sum, row) => sum + row.characters, 0);
  return Math.max(1, Math.floor((READ_CHARACTERS * rows.length) / characters));
}

/** A page that is being filled. */
interface Filling<Item, Position> {
  readonly items: Item[];
  /** Where the last one stands that was looked at. */
  at: Position | undefined;
  /** Of the JSON of its items. */
  characters: number;
}

/** Fills a page. @returns false when it is full, or may judge no more */
async function takesAll<Item, Position>(
  page: Filling<Item, Position>,
  wanted: readonly Measured<Item, Position>[],
  { judge, size }: Scan<Item, Position>,
): Promise<boolean> {
  for (let first = 0; first < wanted.length; first += JUDGED_AT_ONCE) {
    const some = wanted.slice(first, first + JUDGED_AT_ONCE);
    const verdicts = judge === undefined ? some.map(() => true) : await judge(some.map(({ item }) => item));
    if (!some.every((row, index) => takes(page, row, { verdict: verdicts[index], size }))) return false;
  }
  return true;
}

function takes<Item, Position>(
  page: Filling<Item, Position>,
  { item, at, characters }: Measured<Item, Position>,
  { verdict, size }: { readonly verdict: boolean | undefined; readonly size: number },
): boolean {
  const isFull = page.items.length === size || page.characters > MOST_CHARACTERS;
  if (verdict === undefined || (verdict && isFull)) return false;
  if (verdict) {
    page.items.push(item);
    page.characters += characters;
  }
  page.at = at;
  return true;
}

const pageOf = <Item, Position>(items: readonly Item[], next?: Position): ScanPage<Item, Position> => ({
  items,
  ...(next === undefined ? {} : { next }),
});
