// Changes to sources on their way through the bundler: the product itself has no switch for experiments.
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

/**
 * The bundler's plugin that makes the changes, and `confirm`, which throws when one was not made.
 *
 * @param changes `{ file, from, to }`: the file by its path in the repository, a text in it, and what takes its place.
 *   A file that no longer holds the text ends the build, so that no experiment runs against an unchanged product.
 */
export function changingSources(changes) {
  const byFile = grouped(changes);
  const seen = new Set();
  const plugin = {
    name: 'changed-sources',
    setup: (build) => {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative(process.cwd(), path);
        const here = byFile.get(file);
        if (here === undefined) return undefined;
        seen.add(file);
        return { contents: changed(await readFile(path, 'utf8'), here), loader: 'ts' };
      });
    },
  };
  const confirm = () => {
    const unseen = [...byFile.keys()].filter((file) => !seen.has(file));
    if (unseen.length > 0) throw new Error(`The app holds no ${unseen.join(', ')}.`);
  };
  return { plugin, confirm };
}

function grouped(changes) {
  const byFile = new Map();
  for (const change of changes) byFile.set(change.file, [...(byFile.get(change.file) ?? []), change]);
  return byFile;
}

function changed(source, changes) {
  let contents = source;
  for (const { file, from, to } of changes) {
    const parts = contents.split(from);
    if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times, not once: ${from}`);
    contents = parts.join(to);
  }
  return contents;
}
