import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

/** The files of the product, each with those that it imports, types included. */
function imports(): ReadonlyMap<string, readonly string[]> {
  const files = ['shared', 'functions'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return new Map(
    files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        const named = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)].map(([, path = '']) => path);
        return [file, named.map((path) => normalize(`${join(dirname(file), path)}.ts`))];
      }),
  );
}

/** One circle of files that import one another; undefined where there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const walk = (file: string): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    way.push(file);
    for (const next of graph.get(file) ?? []) {
      const circle = walk(next);
      if (circle !== undefined) return circle;
    }
    way.pop();
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = walk(file);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** Pairs of folders whose files import from each other. */
function mutualFolders(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const arrows = new Set<string>();
  for (const [file, named] of graph) {
    for (const other of named) {
      const [from, to] = [dirname(file), dirname(other)];
      if (from !== to) arrows.add(`${from} → ${to}`);
    }
  }
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' → ');
    return from < to && arrows.has(`${to} → ${from}`);
  });
}

describe('the folders of the product', () => {
  test('import from each other in no pair', () => {
    expect(mutualFolders(imports())).toEqual([]);
  });

  test('would be found in a pair', () => {
    const planted = new Map([
      ['shared/a/one.ts', ['shared/b/two.ts', 'shared/kit/clock.ts']],
      ['shared/b/three.ts', ['shared/a/four.ts']],
    ]);
    expect(mutualFolders(planted)).toEqual(['shared/a → shared/b']);
  });
});

describe('the files of the product', () => {
  test('import one another in no circle, types included', () => {
    const graph = imports();
    expect(graph.get('functions/main.ts')).toContain('shared/wiring/register.ts');
    expect(circleIn(graph)).toBeUndefined();
  });

  test('would be found in a circle', () => {
    const planted = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    expect(circleIn(planted)).toEqual(['b', 'd', 'b']);
  });
});
