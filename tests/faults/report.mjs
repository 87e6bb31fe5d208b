// Writes what experiments printed into RUNS.md beside this file: one line an experiment, the latest run.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = 'tests/faults/RUNS.md';
const START = '<!-- results: written by npm run faults -- --write -->';
const END = '<!-- end of results -->';

const LINE = /^- \*\*E(\d+)\*\*/;

/** A failure with a stack says enough in its first line; no path of this machine belongs on a page. */
const firstLine = (text) => text.split('\n')[0].replaceAll(process.cwd(), '.');

/** One run as a line of a list. */
function lineOf({ id, day, commit, command, counts, breaches, seconds }) {
  const shown = Object.entries(counts).map(([name, value]) => `${name} ${value}`);
  const result = breaches.length === 0 ? 'PASS' : `**FAIL** (${breaches.slice(0, 3).map(firstLine).join('; ')})`;
  return `- **${id}** ${result}, ${seconds} s, ${day} at ${commit}, \`${command}\`: ${shown.join(', ')}`.replaceAll(
    '\n',
    ' ',
  );
}

/** Replaces the lines of these experiments. @param runs `{ id, day, commit, command, counts, breaches, seconds }` */
export function writeResults(runs) {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(START);
  const [list, after] = rest.split(END);
  const lines = new Map(
    list.split('\n').flatMap((line) => (LINE.test(line) ? [[Number(LINE.exec(line)[1]), line]] : [])),
  );
  for (const run of runs) lines.set(Number(run.id.slice(1)), lineOf(run));
  const sorted = [...lines].sort(([a], [b]) => a - b).map(([, line]) => line);
  const text = `${before}${START}\n\n${sorted.join('\n')}\n\n${END}${after}`;
  writeFileSync(PAGE, text);
  const formatted = ['infra/build/tool.mjs', 'tools/check', 'prettier', '--write', PAGE];
  spawnSync(process.execPath, formatted, { stdio: 'inherit' });
}
