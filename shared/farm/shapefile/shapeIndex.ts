import type { ArchivedFile } from '../files/archive.js';
import { ByteReader, numbersIn } from '../files/byteReader.js';
import { ImportFault } from '../files/importFault.js';

/** Where a record of a .shp file begins, its head, and how long its content is behind that; both in bytes. */
export interface ShapeRecord {
  readonly offset: number;
  readonly length: number;
}

/** Of .shp and .shx files. */
export const HEAD_BYTES = 100;
/** Of each record of a .shp file: its number, and the length of its content. */
export const RECORD_HEAD_BYTES = 8;
const ENTRY_BYTES = 8;
const MAGIC = 9994;
/** Polygons, with height, with measures. */
const AREAS = new Set([5, 15, 25]);

export interface IndexedFiles {
  readonly shapes: ArchivedFile;
  /** The .shx file. */
  readonly index: ArchivedFile | undefined;
}

export interface RecordLimits {
  /** Rows of the table. */
  readonly rows: number;
  /** Records that are taken. */
  readonly most: number;
}

/**
 * The records of a shapefile that count, in the order of the rows of its table: those that its .shx names, for a .shp file
 * may hold dead ones and others that were moved. Without a .shx they are taken as they follow each other, unless their numbers
 * or the table tell that they are others.
 *
 * @throws ImportFault before any shape is read
 * @see ESRI Shapefile Technical Description (1998), pages 2 to 4, 23 and 24
 */
export async function shapeRecords(
  { shapes, index }: IndexedFiles,
  limits: RecordLimits,
): Promise<readonly ShapeRecord[]> {
  const reader = new ByteReader(shapes.read());
  try {
    requireAreas(await reader.read(HEAD_BYTES));
    return index === undefined ? await walked(reader, shapes.bytes, limits) : await indexed(index, limits);
  } finally {
    await reader.close();
  }
}

function requireAreas(head: Uint8Array | undefined): void {
  const numbers = head === undefined ? undefined : numbersIn(head);
  if (numbers?.getInt32(0) !== MAGIC) throw new ImportFault('The .shp file is none.');
  const type = numbers.getInt32(32, true);
  if (AREAS.has(type)) return;
  throw new ImportFault(`The shapefile has shapes of type ${type}; polygons are taken (types 5, 15 and 25).`);
}

async function indexed(file: ArchivedFile, { rows, most }: RecordLimits): Promise<readonly ShapeRecord[]> {
  const reader = new ByteReader(file.read());
  try {
    const head = await reader.read(HEAD_BYTES);
    if (head === undefined || numbersIn(head).getInt32(0) !== MAGIC) throw damagedIndex('it is none');
    // What stands behind the length that its head says is nothing.
    const count = Math.floor((numbersIn(head).getInt32(24) * 2 - HEAD_BYTES) / ENTRY_BYTES);
    if (count < 0) throw damagedIndex('its head says no length');
    requireFew(count, most);
    if (count === 0 && rows > 0) throw damagedIndex(`it names no record, while the table has ${rows} rows`);
    const entries = await reader.read(count * ENTRY_BYTES);
    if (entries === undefined) throw damagedIndex(`it ends before its ${count} records`);
    const words = numbersIn(entries);
    return Array.from({ length: count }, (_, entry) => ({
      offset: words.getInt32(entry * ENTRY_BYTES) * 2,
      length: words.getInt32(entry * ENTRY_BYTES + 4) * 2,
    }));
  } finally {
    await reader.close();
  }
}

async function walked(
  reader: ByteReader,
  bytes: number,
  { rows, most }: RecordLimits,
): Promise<readonly ShapeRecord[]> {
  const records: ShapeRecord[] = [];
  for (let offset = HEAD_BYTES; ;) {
    const head = await reader.read(RECORD_HEAD_BYTES);
    if (head === undefined) return records;
    const [number, length] = [numbersIn(head).getInt32(0), numbersIn(head).getInt32(4) * 2];
    const next = records.length + 1;
    if (number !== next) throw withoutIndex(`record ${number} stands where record ${next} should`);
    if (next > rows) throw withoutIndex(`it has more shapes than its table has rows (${rows})`);
    requireFew(next, most);
    const end = offset + RECORD_HEAD_BYTES + length;
    if (length < 4 || end > bytes) throw withoutIndex(`it is damaged at record ${next}`);
    records.push({ offset, length });
    await reader.skipTo(end);
    offset = end;
  }
}

function requireFew(count: number, most: number): void {
  if (count > most) throw new ImportFault(`The shapefile has ${count} records; at most ${most} are taken. Split it.`);
}

const damagedIndex = (why: string): ImportFault =>
  new ImportFault(`The .shx file is damaged (${why}). Leave it out, or write the shapefile anew.`);

const withoutIndex = (why: string): ImportFault =>
  new ImportFault(
    `The .shp file cannot be read without its .shx, which says which records count: ${why}. Pack its .shx with it, or write the shapefile anew.`,
  );
