import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = 'docs/measurements.md';

/** The page with what stands between the marks of a section replaced. @throws when the page has no such section */
export function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no section ${name}.`);
  return `${page.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}

/** Puts a table into docs/measurements.md. */
export function writeSection(name: string, text: string): void {
  writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), name, text));
}

/** A Markdown table, its columns padded as the formatter of the project wants them. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
