import { numbersIn, type ByteReader } from './byteReader.js';
import { ImportFault } from './importFault.js';

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
  readonly rows: number;
  readonly rowBytes: number;
  readonly columns: readonly DbaseColumn[];
}

const HEADER_BYTES = 32;
const COLUMN_BYTES = 32;
const MOST_COLUMNS = 2_046;
const END_OF_COLUMNS = 0x0d;
const DELETED = 0x2a;

/** Reads the head of a .dbf file, up to its first row. @throws ImportFault */
export async function readTable(reader: ByteReader): Promise<DbaseTable> {
  const head = await reader.read(HEADER_BYTES);
  if (head === undefined) throw damaged('it ends within its head');
  const numbers = numbersIn(head);
  const [rows, headBytes, rowBytes] = [
    numbers.getUint32(4, true),
    numbers.getUint16(8, true),
    numbers.getUint16(10, true),
  ];
  if (headBytes <= HEADER_BYTES || rowBytes === 0) throw damaged('the lengths in its head are none');
  const rest = await reader.read(headBytes - HEADER_BYTES);
  if (rest === undefined) throw damaged('it ends within its columns');
  const columns = columnsIn(rest);
  const end = columns.at(-1);
  if (end !== undefined && end.start + end.length > rowBytes) throw damaged('its columns are longer than its rows');
  return { rows, rowBytes, columns };
}

function columnsIn(bytes: Uint8Array): readonly DbaseColumn[] {
  const columns: DbaseColumn[] = [];
  // The first byte of a row says whether it was deleted.
  let start = 1;
  for (let at = 0; at + COLUMN_BYTES <= bytes.byteLength && bytes[at] !== END_OF_COLUMNS; at += COLUMN_BYTES) {
    const name = latin1(bytes.subarray(at, at + 11))
      .replace(/\0.*$/s, '')
      .trim();
    const length = bytes[at + 16] ?? 0;
    columns.push({ name, type: latin1(bytes.subarray(at + 11, at + 12)), start, length });
    start += length;
    if (columns.length > MOST_COLUMNS) throw damaged('it has too many columns');
  }
  return columns;
}

export const isDeletedRow = (row: Uint8Array): boolean => row[0] === DELETED;

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** The values of a row by the names of their columns; empty ones are left out. */
export function valuesOf(
  row: Uint8Array,
  { columns }: Pick<DbaseTable, 'columns'>,
  decode: (bytes: Uint8Array) => string,
): Readonly<Record<string, string | number | boolean>> {
  const values = columns.flatMap(({ name, type, start, length }) => {
    const value = valueOfText(
      type,
      decode(row.subarray(start, start + length))
        .replaceAll('\0', ' ')
        .trim(),
    );
    return value === undefined || name === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

function valueOfText(type: string, text: string): string | number | boolean | undefined {
  if (text === '') return undefined;
  if (type === 'N' || type === 'F') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (type === 'L') return truthOf(text);
  if (type === 'D')
    return /^\d{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : undefined;
  return type === 'C' ? text : undefined;
}

/** Undefined for one that was not said. */
function truthOf(text: string): boolean | undefined {
  if (/^[yt]$/i.test(text)) return true;
  return /^[nf]$/i.test(text) ? false : undefined;
}

/**
 * The name of the code page of a .cpg file, as decoders know it: UTF-8 when it says nothing.
 *
 * @throws ImportFault for a code page that is not known
 */
export function encodingOf(cpg: string | undefined): string {
  const said = (cpg ?? '').trim().toLowerCase();
  const name = said === '' ? 'utf-8' : (KNOWN[said] ?? (/^\d{3,5}$/.test(said) ? `windows-${said}` : said));
  try {
    return new TextDecoder(name).encoding;
  } catch (cause) {
    const text = `The .cpg file names the code page ${said.slice(0, 40).replaceAll(/\p{C}/gu, '?')}, which is not known. Save the table as UTF-8.`;
    throw new ImportFault(text, { cause });
  }
}

/** Names of writers for code pages that decoders have by another name. */
const KNOWN: Readonly<Record<string, string>> = {
  '65001': 'utf-8',
  utf8: 'utf-8',
  '88591': 'iso-8859-1',
  '8859_1': 'iso-8859-1',
  '88592': 'iso-8859-2',
  '88595': 'iso-8859-5',
  '885915': 'iso-8859-15',
  '866': 'ibm866',
  '932': 'shift_jis',
  '936': 'gbk',
  '949': 'euc-kr',
  '950': 'big5',
  'ansi 1252': 'windows-1252',
};

const damaged = (why: string): ImportFault =>
  new ImportFault(`The .dbf file is damaged (${why}); write the shapefile anew.`);
