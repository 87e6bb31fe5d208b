/** What a cell holds; nothing for null. */
export type CsvValue = string | number | null | undefined;

/** Texts that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * Rows as RFC 4180 has them: comma and CRLF, in quotes where a cell holds a comma, a quote or a line end, or what else
 * parts cells in some country. A text that a spreadsheet would reckon with gets a ' before it.
 */
export const csvText = (rows: readonly (readonly CsvValue[])[]): string =>
  [...rows.map((row) => row.map(cellOf).join(',')), ''].join('\r\n');

function cellOf(value: CsvValue): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
