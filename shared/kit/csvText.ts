/** What a cell holds; nothing for null. */
export type CsvValue = string | number | null | undefined;

/** Texts that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/** What a table for people differs by. */
interface CsvOptions {
  /** Cells are quoted too where they hold what parts cells in some country: no formula may come after it. */
  readonly isForPeople?: boolean;
}

/**
 * Rows as RFC 4180 has them: comma and CRLF, in quotes where a cell holds a comma, a quote or a line end. A text that a
 * spreadsheet would reckon with gets a ' before it.
 */
export function csvText(rows: readonly (readonly CsvValue[])[], { isForPeople = false }: CsvOptions = {}): string {
  const inQuotes = isForPeople ? /[",;\t\r\n]/ : /[",\r\n]/;
  return [...rows.map((row) => row.map((value) => cellOf(value, inQuotes)).join(',')), ''].join('\r\n');
}

function cellOf(value: CsvValue, inQuotes: RegExp): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return inQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
