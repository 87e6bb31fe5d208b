import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const shared = join(import.meta.dirname, '../../shared');

/** The names that a source exports where it declares them. */
const exportedBy = (text: string): readonly string[] =>
  [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm)].map(
    ([, name = '']) => name,
  );

/** Names that more than one file exports, with the files. */
function namedTwice(sources: ReadonlyMap<string, string>): Readonly<Record<string, readonly string[]>> {
  const files = new Map<string, string[]>();
  for (const [file, text] of sources) {
    for (const name of new Set(exportedBy(text))) files.set(name, [...(files.get(name) ?? []), file]);
  }
  return Object.fromEntries([...files].filter(([, named]) => named.length > 1));
}

describe('one concept, one word: a name that shared/ exports', () => {
  test('is exported by one file alone', () => {
    const files = readdirSync(shared, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const sources = new Map(files.map((file) => [file, readFileSync(join(shared, file), 'utf8')]));
    expect(sources.size).toBeGreaterThan(300);
    expect(namedTwice(sources)).toEqual({});
  });

  test('would be found in a second file', () => {
    const planted = new Map([
      ['a.ts', 'export const Shape = Type.String();\nexport type Shape = Static<typeof Shape>;\nexport const one = 1;'],
      ['b.ts', 'export interface Shape {}\nconst one = 1;'],
    ]);
    expect(namedTwice(planted)).toEqual({ Shape: ['a.ts', 'b.ts'] });
  });
});
