import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { floors } from '../../tools/check/floors.mjs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'tests/faults/experiments');

/** The latest run of an experiment, or of one of the controls of E24. */
interface Run {
  readonly id: string;
  readonly passed: boolean;
  /** Day of the run. */
  readonly at: string;
  /** By room, the tree that was run. */
  readonly rests: Readonly<Record<string, string>>;
}

/** What an experiment says of itself in its source: to import it would start the bundler. */
const experiments = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && !file.startsWith('e24'))
  .map((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    const [, id = ''] = /^ {2}id: '(E\d+)',/m.exec(source) ?? [];
    const [, rooms = ''] = /^ {2}restsOn: \[(.*)\],/m.exec(source) ?? [];
    return { id, restsOn: [...rooms.matchAll(/'(\w+)'/g)].map(([, room = '']) => room) };
  });
const runs = JSON.parse(readFileSync(join(root, 'tests/faults/runs.json'), 'utf8')) as readonly Run[];

const STALE_DAYS = 14;
/** Set where the whole history is there: in the package job and every night. */
const mustBeFresh = process.env['FRESH_RUNS'] !== undefined;

function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** The rooms of a run that have changed since; undefined without git. */
function changedSince({ id, rests }: Run): readonly string[] | undefined {
  const known = experiments.find((each) => each.id === id)?.restsOn ?? [];
  const rooms = [...new Set([...known, ...Object.keys(rests)])];
  const trees = rooms.map((room) => git('rev-parse', `HEAD:shared/${room}`));
  if (trees.includes(undefined)) return undefined;
  if (Object.keys(rests).length === 0) return ['rooms that it does not name'];
  return rooms.filter((room, index) => !(trees[index] ?? '').startsWith(rests[room] ?? 'none'));
}

/** Days between a run and the newest commit of the rooms that have changed. */
function daysBehind({ at }: Run, rooms: readonly string[]): number {
  const paths = rooms.map((room) => `shared/${room}`).filter((path) => existsSync(join(root, path)));
  const newest = Date.parse(git('log', '-1', '--format=%cI', '--', ...(paths.length === 0 ? ['shared'] : paths)) ?? '');
  return (newest - Date.parse(at)) / 86_400_000;
}

describe('the fault experiments', () => {
  test.each(experiments)('$id rests on rooms that are there', ({ restsOn }) => {
    expect(restsOn.length).toBeGreaterThan(0);
    expect(restsOn.filter((room) => !floors.flat().includes(room))).toEqual([]);
  });

  test.each(experiments)('$id has passed', ({ id }) => {
    expect(runs.find((run) => run.id === id)).toMatchObject({ passed: true });
  });

  test('of which docs/reliability.md speaks exist', () => {
    const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8');
    const ids = [...new Set([...page.matchAll(/\bE\d+\b/g)].map(([id]) => id))];
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter((id) => id !== 'E24' && !experiments.some((each) => each.id === id))).toEqual([]);
  });

  test(`are run again at most ${STALE_DAYS} days after a change of what they rest on`, () => {
    const stale = runs.flatMap((run) => {
      const rooms = changedSince(run);
      return rooms === undefined || rooms.length === 0 ? [] : [{ id: run.id, days: daysBehind(run, rooms) }];
    });
    if (stale.length > 0) process.stderr.write(`Runs older than their code: ${stale.map(({ id }) => id).join(', ')}\n`);
    const late = stale.filter(({ days }) => days > STALE_DAYS).map(({ id }) => id);
    expect(mustBeFresh ? late : []).toEqual([]);
  });
});
