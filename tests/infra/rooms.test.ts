import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { floors } from '../../tools/check/floors.mjs';
import { importsOfProduct } from './ways.js';

const root = join(import.meta.dirname, '../..');
const rooms = floors.flat();
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const roomOf = (file: string): string => file.split('/')[1] ?? '';

/** Tests that lie elsewhere than the one file of their room that has their name. */
function misplaced(sources: readonly string[], tests: readonly string[]): readonly string[] {
  return tests.filter((file) => {
    const [room = ''] = file.split('/');
    const [name = ''] = basename(file).split('.');
    const subjects = sources.filter((source) => source.startsWith(`${room}/`) && basename(source) === `${name}.ts`);
    return subjects.length > 0 && !subjects.some((source) => dirname(source) === dirname(file));
  });
}

describe('the rooms of shared/', () => {
  test('have few arrows between them', () => {
    const arrows = new Set<string>();
    for (const [file, named] of importsOfProduct()) {
      for (const other of named.filter((each) => each.startsWith('shared/') && file.startsWith('shared/'))) {
        if (roomOf(file) !== roomOf(other)) arrows.add(`${roomOf(file)} → ${roomOf(other)}`);
      }
    }
    expect(arrows.size).toBeGreaterThan(50);
    expect(arrows.size).toBeLessThanOrEqual(95);
  });

  test('have at most twelve files in a folder', () => {
    const counts = new Map<string, number>();
    for (const file of filesIn('shared')) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count > 12).map(([folder]) => folder);
    // One pipe from the catalogue to the renderer will have fewer.
    expect(full.sort()).toEqual(['imagery/discovery', 'imagery/units']);
  });
});

describe('the tests of a room', () => {
  test('lie where the file lies that they test', () => {
    const tests = filesIn('tests').filter(
      (file) => file.endsWith('.test.ts') && rooms.includes(file.split('/')[0] ?? ''),
    );
    expect(tests.length).toBeGreaterThan(200);
    expect(misplaced(filesIn('shared'), tests)).toEqual([]);
  });

  test('would be found elsewhere', () => {
    const tests = ['work/lanes/lane.test.ts', 'work/retry.test.ts', 'work/drills.test.ts'];
    expect(misplaced(['work/lanes/lane.ts', 'work/item/retry.ts'], tests)).toEqual(['work/retry.test.ts']);
  });

  test('lie in folders named for rooms, beside those of other parts and of other runs', () => {
    const others = [
      'callers',
      'console',
      'contract',
      'infra',
      'local',
      'tools',
      'recorded',
      'attacks',
      'fixtures',
      'support',
    ];
    const runs = ['bench', 'browser', 'clients', 'faults', 'load'];
    const folders = readdirSync(join(root, 'tests')).filter((name) =>
      statSync(join(root, 'tests', name)).isDirectory(),
    );
    expect(folders.filter((name) => ![...rooms, ...others, ...runs].includes(name))).toEqual([]);
  });
});
