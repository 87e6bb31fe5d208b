// Writes what experiments counted into runs.json beside this file: of each experiment, and of each control of E24, the latest
// run, with the trees of the rooms that it rests on.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'tests/faults/runs.json';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** A failure with a stack says enough in its first line; no path of this machine belongs into the repository. */
const firstLine = (text) => text.split('\n')[0].replaceAll(process.cwd(), '.');

/** By number, and the controls of one experiment by their names. */
const byId = (one, other) => Number(/\d+/.exec(one.id)) - Number(/\d+/.exec(other.id)) || (one.id < other.id ? -1 : 1);

/** Whoever runs what is in no commit has shown nothing of a commit. @throws Error */
export function requireCommitted() {
  if (git('status', '--porcelain', '--', 'shared') !== '')
    throw new Error('shared/ has changes that are in no commit: commit them before a run that is written down.');
}

/** Replaces the rows of these runs. @param runs `{ id, restsOn, command, counts, breaches, seconds }` */
export function writeResults(runs) {
  const rows = new Map(JSON.parse(readFileSync(FILE, 'utf8')).map((row) => [row.id, row]));
  for (const { id, restsOn, command, counts, breaches, seconds } of runs) {
    rows.set(id, {
      id,
      passed: breaches.length === 0,
      seconds,
      commit: git('rev-parse', '--short=12', 'HEAD'),
      at: new Date().toISOString().slice(0, 10),
      command,
      counts,
      ...(breaches.length === 0 ? {} : { breaches: breaches.slice(0, 3).map(firstLine) }),
      rests: Object.fromEntries(restsOn.map((room) => [room, git('rev-parse', '--short=12', `HEAD:shared/${room}`)])),
    });
  }
  const lines = [...rows.values()].sort(byId).map((row) => `  ${JSON.stringify(row)}`);
  writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`);
}
