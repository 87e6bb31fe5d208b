import { numbersIn, type ByteReader } from '../files/byteReader.js';
import { codePageOfDriver, decoderOf, REWRITE, type Decode } from './codePage.js';
import { ImportFault } from '../files/importFault.js';

/** A column of a dBASE table. */
interface DbaseColumn {
  readonly name: string;
  /** `C` text, `N` and `F` numbers, `L` truth, `D` a day; others are not read. */
  readonly type: string;
  readonly start: number;
  readonly length: number;
}

/** What the rows of a table look like. */
export interface DbaseTable {
  /** Before the first row. */
  readonly headBytes: number;
  /** How its texts are read; undefined where nothing says it. */
  readonly codePage: string | undefined;
  readonly rows: number;
  readonly rowBytes: number;
  readonly columns: readonly DbaseColumn[];
}

/** The values of a row by the names of their columns. */
export type DbaseValues = Readonly<Record<string, string | number | boolean>>;

const HEADER_BYTES = 32;
/** Where the head says by a number which code page a table has. */
const LANGUAGE_DRIVER = 29;
const COLUMN_BYTES = 32;
const MOST_COLUMNS = 2_046;
const END_OF_COLUMNS = 0x0d;
const DELETED = 0x2a;

/** Reads the head of a .dbf file, up to its first row. @param said the code page of its .cpg file @throws ImportFault */
export async function readTable(reader: ByteReader, said: string | undefined): Promise<DbaseTable> {
  const head = await reader.read(HEADER_BYTES);
  if (head === undefined) throw damagedTable('it ends within its head');
  const numbers = numbersIn(head);
  const [rows, headBytes, rowBytes] = [
    numbers.getUint32(4, true),
    numbers.getUint16(8, true),
    numbers.getUint16(10, true),
  ];
  if (headBytes <= HEADER_BYTES || rowBytes === 0) throw damagedTable('the lengths in its head are none');
  const rest = await reader.read(headBytes - HEADER_BYTES);
  if (rest === undefined) throw damagedTable('it ends within its columns');
  const codePage = said ?? codePageOfDriver(head[LANGUAGE_DRIVER] ?? 0);
  const columns = columnsIn(rest, decoderOf(codePage));
  const end = columns.at(-1);
  if (end !== undefined && end.start + end.length > rowBytes)
    throw damagedTable('its columns are longer than its rows');
  return { headBytes, codePage, rows, rowBytes, columns };
}

function columnsIn(bytes: Uint8Array, decode: Decode): readonly DbaseColumn[] {
  const columns: DbaseColumn[] = [];
  // The first byte of a row says whether it was deleted.
  let start = 1;
  for (let at = 0; at + COLUMN_BYTES <= bytes.byteLength && bytes[at] !== END_OF_COLUMNS; at += COLUMN_BYTES) {
    const name = decode(upToZero(bytes.subarray(at, at + 11)))?.trim();
    if (name === undefined) throw damagedTable(`the name of column ${columns.length + 1} is no text of its code page`);
    const length = bytes[at + 16] ?? 0;
    columns.push({ name, type: latin1(bytes.subarray(at + 11, at + 12)), start, length });
    start += length;
    if (columns.length > MOST_COLUMNS) throw damagedTable('it has too many columns');
  }
  return columns;
}

export const isDeletedRow = (row: Uint8Array): boolean => row[0] === DELETED;

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** What stands behind a zero is of something that was there before. */
function upToZero(bytes: Uint8Array): Uint8Array {
  const zero = bytes.indexOf(0);
  return zero < 0 ? bytes : bytes.subarray(0, zero);
}

/**
 * The values of a row; empty ones are left out.
 *
 * @returns a text that says which value is no text
 */
export function valuesOf(row: Uint8Array, table: DbaseTable, decode: Decode): DbaseValues | string {
  const values: [string, string | number | boolean][] = [];
  for (const { name, type, start, length } of table.columns) {
    const bytes = upToZero(row.subarray(start, start + length));
    const text = type === 'C' ? decode(bytes) : latin1(bytes);
    if (text === undefined) {
      return `The value in column ${name} is no text of the code page ${table.codePage ?? 'UTF-8'}. ${REWRITE}`;
    }
    const value = valueOfText(type, text.trim());
    if (value !== undefined && name !== '') values.push([name, value]);
  }
  return Object.fromEntries(values);
}

function valueOfText(type: string, text: string): string | number | boolean | undefined {
  if (text === '') return undefined;
  if (type === 'N' || type === 'F') return numberOf(text);
  if (type === 'L') return truthOf(text);
  if (type === 'D')
    return /^\d{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : undefined;
  return type === 'C' ? text : undefined;
}

/** Beyond 2^53 neighbours are one number: a text then, with all its digits. */
function numberOf(text: string): number | string | undefined {
  const [, whole, fraction = ''] = /^\+?(-?\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole !== undefined && !Number.isSafeInteger(Number(whole))) {
    return `${BigInt(whole)}${fraction === '' ? '' : `.${fraction}`}`;
  }
  return Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** Undefined for one that was not said. */
function truthOf(text: string): boolean | undefined {
  if (/^[yt]$/i.test(text)) return true;
  return /^[nf]$/i.test(text) ? false : undefined;
}

/** What is said of a table that can't be read. */
export const damagedTable = (why: string): ImportFault =>
  new ImportFault(`The .dbf file is damaged (${why}); write the shapefile anew.`);
