import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';

const page = new URL('../../docs/measurements.md', import.meta.url);

/** Row of the table "Answers of others" in docs/measurements.md: its cells. */
function rowOf(subject: string): readonly string[] {
  const section = readFileSync(page, 'utf8').split('## Answers of others')[1]?.split('\n## ')[0] ?? '';
  const row = section.split('\n').find((line) => line.startsWith(`| ${subject} `));
  if (row === undefined) throw new Error(`docs/measurements.md has no row "${subject}" under "Answers of others".`);
  return row.split('|').map((cell) => cell.trim());
}

/** What an adapter made of an answer: `read`, or why it refused. */
export type Verdict = string;

/** Read and refused of so many, as the page tells it. */
export const figureOf = (verdicts: readonly Verdict[]): string => {
  const read = verdicts.filter((verdict) => verdict === 'read').length;
  return `${read} of ${verdicts.length}`;
};

/** The counts stand in docs/measurements.md as they were counted. */
export function expectFigures(subject: string, column: 'genuine' | 'made', verdicts: readonly Verdict[]): void {
  const cell = column === 'genuine' ? 2 : 3;
  expect(`${subject}, ${column}: ${rowOf(subject)[cell] ?? ''}`).toBe(`${subject}, ${column}: ${figureOf(verdicts)}`);
}

/** Each reason with its count. */
export function reasonsOf(verdicts: readonly Verdict[]): Readonly<Record<string, number>> {
  const reasons: Record<string, number> = {};
  for (const verdict of verdicts) if (verdict !== 'read') reasons[verdict] = (reasons[verdict] ?? 0) + 1;
  return reasons;
}
