// Variants of the app with one protection taken out, made by changing a source on the way through the bundler: the
// product itself has no switch. A run against a variant must find a breach, or the run proves nothing.
import { readFile } from 'node:fs/promises';

/** By protection: the file it lives in, and what stands there instead. */
const variants = {
  // A worker or a cancel overwrites whatever is there: the first end is no longer final.
  fence: {
    file: /shared\/jobs\/tableJobStore\.ts$/,
    changes: [
      [
        `'Replace', { etag: stored.etag });\n      return answer.etag;`,
        `'Replace', { etag: '*' });\n      return answer.etag;`,
      ],
      [`['update', row, 'Replace', { etag: stored.etag }]`, `['upsert', row, 'Replace']`],
      [`['delete', { partitionKey, rowKey: \`OPEN_\${keyText(next)}\` }],`, ''],
    ],
  },
};

/** The bundler's plugins for a build without the protection; throws when the source no longer has it. */
export function without(protection) {
  if (protection === undefined) return [];
  const { file, changes } = variants[protection] ?? {};
  if (file === undefined) throw new Error(`Known protections: ${Object.keys(variants).join(', ')}.`);
  return [
    {
      name: `without-${protection}`,
      setup: (build) => {
        build.onLoad({ filter: file }, async ({ path }) => {
          let contents = await readFile(path, 'utf8');
          for (const [from, to] of changes) {
            if (!contents.includes(from)) throw new Error(`${path} no longer holds: ${from}`);
            contents = contents.replace(from, to);
          }
          return { contents, loader: 'ts' };
        });
      },
    },
  ];
}
