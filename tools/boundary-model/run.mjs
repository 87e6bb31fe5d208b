// Runs one of this folder's programs: node tools/boundary-model/run.mjs <program> [arguments]. The working directory
// stays the caller's, so that relative paths mean what they say.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [, , program, ...rest] = process.argv;
if (program === undefined || !/^[a-zA-Z]+$/.test(program)) {
  process.stderr.write('usage: node tools/boundary-model/run.mjs <evaluate|packModel|trainingScenes|…> [arguments]\n');
  process.exit(2);
}
const outfile = `${root}build/tools/${program}.mjs`;
await build({
  entryPoints: [`${root}tools/boundary-model/${program}.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
});
process.argv = [process.argv[0] ?? 'node', outfile, ...rest];
await import(outfile);
