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

describe('the files of the product', () => {
  test('import one another in no circle, types included', () => {
    const graph = imports();
    expect(graph.get('functions/main.ts')).toContain('shared/triggers/register.ts');
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
