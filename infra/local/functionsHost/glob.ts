import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const tokens: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  ',': '|',
  '}': ')',
};

/** The expression of a glob with `*`, `**`, `?` and `{a,b}`; paths use forward slashes. */
export const globExpression = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\]/g, (match) => tokens[match] ?? `\\${match}`)}$`);

/** The files under a folder that a glob names, sorted; node_modules is skipped. */
export function findFiles(directory: string, pattern: string): string[] {
  const expression = globExpression(pattern.replace(/^\.?\//, ''));
  const walk = (folder: string): string[] =>
    readdirSync(join(directory, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === '.git' ? [] : walk(path);
      return expression.test(path) ? [path] : [];
    });
  // The walk starts at the part of the pattern that names one folder: a checkout is large.
  const fixed = pattern
    .replace(/^\.?\//, '')
    .split('/')
    .slice(0, -1);
  const firstOpen = fixed.findIndex((segment) => /[*?{]/.test(segment));
  const base = (firstOpen === -1 ? fixed : fixed.slice(0, firstOpen)).join('/');
  try {
    return walk(base).toSorted();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}
